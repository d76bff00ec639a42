"""Coverage-guided fuzzing of whatever reads what a stranger wrote: ``python -m tests.fuzz``."""
