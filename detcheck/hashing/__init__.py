"""The hashing room (see the design's house page)."""
