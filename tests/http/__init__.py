"""Tests of the contract over HTTP."""
