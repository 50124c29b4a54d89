"""The golden room (see the design's house page)."""
