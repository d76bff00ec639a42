"""How a person plays: what is pressed, dragged or tapped on the page for each action, and what the page then shows."""

import json
from typing import Any, Literal

from playwright.sync_api import Locator, Page

How = Literal["mouse", "keyboard", "touch"]

ARROWS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}


def ready(page: Page) -> None:
    """Wait until the run of the address is there."""
    page.wait_for_function("() => document.querySelector('#moves [aria-current]') !== null")


def answer(page: Page) -> dict[str, Any]:
    """The answer that is unfolded beside the board."""
    page.evaluate("document.querySelector('#json').open = true")
    page.wait_for_function("() => document.querySelector('#json pre').textContent !== ''")
    shown: dict[str, Any] = json.loads(page.evaluate("document.querySelector('#json pre').textContent"))
    return shown


def count(page: Page) -> int:
    """How many moves led to the position that is shown."""
    return int(page.evaluate("document.querySelector('#moves [aria-current] .count').textContent"))


def act(page: Page, action: dict[str, Any], how: How) -> None:
    """Play an action with the hands, and wait until the page shows where it led."""
    before = count(page)
    do(page, action, how)
    shows(page, before + 1)


def shows(page: Page, moves: int) -> None:
    """Wait until the page shows the position after so many moves."""
    page.wait_for_function(
        "moves => document.querySelector('#moves [aria-current] .count')?.textContent === moves", arg=str(moves)
    )


def do(page: Page, action: dict[str, Any], how: How) -> None:
    if how == "keyboard":
        return _press(page, action)
    point = page.touchscreen.tap if how == "touch" else page.mouse.click
    match action:
        case {"type": "MOVE" | "pour", "from": start, "to": end}:
            here, there = _place(page, start), _place(page, end)
            if how == "touch" or count(page) % 2:
                point(*here)
                point(*there)
            else:
                _drag(page, [here, there])
        case {"type": "fill" | "empty" as kind, "vessel": vessel}:
            point(*middle(page, f'[data-tap="{kind}-{vessel}"]'))
        case {"type": "step"}:
            point(*plot(page, *_target(page, action["direction"])))
        case _:
            _command(page, action).click()
    return None


def plot(page: Page, row: int, col: int) -> tuple[float, float]:
    """Where a plot of Sumi Steps is on the screen."""
    cols = answer(page)["state"]["cols"]
    return middle(page, ".sumi-steps .plot", row * cols + col)


def drag(page: Page, plots: list[tuple[int, int]]) -> None:
    """Draw through these plots of Sumi Steps with the mouse."""
    _drag(page, [plot(page, *each) for each in plots])


def _press(page: Page, action: dict[str, Any]) -> None:
    keys = page.keyboard
    match action:
        case {"type": "MOVE", "from": start, "to": end}:
            page.locator("#board").focus()
            if count(page) % 2:
                keys.press(str(start))
                keys.press(str(end))
            else:
                _walk(page, start)
                keys.press("Enter")
                _walk(page, end)
                keys.press("Enter")
        case {"type": "pour", "from": start, "to": end}:
            page.locator("#board").focus()
            keys.press("abc"[start])
            keys.press("abc"[end])
        case {"type": "fill" | "empty" as kind, "vessel": vessel}:
            page.locator("#board").focus()
            _walk(page, vessel)
            keys.press({"fill": "f", "empty": "e"}[kind])
        case {"type": "step", "direction": direction}:
            keys.press(ARROWS[direction])
        case _:
            _command(page, action).focus()
            keys.press("Enter")


def _walk(page: Page, place: int) -> None:
    """Go to a rock or a vessel with the arrows."""
    page.keyboard.press("ArrowRight")
    here = page.evaluate("Number(document.activeElement.dataset.place)")
    for _ in range(abs(place - here)):
        page.keyboard.press("ArrowRight" if place > here else "ArrowLeft")
    assert page.evaluate("Number(document.activeElement.dataset.place)") == place


def _command(page: Page, action: dict[str, Any]) -> Locator:
    return page.locator(f"#commands [data-action='{json.dumps(action, separators=(',', ':'))}']")


def _place(page: Page, place: int) -> tuple[float, float]:
    return middle(page, f'[data-place="{place}"]')


def _target(page: Page, direction: str) -> tuple[int, int]:
    head = answer(page)["state"]["stroke"][-1]
    down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[direction]
    return head["row"] + down, head["col"] + right


_MIDDLE = """([selector, index]) => {
  const element = document.querySelectorAll(selector)[index];
  element.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def middle(page: Page, selector: str, index: int = 0) -> tuple[float, float]:
    """Where the middle of an element is on the screen, once it is brought into view."""
    x, y = page.evaluate(_MIDDLE, [selector, index])
    return x, y


def _drag(page: Page, points: list[tuple[float, float]]) -> None:
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()
