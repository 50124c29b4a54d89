"""The readers room (see the design's house page)."""
