"""Tests of what is shipped and started: servers, README, wheel, image."""
