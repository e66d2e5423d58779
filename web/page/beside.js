// A second pane beside the first: this page once more, in a frame of this origin, with models, view and text of its own. In step, its text
// and view are those of the first, so that two models stand beside each other; out of step, two versions of a test do.
import { byId, element } from "./dom.js";
import { openDivider } from "./divider.js";

const isPane = () => document.body.classList.contains("pane");
let page, other, frame; // other: what the second pane was last asked

const tell = (target, message) => target?.postMessage({ crashlit: message }, location.origin);

/** What the second pane is asked, for a link; its files only where they are its own. */
export function secondQuestion() {
  if (!frame || !other) return undefined;
  return byId("in-step").checked ? { ...other, files: undefined } : other;
}

/** Another text or view of the first pane. */
export function follow() {
  if (isPane()) tell(parent, { question: page.question() });
  else if (frame && byId("in-step").checked) tell(frame.contentWindow, { follow: { files: page.question().files, view: page.question().view, name: page.question().file } });
}

/** The reader has changed the second pane itself. */
export function leaveStep() {
  if (isPane()) tell(parent, { alone: true });
}

export function openSecond(fragment, inStep = true) {
  close();
  frame = element("iframe", { title: "a second pane", src: `${location.pathname}#${fragment}&pane` });
  byId("second").append(frame);
  byId("in-step").checked = inStep;
  set(true);
}

export function close() {
  frame?.remove();
  frame = other = undefined;
  set(false);
}

function set(visible) {
  byId("second").hidden = !visible;
  document.body.classList.toggle("two", visible);
  byId("beside").setAttribute("aria-expanded", String(visible));
}

function hear({ source, origin, data }) {
  if (origin !== location.origin || !data?.crashlit) return;
  const { question, alone, follow: wanted } = data.crashlit;
  if (isPane() && source === parent && wanted) page.take(wanted);
  if (!frame || source !== frame.contentWindow) return;
  if (question) other = question;
  if (alone) byId("in-step").checked = false;
}

/** `given`: question, fragment (a link to it), take. */
export function openBeside(given) {
  page = given;
  openDivider(byId("divider"), document.body, "--first");
  byId("beside").onclick = async () => (frame ? close() : openSecond(await page.fragment()));
  byId("in-step").onchange = follow;
  byId("second-close").onclick = () => { close(); byId("beside").focus(); };
  addEventListener("message", hear);
}
