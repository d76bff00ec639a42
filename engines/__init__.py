"""The games, pure: no clock, no network, no framework, no randomness but their own."""
