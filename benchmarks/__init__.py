"""Benchmarks: each compares, in one run, with a named floor or peer. Absolute times say little on shared machines."""
