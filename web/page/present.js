// One view, large, dark on light: for a lecture. Arrow keys, and the keys of a presenter, lead through it: steps of what moves and parts of
// a view first, then the next view; the test itself comes before the first.
import { byId, element } from "./dom.js";
import { repaint } from "./picture.js";

const FORTH = ["ArrowRight", "PageDown"], BACK = ["ArrowLeft", "PageUp"];

let page, at = -1, part = 0; // at: the view by its number, -1 is the test

const isOn = () => document.documentElement.classList.contains("presenting");
const parts = () => Array.from(byId("view").querySelectorAll(":scope > .why, :scope > .filling"));

function showPart(number) {
  part = number;
  for (const [i, one] of parts().entries()) one.hidden = i !== part;
  scrollTo(0, 0);
}

// A player takes the key as if it had come to it, and says by its place whether it moved.
function stepped(key) {
  const player = byId("view").querySelector(":scope > .player"), place = player?.querySelector(".place"), before = place?.textContent;
  if (at < 0 || !place) return false;
  player.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  return place.textContent !== before;
}

function turn(by) {
  const count = at < 0 ? 0 : parts().length, views = page.views();
  if (stepped(by > 0 ? "ArrowRight" : "ArrowLeft")) return;
  if (part + by >= 0 && part + by < count) return showPart(part + by);
  if (at + by >= -1 && at + by < views.length) go(at + by);
}

function go(number) {
  at = number;
  part = 0;
  document.documentElement.classList.toggle("showing-test", at < 0);
  if (at >= 0) page.setView(page.views()[at]);
  say();
}

function say() {
  byId("present-place").textContent = at < 0 ? "The test" : page.title(page.views()[at]);
}

function set(on) {
  document.documentElement.classList.toggle("presenting", on);
  document.documentElement.classList.toggle("showing-test", false);
  byId("present-bar").hidden = !on;
  repaint();
  for (const one of parts()) one.hidden = false;
  if (!on) return byId("present").focus();
  at = page.views().indexOf(page.view());
  showPart(0);
  say();
  byId("present-bar").focus();
}

function key(event) {
  if (!isOn() || !event.isTrusted || event.altKey || event.ctrlKey || event.metaKey) return;
  const inText = event.composedPath()[0].matches?.("input, textarea, select, [contenteditable=true]");
  if (event.key === "Escape") set(false);
  else if (!inText && FORTH.includes(event.key)) turn(1);
  else if (!inText && BACK.includes(event.key)) turn(-1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Of an answer that has just come: its first part alone, in a presentation. */
export const presentAnswer = () => isOn() && showPart(0);

/** `given`: views, view, setView, title. */
export function openPresent(given) {
  page = given;
  const button = (label, sign, onclick) => element("button", { type: "button", ariaLabel: label, title: label, onclick }, sign);
  byId("present-bar").append(
    button("back", "‹", () => turn(-1)), element("span", { id: "present-place" }), button("on", "›", () => turn(1)), button("leave the presentation", "× Esc", () => set(false)));
  byId("present").onclick = () => set(true);
  addEventListener("keydown", key, true);
}
