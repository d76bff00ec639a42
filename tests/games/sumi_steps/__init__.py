"""Tests of Sumi Steps."""
