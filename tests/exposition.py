"""What is told at ``/metrics``, read by the parser of Prometheus' own library."""

from typing import TypeAlias

from prometheus_client.parser import text_string_to_metric_families

Samples: TypeAlias = dict[tuple[str, ...], float]


def samples(text: str, name: str) -> Samples:
    """The samples of a name, by the values of their labels in the order of the labels' names."""
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == name:
                key = tuple(value for _, value in sorted(sample.labels.items()))
                assert key not in found
                found[key] = sample.value
    return found
