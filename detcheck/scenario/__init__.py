"""The scenario room (see the design's house page)."""
