// There is nothing here: the target exists for its precompiled headers.
