"""Tests of Dewspout."""
