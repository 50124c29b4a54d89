"""The frozen values that the rooms of the house speak in. Nothing here computes, opens a file or knows a library."""
