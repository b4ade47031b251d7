// Intentionally empty: the target exists for its precompiled headers.
