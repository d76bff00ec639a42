"""Golden transcripts: what happens in a run, for a person to read and for a change to be noticed."""
