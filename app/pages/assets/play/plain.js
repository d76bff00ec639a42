/** The board of a game that has none of its own: its observation, and a button for every action that takes a choice. */

import { html } from "../dom.js";

export const keys = [];

export const about = "Everything that is legal here is a button.";

export function name({ type, ...fields }) {
  return type && [type, ...Object.entries(fields).map(([field, value]) => `${field} ${value}`)].join(", ");
}

export function facts() {
  return [];
}

export function notes() {
  return [];
}

export function tell(report, _state, action) {
  const told = Object.entries(report).filter(([field]) => field !== "action");
  return [name(action), ...told.map(([field, value]) => `${field} ${JSON.stringify(value)}`)].join("; ");
}

export function board(host, play) {
  const text = html("pre", { class: "observation" });
  const choices = html("div", { class: "choices" });
  host.replaceChildren(text, choices);
  return {
    show({ observation, legalActions }) {
      text.textContent = observation;
      const chosen = [...choices.children].indexOf(document.activeElement);
      choices.replaceChildren(...(play ? legalActions.filter((action) => Object.keys(action).length > 1).map(choice) : []));
      choices.children[chosen]?.focus();
    },
    key: () => false,
    refused() {},
  };

  function choice(action) {
    const button = html("button", { type: "button" }, name(action));
    button.addEventListener("click", () => play(action));
    return button;
  }
}
