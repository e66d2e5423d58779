// The moving machine: a run of `trace --format json`, step by step. One source for the pages of the program and for the
// playground. It decides nothing: all that it shows is in the record. Strings of the record become text, never markup.

const PLAY_MS = 900;

/** An element of `name` with attributes, children and listeners (`on...`); a string is text. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null && child !== false && child !== ""));
  return made;
}

/** The records in JSON lines; a number that a double has no room for is kept as its digits. */
export function readRecords(text) {
  const whole = (line) => line.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}/g, (found) => (found.startsWith('"') ? found : `"${found}"`));
  return text.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(whole(line)));
}

/** "x=1; y=0": a state in a line. */
export const sayState = (state) => Object.entries(state ?? {}).map(([name, value]) => `${name}=${value ?? "-"}`).join("; ") || "nothing in NVM";

// ---- Moving through steps ----

/** A bar that moves through `count` places: buttons, a slider, the keys of `root`. `show` draws a place and says it in words. */
export function mover(root, { count, at = 0, name, say, show, keys = {}, extra = [] }) {
  let place = Math.min(at, count - 1), timer;
  const range = make("input", { type: "range", min: 0, max: count - 1, "aria-label": name, oninput: () => go(Number(range.value)) });
  const play = make("button", { type: "button", class: "play", onclick: () => (timer ? stop() : start()) });
  const button = (sign, label, to) => make("button", { type: "button", "aria-label": label, title: label, onclick: () => { stop(); go(to()); } }, sign);
  const number = make("output", { class: "place" });

  function stop() {
    clearInterval(timer);
    timer = undefined;
    setPlay();
  }
  function setPlay() {
    play.textContent = timer ? "pause" : "play";
    play.setAttribute("aria-label", timer ? "pause" : "play");
    play.title = timer ? "pause" : "play";
  }
  function start() {
    if (place === count - 1) go(0);
    timer = setInterval(() => {
      if (!root.isConnected || place >= count - 1) return stop();
      go(place + 1);
    }, PLAY_MS);
    setPlay();
  }
  function go(to) {
    place = Math.max(0, Math.min(count - 1, to));
    range.value = place;
    number.textContent = say(place);
    range.setAttribute("aria-valuetext", say(place));
    show(place);
  }
  function key(event) {
    const steps = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: count - 1 };
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.key in steps) {
      stop();
      go(steps[event.key]);
    } else if (event.key === " " && event.target === root) {
      if (timer) stop();
      else start();
    } else if (event.key in keys) {
      keys[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  }

  root.tabIndex = 0;
  root.addEventListener("keydown", key);
  setPlay();
  const bar = make("div", { class: "mover" },
    button("|◀", "to the start", () => 0), button("◀", "one back", () => place - 1), play,
    button("▶", "one on", () => place + 1), button("▶|", "to the end", () => count - 1), ...extra, range, number);
  return { bar, go, stop, where: () => place };
}

// ---- What a machine holds ----

const cellWords = ({ name, value, mark }) => `${name}\u00a0${value ?? "–"}${mark ?? ""}`;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function placeChip(cell, before) {
  const changed = before && !same(cell, before);
  return make("li", { class: `cell${cell.value === undefined ? " empty" : ""}${cell.mark ? " dirty" : ""}${changed ? " changed" : ""}` },
    changed && make("span", { class: "new", title: "changed in this step" }, "●"), cellWords(cell));
}

function queueChips(cells, before) {
  if (!cells.length) return [make("li", { class: "cell empty" }, "empty")];
  const old = (before?.cells ?? []).map(({ name }) => name);
  return cells.map(({ name }, i) => {
    const fresh = before && !old.includes(name);
    return make("li", { class: `cell entry${fresh ? " changed" : ""}` }, fresh && make("span", { class: "new", title: "came in this step" }, "●"), i === 0 ? `◂ ${name}` : name);
  });
}

function part(now, before, { last, lost }) {
  const chips = now.kind === "queue" ? queueChips(now.cells, before) : now.cells.map((cell, i) => placeChip(cell, before?.cells[i]));
  const about = last ? "survives" : lost ? "lost" : now.kind === "queue" ? "oldest first" : "";
  return make("section", { class: `part ${now.kind}${last ? " survives" : ""}${lost ? " lost" : ""}` },
    make("h5", {}, now.name, about && make("small", {}, ` ${about}`)), make("ul", {}, ...(chips.length ? chips : [make("li", { class: "cell empty" }, "nothing")])));
}

function workItem({ name, status, line, registers }, before, active, lost) {
  const values = Object.entries(registers).map(([register, value]) => make("li", { class: `cell${before && before.registers[register] !== value ? " changed" : ""}` }, `${register}\u00a0${value}`));
  return make("section", { class: `part thread${active ? " active" : ""}${lost ? " lost" : ""}` },
    make("h5", {}, active && "▸ ", name, make("small", {}, ` ${lost ? "lost" : status}${!lost && line ? `, line ${line}` : ""}`)), values.length > 0 && make("ul", {}, ...values));
}

// Parts in which nothing ever is are of no use to a reader, but for what survives.
function partsInUse(steps) {
  const used = steps[0].parts.map((_, i) => i === steps[0].parts.length - 1 || steps.some(({ parts }) => parts[i].cells.some((cell) => parts[i].kind === "queue" || cell.value !== undefined)));
  return used.flatMap((is, i) => (is ? [i] : []));
}

function board(steps, at, inUse, lost) {
  const step = steps[at], before = steps[at - 1], final = step.parts.length - 1;
  return make("div", { class: "board" },
    make("div", { class: "threads" }, ...step.threads.map((thread, i) => workItem(thread, before?.threads[i], step.actor === thread.name && at > 0, lost))),
    make("div", { class: "parts" }, ...inUse.map((i) => part(step.parts[i], before?.parts[i], { last: i === final, lost: lost && i !== final }))));
}

/** What a step does, in words. */
export function sayStep({ kind, actor, text, source, line }, number) {
  if (number === 0) return "Start";
  const what = source ? `${kind === "executes" ? "" : `${kind}: `}${source}${text ? ` (${text})` : ""}` : text;
  return `${actor}${line ? `, line ${line}` : ""}: ${what}`;
}

function recoveryOf(run, step, line) {
  if (step.recovery === undefined)
    return run.recoveries ? make("p", {}, "Recovery from here is not in the record: there are too many.") : make("p", {}, "This test has no recovery.");
  const recovery = run.recoveries[step.recovery];
  if (recovery.answer !== "found") return make("p", {}, recovery.answer === "never" ? "Recovery never comes to an end from here." : `Recovery from here is not known: ${recovery.doubt}.`);
  const inner = make("div", { class: "player inner", role: "group", "aria-label": "recovery" });
  playSteps(inner, recovery, { title: `Recovery, on the same machine: it leaves ${sayState(recovery.state)}`, powered: false, line });
  return inner;
}

// Steps of a run in `root`; `powered` has the crash as well.
function playSteps(root, run, { title, powered, line = () => {}, moved = () => {} }) {
  const { steps } = run, inUse = partsInUse(steps);
  const words = make("p", { class: "what", "aria-live": "polite" }), stage = make("div", {}), after = make("div", { class: "after", "aria-live": "polite" });
  let failed = false;
  const leaves = (i) => JSON.stringify(steps[i].leaves);
  const fail = make("button", { type: "button", class: "fail", "aria-pressed": "false", title: "key P", onclick: () => setFailed(!failed) }, "⚡ Power fails here");
  const next = make("button", { type: "button", class: "next", title: "to the next step after which a crash leaves something else", onclick: () => {
    let to = move.where() + 1;
    while (to < steps.length - 1 && leaves(to) === leaves(to - 1)) to++;
    move.stop();
    move.go(to);
  } }, "next change of what survives");

  function setFailed(is) {
    failed = is;
    fail.setAttribute("aria-pressed", String(is));
    draw(move.where());
  }
  function draw(at) {
    const step = steps[at];
    if (at !== shown) failed = false;
    shown = at;
    fail.disabled = !step.leaves;
    fail.setAttribute("aria-pressed", String(failed));
    words.textContent = sayStep(step, at);
    line(step.line ?? 0);
    stage.replaceChildren(board(steps, at, inUse, failed));
    moved({ place: at, failed });
    if (!powered) return;
    const here = step.leaves ? `If power fails here: ${sayState(step.leaves)}` : "The test has no crash here.";
    after.replaceChildren(make("p", { class: "leaves" }, failed ? `⚡ Power fails: ${sayState(step.leaves)}` : here), ...(failed ? [recoveryOf(run, step, line)] : []));
  }
  let shown = -1;
  const move = mover(root, {
    count: steps.length, name: "step of the run", say: (at) => `step ${at} of ${steps.length - 1}`, show: draw,
    keys: powered ? { p: () => steps[move.where()].leaves && setFailed(!failed), P: () => steps[move.where()].leaves && setFailed(!failed) } : {},
  });
  root.append(make("p", { class: "title" }, title), move.bar, ...(powered ? [make("div", { class: "mover" }, fail, next)] : []), words, stage, after);
  move.go(0);
  return ({ place, failed: off }) => {
    if (!(place < steps.length) || (off && !steps[place].leaves)) return false;
    move.go(place);
    if (off) setFailed(true);
    return true;
  };
}

/** The run of one record in `root`; `line` is told the line of the step that is shown, `moved` what is shown: the `place` among
 * the steps, and whether power `failed`. Returns what goes to such a place, and says whether there is one. */
export function showRun(root, run, { line, moved } = {}) {
  root.className = "player";
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", `run of ${run.machine}`);
  root.replaceChildren();
  if (run.answer === "found") {
    const shown = { crash: "to the crash state", final: "to the final state", recovered: "to a crash from which recovery leaves" };
    const title = `${run.machine}: ${shown[run.shows]} ${sayState(run.state)}`;
    return playSteps(root, run, { title, powered: true, line, moved });
  }
  root.append(make("p", { class: "title" }, sayNone(run)));
  return () => false;
}

/** What is said of a state that was not reached. */
export function sayNone({ machine, goal, answer, states, doubt, elsewhere, promised }) {
  if (answer !== "never") return `Not known: a state for ${goal} was not found in ${states} states of ${machine}; ${doubt}.`;
  const says = { allowed: "allows it", forbidden: "forbids it, too", undefined: "says that the test is undefined", unknown: "may allow it or not: it was not settled soon" };
  const model = promised ? ` ${promised.model} + ${promised.persistency}, which it promises, ${says[promised.answer]}.` : "";
  const never = `Never: ${machine} does not show a state for ${goal} in any of its ${states} states.${model}`;
  if (!elsewhere) return never;
  if (elsewhere.machine) return `${never} ${elsewhere.machine} shows it after ${elsewhere.steps} steps; it promises ${elsewhere.model} + ${elsewhere.persistency} as well.`;
  return `${never} ${elsewhere.known ? "Nor does any other built-in machine that promises the same." : "Whether another built-in machine does that promises the same is not known: a limit was met."}`;
}

/** Plays each record of a page, by what its class says; what stands beside it, for readers without a script, is folded away. */
export function playAll(page, players) {
  const folded = [];
  for (const record of page.querySelectorAll("script.record")) {
    const root = make("div"), [data] = readRecords(record.textContent);
    const kind = Object.keys(players).find((name) => record.classList.contains(name));
    const still = make("details", {}, make("summary", {}, "as a table"));
    still.append(...Array.from(record.parentElement.children).filter((child) => child !== record));
    record.parentElement.append(root, still);
    folded.push(still);
    players[kind](root, data);
  }
  // Paper does not move: it has the tables.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folded.filter((still) => !still.open);
    for (const still of opened) still.open = true;
  });
  addEventListener("afterprint", () => {
    for (const still of opened) still.open = false;
  });
}
