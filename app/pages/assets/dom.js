/** Elements made in one expression. What is null or false is left out. */

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function html(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false));
  return element;
}

/** A group that can be pressed, for the keyboard and for those who listen too; a mere group where nobody plays. */
export function control(label, attributes, ...children) {
  const pressed = label === null ? {} : { role: "button", tabindex: 0, "aria-label": label };
  return svg("g", { ...attributes, ...pressed }, ...children);
}

/** Put an element at a point, with whatever motion its style gives to a change of `transform`. */
export function put(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/** Shake an element once: this is what was refused. */
export function shake(element) {
  element?.classList.remove("shaken");
  element?.getBoundingClientRect(); // so that a class that comes back moves again
  element?.classList.add("shaken");
}

/** A point of the screen in the units of a drawing. */
export function pointIn(drawing, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
}

/** Whether who looks at this asked for less motion. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
