"""The explain room (see the design's house page)."""
