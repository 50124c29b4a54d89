"""The cli room (see the design's house page)."""
