"""The causes room (see the design's house page)."""
