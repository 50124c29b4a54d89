"""The numbers room (see the design's house page)."""
