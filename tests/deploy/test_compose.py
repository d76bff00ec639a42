"""The compose file, as far as reading it goes: what its services say of each other, of the image and of nginx."""

import re
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
import yaml

from app.settings import Settings, variable
from tests.deploy.test_image import instruction
from tests.nginx import TEMPLATE
from tests.server import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
NGINX = SERVICES["nginx"]
NETWORK = COMPOSE["networks"]["scale"]["ipam"]["config"][0]


def test_without_a_profile_it_is_one_server() -> None:
    assert [name for name, service in SERVICES.items() if "profiles" not in service] == ["gameboard"]
    assert SERVICES["gameboard"]["ports"] == ["8000:8000"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_no_rights_and_time_to_end(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert re.fullmatch(r"\d+s", service["stop_grace_period"])


@pytest.mark.parametrize("name", ["gameboard", "replica"])
def test_the_servers_share_a_secret_of_the_environment(name: str) -> None:
    environment = SERVICES[name]["environment"]
    assert environment["GAMEBOARD_SECRET"].startswith("${GAMEBOARD_SECRET:?")
    assert environment.keys() <= set(map(variable, Settings.model_fields))


@pytest.mark.parametrize("name", ["gameboard", "replica"])
def test_a_server_can_count_though_its_files_are_read_only(name: str) -> None:
    assert variable("metrics") in SERVICES[name]["environment"]
    assert [mount.split(":")[0] for mount in SERVICES[name]["tmpfs"]] == ["/tmp"]


def test_nginx_alone_is_public_of_the_scaled_ones_and_waits_for_the_others() -> None:
    replica = SERVICES["replica"]
    assert replica["profiles"] == NGINX["profiles"] == ["scale"]
    assert replica["deploy"]["replicas"] > 1
    assert "ports" not in replica
    assert NGINX["ports"] == ["${GAMEBOARD_SCALE_PORT:-8080}:8080"]
    assert NGINX["depends_on"] == {"replica": {"condition": "service_healthy"}}
    assert instruction("HEALTHCHECK")


def test_the_replicas_trust_the_address_of_nginx_which_none_of_them_can_have() -> None:
    address = NGINX["networks"]["scale"]["ipv4_address"]
    assert SERVICES["replica"]["environment"]["GAMEBOARD_TRUSTED_PROXIES"] == address
    assert SERVICES["replica"]["networks"] == ["scale"]
    assert ip_address(address) in ip_network(NETWORK["subnet"])
    assert ip_address(address) not in ip_network(NETWORK["ip_range"])
    assert ip_network(NETWORK["ip_range"]).subnet_of(ip_network(NETWORK["subnet"]))  # type: ignore[arg-type]


def test_nginx_gets_the_configuration_that_is_tested_and_all_of_its_variables() -> None:
    (mounted,) = NGINX["volumes"]
    source, target, mode = mounted.split(":")
    assert (ROOT / source).read_text(encoding="utf-8") == TEMPLATE
    assert (target, mode) == ("/etc/nginx/templates/nginx.conf.template", "ro")
    variables = NGINX["environment"]
    assert set(re.findall(r"\$\{(\w+)\}", TEMPLATE)) == variables.keys() - {"NGINX_ENVSUBST_OUTPUT_DIR"}
    folder = variables["NGINX_ENVSUBST_OUTPUT_DIR"]
    assert NGINX["command"] == ["nginx", "-p", folder, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;"]
    assert [mount.split(":")[0] for mount in NGINX["tmpfs"]] == [folder]
    assert f"server replica:{instruction('EXPOSE')} " in variables["SERVERS"]
    assert NGINX["ports"][0].endswith(f":{variables['LISTEN']}")
