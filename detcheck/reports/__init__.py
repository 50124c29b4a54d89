"""The reports room (see the design's house page)."""
