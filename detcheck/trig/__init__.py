"""The trig room (see the design's house page)."""
