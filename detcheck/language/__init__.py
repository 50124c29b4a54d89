"""The language room (see the design's house page)."""
