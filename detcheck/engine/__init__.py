"""The engine room (see the design's house page)."""
