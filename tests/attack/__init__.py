"""Attacks: schemathesis on the OpenAPI document, and fuzzers of whatever reads what a stranger wrote."""
