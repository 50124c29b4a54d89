"""The rng room (see the design's house page)."""
