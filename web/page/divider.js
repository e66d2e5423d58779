// A divider between two panes, moved by pointer and by arrow keys.
const LEAST = 20, MOST = 80, STEP = 5;

/** `divider` parts `whole`, whose `property` is the part of what stands before it, in percent. */
export function openDivider(divider, whole, property) {
  let at = 50;
  const set = (to) => {
    at = Math.round(Math.min(MOST, Math.max(LEAST, to)));
    whole.style.setProperty(property, `${at}`);
    divider.setAttribute("aria-valuenow", String(at));
  };
  for (const [name, value] of Object.entries({ role: "separator", "aria-orientation": "vertical", "aria-valuemin": LEAST, "aria-valuemax": MOST, tabindex: 0 })) divider.setAttribute(name, value);
  divider.onkeydown = ({ key }) => {
    const to = { ArrowLeft: at - STEP, ArrowRight: at + STEP, Home: LEAST, End: MOST }[key];
    if (to === undefined) return;
    set(to);
  };
  divider.onpointerdown = (event) => {
    divider.setPointerCapture(event.pointerId);
    document.body.classList.add("dragging"); // a frame would take the pointer
  };
  divider.onpointermove = (event) => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const { left, width } = whole.getBoundingClientRect();
    set(((event.clientX - left) / width) * 100);
  };
  divider.onlostpointercapture = () => document.body.classList.remove("dragging");
  set(at);
}
