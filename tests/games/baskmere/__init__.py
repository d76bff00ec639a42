"""Tests of Baskmere."""
