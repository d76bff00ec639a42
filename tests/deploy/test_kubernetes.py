"""The manifest for Kubernetes: each document against its schema, and what one of them names in another."""

import copy
from collections.abc import Callable
from typing import Any

import kubernetes_validate
import pytest
import yaml

from app.settings import Settings, WrongSetting, load, variable
from tests.client import Client
from tests.deploy.test_image import instruction
from tests.server import ROOT

Document = dict[str, Any]

VERSION = "1.30"
"""The oldest Kubernetes that the manifest is held to."""

DOCUMENTS: dict[str, Document] = {
    document["kind"]: document
    for document in yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8"))
}
POD: Document = DOCUMENTS["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]
PROBES = ("startupProbe", "readinessProbe", "livenessProbe")


def valid(document: Document) -> None:
    kubernetes_validate.validate(document, VERSION, strict=True)


def test_it_has_what_a_deployment_needs() -> None:
    assert list(DOCUMENTS) == ["Secret", "Deployment", "Service", "HorizontalPodAutoscaler", "PodDisruptionBudget"]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_is_valid(kind: str) -> None:
    valid(DOCUMENTS[kind])


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [
        ("Secret", lambda secret: secret.update(stringdata={})),
        ("Deployment", lambda deployment: deployment["spec"].pop("selector")),
        ("Deployment", lambda deployment: deployment["spec"]["template"]["spec"]["containers"][0].update(port=8000)),
        ("Service", lambda service: service["spec"]["ports"][0].update(port="http")),
        ("HorizontalPodAutoscaler", lambda scaler: scaler["spec"].pop("maxReplicas")),
        ("PodDisruptionBudget", lambda budget: budget["spec"].update(minAvailable=[1])),
    ],
)
def test_a_spoilt_document_is_not(kind: str, spoil: Callable[[Document], object]) -> None:
    document = copy.deepcopy(DOCUMENTS[kind])
    spoil(document)
    with pytest.raises(kubernetes_validate.ValidationError):
        valid(document)


def test_selectors_meet_the_pods() -> None:
    labels = POD["metadata"]["labels"]
    for kind, selector in (
        ("Deployment", DOCUMENTS["Deployment"]["spec"]["selector"]["matchLabels"]),
        ("Service", DOCUMENTS["Service"]["spec"]["selector"]),
        ("PodDisruptionBudget", DOCUMENTS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]),
    ):
        assert selector, kind
        assert selector.items() <= labels.items(), kind


def test_the_selector_of_its_first_lines_leaves_out_the_secret_only() -> None:
    chosen = [
        kind for kind, document in DOCUMENTS.items() if document["metadata"].get("labels") == {"app": "gameboard"}
    ]
    assert [*chosen, "Secret"] == [*list(DOCUMENTS)[1:], "Secret"]


def test_the_service_and_the_probes_reach_the_port_of_the_image(client: Client) -> None:
    (port,) = CONTAINER["ports"]
    assert instruction("EXPOSE") == str(port["containerPort"])
    assert [entry["targetPort"] for entry in DOCUMENTS["Service"]["spec"]["ports"]] == [port["name"]]
    for probe in PROBES:
        assert CONTAINER[probe]["httpGet"]["port"] == port["name"]
        assert client.get(CONTAINER[probe]["httpGet"]["path"]).json()["ok"] is True


def test_its_variables_are_settings_and_come_from_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = CONTAINER["env"]
    assert entry["name"] == variable("secret")
    assert entry["name"] in map(variable, Settings.model_fields)
    named, secret = entry["valueFrom"]["secretKeyRef"], DOCUMENTS["Secret"]
    assert named["name"] == secret["metadata"]["name"]
    monkeypatch.setenv(entry["name"], secret["stringData"][named["key"]])
    with pytest.raises(WrongSetting, match="needs at least 32"):
        load()


def test_the_scaler_has_the_deployment_and_its_number_of_pods() -> None:
    deployment, scaler = DOCUMENTS["Deployment"], DOCUMENTS["HorizontalPodAutoscaler"]["spec"]
    assert scaler["scaleTargetRef"] == {
        "apiVersion": deployment["apiVersion"],
        "kind": "Deployment",
        "name": deployment["metadata"]["name"],
    }
    assert scaler["minReplicas"] > DOCUMENTS["PodDisruptionBudget"]["spec"]["minAvailable"]
    assert "replicas" not in deployment["spec"], "every apply would undo what the scaler did"
    assert CONTAINER["resources"]["requests"]["cpu"], "the scaler's percentage is one of this"


def test_a_pod_has_no_rights_and_no_strange_variables() -> None:
    spec = POD["spec"]
    user = f"{spec['securityContext']['runAsUser']}:{spec['securityContext']['runAsGroup']}"
    assert user == instruction("USER")
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_a_pod_has_the_time_that_its_end_takes() -> None:
    waits = int(CONTAINER["lifecycle"]["preStop"]["exec"]["command"][1])
    assert waits < POD["spec"]["terminationGracePeriodSeconds"]


def test_a_pod_can_count_though_its_files_are_read_only() -> None:
    (mount,) = CONTAINER["volumeMounts"]
    (volume,) = POD["spec"]["volumes"]
    assert mount == {"name": volume["name"], "mountPath": "/tmp"}
    assert volume["emptyDir"]["sizeLimit"]
