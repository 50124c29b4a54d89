"""The compare room (see the design's house page)."""
