"""The dumps room (see the design's house page)."""
