"""A run is a thing: looked at from any side, branched, shared, replayed, taken away."""

import base64
import json
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from gameboard.agents.sumi_steps import solve
from tests.browser.conftest import Visitor
from tests.browser.hands import act, answer, count, do, middle, plot, ready, shows
from tests.server import ROOT

FILL, POUR, NEXT = (
    {"type": "fill", "vessel": 1},
    {"type": "pour", "from": 1, "to": 2},
    {"type": "next"},
)
EMPTY_A = {"type": "empty", "vessel": 0}
MOVES = "#moves .move"


def jsonl(*entries: Any) -> str:
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def watch(page: Page, text: str) -> None:
    """Paste a transcript and watch it."""
    if page.locator("#transcript").get_attribute("open") is None:
        page.locator("#transcript summary").click()
    page.locator("#lines").fill(text)
    page.locator("#watch").click()


def cleared(visitor: Visitor, **options: Any) -> Page:
    """A page that shows garden 1 of Dewspout cleared in two moves."""
    page = visitor.open("/play/dewspout?seed=7", **options)
    ready(page)
    act(page, FILL, "mouse")
    act(page, POUR, "mouse")
    return page


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_a_refusal_is_shown_and_read_out_and_changes_nothing(visitor: Visitor, how: Any) -> None:
    page = visitor.open("/play/dewspout?seed=7", reduced_motion="no-preference")
    ready(page)
    told = page.locator("#told")
    expect(told).to_have_attribute("role", "status")  # which is read out politely
    do(page, EMPTY_A, how)
    expect(told).to_have_class("told refusal")
    expect(told).to_contain_text("Vessel A")
    assert count(page) == 0
    assert page.evaluate("document.querySelectorAll('.shaken').length") > 0
    do(page, NEXT, how)
    expect(told).to_contain_text("Garden 1 is not cleared")
    act(page, FILL, how)
    expect(told).to_have_class("told ")


def test_an_illegal_move_of_a_turtle_and_of_the_ink_is_explained(visitor: Visitor) -> None:
    page = visitor.open("/play/baskmere?seed=7")
    ready(page)
    do(page, {"type": "MOVE", "from": 1, "to": 0}, "mouse")
    expect(page.locator("#told")).to_contain_text("Turtle 3")
    page = visitor.open("/play/sumi-steps?seed=7")
    ready(page)
    do(page, {"type": "step", "direction": "up"}, "keyboard")
    expect(page.locator("#told")).to_have_class("told refusal")
    expect(page.locator("#told")).to_contain_text("row 0")


def test_what_is_legal_lights_up(visitor: Visitor) -> None:
    page = visitor.open("/play/baskmere?seed=7")
    ready(page)
    page.locator("#board").focus()
    page.keyboard.press("0")
    expect(page.locator(".rock.chosen")).to_have_attribute("data-place", "0")
    legal = [action["to"] for action in answer(page)["legalActions"] if action.get("from") == 0]
    lit = page.locator(".rock.open").evaluate_all("rocks => rocks.map(rock => Number(rock.dataset.place))")
    assert lit == legal
    page.keyboard.press("Escape")
    expect(page.locator(".rock.chosen, .rock.open")).to_have_count(0)


def test_a_reload_and_a_shared_link_bring_the_run_back(visitor: Visitor) -> None:
    page = cleared(visitor)
    before = answer(page)
    page.wait_for_url("**/play/dewspout?seed=7#run=*")
    page.reload()
    ready(page)
    shows(page, 2)
    assert answer(page) == before
    page.locator(MOVES).nth(1).click()
    page.wait_for_url("**#run=*&at=1")
    other = visitor.open(page.url)
    ready(other)
    shows(other, 1)
    expect(other.locator(MOVES)).to_have_count(3)
    assert answer(other) == answer(page)


def test_the_link_is_copied(visitor: Visitor) -> None:
    page = cleared(visitor, permissions=["clipboard-read", "clipboard-write"])
    page.locator("#share").click()
    expect(page.locator("#shared")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def packed(actions: bytes) -> str:
    """As the README says: JSON, raw deflate, URL-safe base64."""
    deflate = zlib.compressobj(9, wbits=-15)
    return base64.urlsafe_b64encode(deflate.compress(actions) + deflate.flush()).decode().rstrip("=")


def test_the_readmes_program_writes_a_link(visitor: Visitor) -> None:
    *_, program = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    page = visitor.open(ran.stdout.strip())
    ready(page)
    shows(page, 2)
    assert answer(page)["score"] == 270


def test_a_link_that_holds_no_run_is_told(visitor: Visitor) -> None:
    page = visitor.open("/play/dewspout?seed=7")
    ready(page)
    for run in ("nonsense", "AAAA", packed(b'{"a": 1}'), packed(b"[1, 2"), "%"):
        act(page, FILL, "mouse")
        page.evaluate("run => { location.hash = `run=${run}`; }", run)
        shows(page, 0)
        expect(page.locator("#told")).to_have_text("The address holds a run that cannot be read. Here is a new one.")


def test_a_bomb_in_a_link_is_not_unpacked(visitor: Visitor) -> None:
    page = visitor.open(f"/play/dewspout?seed=7#run={packed(b'[' + b' ' * (1 << 27) + b']')}")
    ready(page)
    expect(page.locator("#told")).to_contain_text("cannot be read")


def test_a_wrong_seed_is_the_servers_to_refuse(visitor: Visitor) -> None:
    page = visitor.open("/play/dewspout?seed=4294967296")
    expect(page.locator("#told")).to_have_class("told failure")
    expect(page.locator("#told")).to_contain_text("4294967295")
    visitor.wrong.remove(next(entry for entry in visitor.wrong if "400" in entry))  # the browser's own note of it


def test_without_a_seed_the_page_remembers_the_one_that_was_drawn(visitor: Visitor) -> None:
    page = visitor.open("/play/baskmere")
    ready(page)
    page.wait_for_url("**/play/baskmere?seed=*")
    assert int(page.url.rpartition("=")[2]) == answer(page)["seed"]
    page.locator("#seed").fill("7")
    page.locator("#seed").press("Enter")
    page.wait_for_url("**/play/baskmere?seed=7")
    ready(page)
    assert answer(page)["seed"] == 7


def test_any_position_can_be_looked_at_and_played_on(visitor: Visitor) -> None:
    page = cleared(visitor)
    first = page.get_by_role("button", name="First position")
    first.click()
    shows(page, 0)
    expect(page.locator("#where")).to_have_text("Position 0 of 2. Play on from here to take another way.")
    expect(first).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="One on").click()
    shows(page, 1)
    act(page, {"type": "fill", "vessel": 0}, "mouse")
    assert answer(page)["state"]["amounts"] == [3, 5, 0]
    labels = page.locator("#moves .label")
    expect(labels).to_have_text(["Start", "Fill B", "Fill A"])
    ways = page.locator("#moves .ways:visible")
    expect(ways).to_have_text("way 2 of 2")
    ways.click()
    expect(labels).to_have_text(["Start", "Fill B", "B → C"])
    assert answer(page)["score"] == 270
    expect(page.locator("#moves .ways:visible")).to_have_text("way 1 of 2")
    page.get_by_role("button", name="One back").click()
    act(page, {"type": "fill", "vessel": 0}, "mouse")  # the way that is there already
    expect(page.locator("#moves .ways:visible")).to_have_text("way 2 of 2")


NONSENSE: list[Any] = [
    "nonsense",
    None,
    [],
    {},
    {"type": "constructor"},
    {"type": "fill", "vessel": "map"},
    {"type": "pour", "from": "length", "to": None},
    {"type": {"a": 1}},
    json.loads('{"__proto__": 1}'),
    json.loads("[" * 200 + "]" * 200),
]


def test_a_transcript_is_watched_move_by_move(visitor: Visitor) -> None:
    """Refused actions are part of what an agent did; answers in between are passed over."""
    page = visitor.open("/play/baskmere?seed=1")
    ready(page)
    watch(
        page,
        jsonl(
            {"game": "dewspout", "seed": 7},
            {"action": FILL, "ok": True, "note": "a step"},
            {"ok": True, "score": 0},
            EMPTY_A,
            *({"action": action} for action in NONSENSE),
            {"action": POUR},
            {"action": NEXT},
        ).replace("{", "\ufeff{", 1),
    )
    page.wait_for_url("**/play/dewspout?seed=7#run=*")
    ready(page)
    expect(page.locator(MOVES)).to_have_count(5 + len(NONSENSE))
    page.locator("#player select").select_option("4")
    shows(page, 2)
    expect(page.locator("#told")).to_have_class("told refusal")
    page.get_by_role("button", name="Pause").click()
    here = count(page)
    page.wait_for_timeout(400)
    assert count(page) == here
    page.locator("#player select").select_option("16")
    page.get_by_role("button", name="Play", exact=True).click()
    shows(page, 4 + len(NONSENSE))
    expect(page.locator("#moves .move.refused")).to_have_count(1 + len(NONSENSE))
    for label in page.locator("#moves .label").all_text_contents():
        assert "undefined" not in label
        assert "function" not in label
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    assert answer(page)["state"]["garden"] == 2
    assert answer(page)["score"] == 270


def test_a_transcript_is_dropped_or_chosen_as_a_file(visitor: Visitor, lines: Path) -> None:
    text = jsonl({"seed": 7}, {"action": FILL}, {"action": POUR})
    page = visitor.open("/play/dewspout?seed=7")
    ready(page)
    page.evaluate(
        """text => {
          const files = new DataTransfer();
          files.items.add(new File([text], "run.jsonl"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    expect(page.locator(MOVES)).to_have_count(3)
    lines.write_text(json.dumps({"seed": 7, "actions": [FILL]}))
    page.locator("#transcript summary").click()
    page.locator("#file").set_input_files(lines)
    expect(page.locator(MOVES)).to_have_count(2)


UNREADABLE = [
    ("", "There is no action in it."),
    ('{"seed": 7}\n', "There is no action in it."),
    ('{"action": {"type": "next"}}\nnot json\n', "Line 2 is no JSON object."),
    ('{"action": {"type": "next"}}\n[1]\n', "Line 2 is no JSON object."),
    ('[{"type": "next"}, 3]', "Entry 2 is no JSON object."),
    ('{"move": 3}\n{"action": {"type": "next"}}', 'Line 1 has neither an "action" nor a "seed".'),
    ('{"game": "chess", "actions": [1]}', 'It is of the game "chess", which is not played here.'),
    (json.dumps([{"type": "next"}] * 10_001), "It has 10001 actions;"),
    (json.dumps({"actions": ["x" * (1 << 20)]}), "It has 1 actions;"),
    (json.dumps({"actions": [0] * 200_000}), "It has 200000 actions;"),
    (jsonl({"seed": 7}, FILL, {"seed": 8}, FILL), "Line 3 begins another run, of seed 8"),
    (jsonl({"game": "dewspout"}, FILL, {"game": "baskmere"}), 'Line 3 begins another run, of game "baskmere"'),
]


def test_a_transcript_that_cannot_be_read_is_told_where(visitor: Visitor) -> None:
    page = visitor.open("/play/dewspout?seed=7")
    ready(page)
    for text, reason in UNREADABLE:
        watch(page, text)
        expect(page.locator("#unread")).to_contain_text(reason)
    assert count(page) == 0


def test_a_saved_transcript_is_one_that_can_be_watched(visitor: Visitor) -> None:
    page = cleared(visitor)
    with page.expect_download() as saving:
        page.locator("#save").click()
    assert saving.value.suggested_filename == "dewspout-7.jsonl"
    text = Path(saving.value.path()).read_text()
    assert text == jsonl({"game": "dewspout", "seed": 7}, {"action": FILL}, {"action": POUR}).replace(
        ": ", ":"
    ).replace(", ", ",")
    other = visitor.open("/play/sumi-steps?seed=1")
    ready(other)
    watch(other, text)
    other.wait_for_url("**/play/dewspout?seed=7#run=*")
    expect(other.locator(MOVES)).to_have_count(3)


def test_a_server_that_is_silent_loses_nothing(visitor: Visitor) -> None:
    page = cleared(visitor)
    page.route("**/action", lambda route: route.abort())
    do(page, NEXT, "mouse")
    expect(page.locator("#told")).to_have_text("The server did not answer. Nothing is lost: try again.")
    page.unroute("**/action")
    act(page, NEXT, "mouse")
    assert answer(page)["state"]["garden"] == 2
    visitor.wrong[:] = [entry for entry in visitor.wrong if "ERR_FAILED" not in entry]


def test_keys_that_come_faster_than_answers_are_played_in_order(visitor: Visitor) -> None:
    page = visitor.open("/play/sumi-steps?seed=7")
    ready(page)
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    shows(page, 5)
    assert answer(page)["state"]["stroke"] == [{"row": 0, "col": 0}, {"row": 0, "col": 1}]
    assert answer(page)["state"]["undos"] == 2


def test_the_observation_is_beside_the_board(visitor: Visitor) -> None:
    page = cleared(visitor)
    page.locator("#observation summary").click()
    expect(page.locator("#observation pre")).to_contain_text("Cleared: this garden paid 270 points.")
    page.get_by_role("button", name="First position").click()
    expect(page.locator("#observation pre")).to_contain_text("Not at its target yet: C 0 -> 5.")


def test_a_tap_far_back_on_the_ink_wastes_nothing_and_one_out_of_line_is_explained(visitor: Visitor) -> None:
    page = visitor.open("/play/sumi-steps?seed=7")
    ready(page)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    shows(page, 3)
    page.mouse.click(*plot(page, 0, 0))
    page.mouse.click(*plot(page, 2, 1))
    expect(page.locator("#told")).to_contain_text("in the row or the column of the head")
    assert count(page) == 3
    page.mouse.click(*plot(page, 0, 2))
    shows(page, 4)
    assert answer(page)["state"]["undos"] == 1


def test_the_end_of_a_run_offers_another(visitor: Visitor) -> None:
    page = visitor.open("/play/dewspout?seed=7")
    ready(page)
    expect(page.locator("#over")).to_be_hidden()
    act(page, {"type": "bank"}, "keyboard")
    expect(page.locator("#over")).to_be_visible()
    do(page, FILL, "mouse")
    expect(page.locator("#told")).to_have_class("told refusal")
    page.get_by_role("link", name="Same seed again").click()
    shows(page, 0)
    assert answer(page)["state"]["phase"] == "playing"


def test_letters_and_digits_are_keys_at_once_and_after_a_new_pond(visitor: Visitor) -> None:
    page = visitor.open("/play/dewspout?seed=7")
    ready(page)
    for key in ("ArrowRight", "ArrowRight", "f", "b", "c", "n"):
        page.keyboard.press(key)
    shows(page, 3)
    expect(page.locator("#board")).to_be_focused()
    page.keyboard.press("f")
    shows(page, 4)
    assert answer(page)["state"]["amounts"] == [3, 0, 0]


def held(page: Page) -> list[Route]:
    """From now on the answers to actions are kept back, here."""
    kept: list[Route] = []
    page.route("**/action", lambda route: kept.append(route))
    return kept


def test_an_answer_belongs_to_the_position_that_asked(visitor: Visitor) -> None:
    page = cleared(visitor)
    kept = held(page)
    do(page, NEXT, "mouse")
    page.get_by_role("button", name="First position").click()
    shows(page, 0)
    page.wait_for_timeout(50)
    kept[0].continue_()
    expect(page.locator("#moves .label")).to_have_text(["Start", "Fill B", "B → C", "Next garden"])
    assert count(page) == 0
    page.get_by_role("button", name="Last position").click()
    assert answer(page)["state"]["garden"] == 2


def test_what_is_pressed_while_a_run_loads_does_nothing(visitor: Visitor) -> None:
    page = cleared(visitor)
    kept = held(page)
    page.evaluate("run => { location.hash = `run=${run}`; }", packed(json.dumps([FILL] * 3).encode()))
    page.wait_for_timeout(100)
    page.get_by_role("button", name="First position").click()
    page.locator(MOVES).nth(1).click()
    page.locator("#board").focus()
    for key in ("f", "a", "b", "n"):
        page.keyboard.press(key)
    do(page, {"type": "bank"}, "mouse")
    assert len(kept) == 1
    page.unroute("**/action")  # which lets them go on
    expect(page.locator("#moves .label")).to_have_text(["Start", "Fill B", "Fill B, refused", "Fill B, refused"])
    assert count(page) == 3


def test_a_run_that_loads_in_part_stays_whole_in_the_address(visitor: Visitor) -> None:
    actions = [FILL, POUR, NEXT, FILL]
    page = visitor.open("/docs/api")
    page.route(
        "**/action", lambda route: route.abort() if '"next"' in (route.request.post_data or "") else route.continue_()
    )
    address = f"/play/dewspout?seed=7#run={packed(json.dumps(actions).encode())}"
    page.goto(address)
    ready(page)
    expect(page.locator("#told")).to_contain_text("Only 2 of 4 actions were played.")
    page.wait_for_timeout(700)
    assert page.url.endswith(address)
    page.unroute("**/action")
    page.reload()
    shows(page, 4)
    visitor.wrong[:] = [entry for entry in visitor.wrong if "ERR_FAILED" not in entry]


def test_to_skip_to_the_content_keeps_the_run(visitor: Visitor) -> None:
    page = cleared(visitor)
    page.wait_for_url("**#run=*")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    assert "#run=" in page.url
    page.evaluate("location.hash = 'elsewhere'")
    page.wait_for_timeout(300)
    assert count(page) == 2


def test_the_keyboard_keeps_its_place_in_the_list_and_the_player(visitor: Visitor) -> None:
    page = cleared(visitor)
    page.locator(MOVES).nth(1).click()
    act(page, {"type": "fill", "vessel": 0}, "mouse")
    page.locator("#moves .ways:visible").focus()
    for text in ("way 1 of 2", "way 2 of 2"):
        page.keyboard.press("Enter")
        expect(page.locator("#moves .ways:focus")).to_have_text(text)
    page.get_by_role("button", name="One back").focus()
    for _ in range(4):
        page.keyboard.press("Enter")
    shows(page, 0)
    expect(page.get_by_role("button", name="One back")).to_be_focused()


def test_a_second_finger_ends_a_drag(visitor: Visitor) -> None:
    page = visitor.open("/play/baskmere?seed=7", has_touch=True)
    ready(page)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    rocks = [page.locator(f'[data-place="{rock}"]').bounding_box() for rock in range(3)]
    first, second, third = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in rocks if box]
    touch("touchStart", first)
    touch("touchStart", first, second)
    touch("touchMove", third, second)
    touch("touchEnd")
    page.wait_for_timeout(200)
    assert count(page) == 0
    expect(page.locator("#told")).to_have_class("told ")


def test_a_press_while_a_finished_garden_is_shown_only_opens_the_next(visitor: Visitor) -> None:
    page = visitor.open("/play/sumi-steps?seed=7")
    ready(page)
    state = answer(page)["state"]
    for direction in solve(state):
        act(page, {"type": "step", "direction": direction}, "keyboard")
    moves = count(page)
    expect(page.locator(".sumi-steps.complete .plot")).to_have_count(16)
    (head,) = answer(page)["state"]["stroke"]  # of the next garden: a press beside it would be a step there
    beside = head["row"] * 4 + (head["col"] - 1 if head["col"] else 1)
    page.mouse.click(*middle(page, ".sumi-steps .plot", beside))
    expect(page.locator(".sumi-steps .plot")).to_have_count(20)
    page.wait_for_timeout(200)
    assert count(page) == moves
    expect(page.locator("#told")).to_contain_text("Garden 1 is complete")


def test_without_a_run_nothing_can_be_shared(visitor: Visitor) -> None:
    page = visitor.open("/play/dewspout?seed=abc")
    expect(page.locator("#told")).to_have_class("told failure")
    expect(page.locator("#share")).to_be_disabled()
    expect(page.locator("#save")).to_be_disabled()
    watch(page, jsonl(FILL))
    expect(page.locator("#unread")).to_contain_text("It names no seed")
    visitor.wrong.remove(next(entry for entry in visitor.wrong if "400" in entry))


def test_an_answer_that_is_not_this_servers_is_none(visitor: Visitor) -> None:
    page = cleared(visitor)
    page.route("**/action", lambda route: route.fulfill(status=502, json={"message": "bad gateway"}))
    do(page, NEXT, "mouse")
    expect(page.locator("#told")).to_have_text("The server did not answer. Nothing is lost: try again.")
    visitor.wrong[:] = [entry for entry in visitor.wrong if "502" not in entry]
