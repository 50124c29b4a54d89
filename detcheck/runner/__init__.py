"""The runner room (see the design's house page)."""
