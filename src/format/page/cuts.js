// The crash slider: an execution of `--format cuts`, its events in order, the crash between any two, and what memory holds then.
// Each cut that it shows is in the record; a switch leads to the cut that the record names.
import { make, mover, sayState } from "./player.js";

const sayAccess = ({ thread, recovery, line, access, value, from }) => {
  const held = value === undefined ? "" : from ? ` reads ${value}${from.line ? ` from P${from.thread}, line ${from.line}` : ", the initial value"}` : ` = ${value}`;
  return { who: thread === null ? "" : `${recovery ? "recovery " : ""}P${thread}`, line, what: `${access}${held}` };
};

const FATES = {
  durable: "✓ durable", lost: "✗ lost", volatile: "· executed, in no NVM", ahead: "○ not yet executed",
};

function fateOf(event, number, cut) {
  if (number >= cut.place) return "ahead";
  if (!event.persists) return "volatile";
  return cut.durable.includes(number) ? "durable" : "lost";
}

function recoverySteps({ state, steps }, i, count) {
  return make("section", {},
    make("h5", {}, `${count > 1 ? `End ${i + 1} of ${count}: r` : "R"}ecovery leaves ${sayState(state)}`),
    make("ol", {}, ...steps.map((step) => {
      const { who, line, what } = sayAccess(step);
      return make("li", {}, `${who}, line ${line}: ${what}`);
    })));
}

function recoveryFrom(record, cut) {
  if (!record.recoveries) return [];
  if (cut.recovery === undefined) return [make("p", {}, "Recovery from here is not in the record: there are too many states.")];
  const { runs, doubt } = record.recoveries[cut.recovery];
  return [...runs.map((run, i) => recoverySteps(run, i, runs.length)), doubt && make("p", {}, `${runs.length ? "There may be other ends" : "No end"}: ${doubt}.`)].filter(Boolean);
}

/** The slider of one record in `root`; `line` is told the line of the event before the crash, `moved` what is shown: the `place` of
 * the crash and the numbers of the events that are `durable`, if any crash comes there. Returns what goes to such a cut, and says
 * whether there is one. */
export function showCuts(root, record, { line = () => {}, moved = () => {} } = {}) {
  root.className = "player cuts";
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "crash slider");
  const { events, places, cuts } = record;
  const warning = record.undefined ? [make("p", { class: "small" }, "The behaviour of this test is undefined: anything may happen. These are the crash cuts of one of its executions alone.")] : [];
  const table = make("tbody"), state = make("p", { class: "leaves", "aria-live": "polite" }), choices = make("p", { class: "small" }), after = make("div", { class: "after" });
  let chosen;

  function row(event, number, cut) {
    const fate = cut ? fateOf(event, number, cut) : number < move.where() ? "volatile" : "ahead";
    const { who, line: at, what } = sayAccess(event);
    const to = cut?.switches.find((one) => one.event === number)?.cut;
    const box = to !== undefined && make("button", {
      type: "button", role: "switch", class: "switch", "aria-checked": String(fate === "durable"), "aria-label": `${what} of ${who}, line ${at}: durable`, "data-event": number,
      onclick: () => { choose(to); table.querySelector(`[data-event="${number}"]`)?.focus(); },
    }, fate === "durable" ? "make it lost" : "make it durable");
    const words = !cut && number < move.where() ? "executed" : FATES[fate];
    return make("tr", { class: fate }, make("td", {}, `${number + 1}`), make("td", {}, who), make("td", {}, `${at ?? ""}`), make("td", {}, what), make("td", { class: "fate" }, words), make("td", {}, box));
  }
  const crashRow = (place) => make("tr", { class: "crash" }, make("td", { colspan: 6 }, `⚡ power fails here, after ${place} of ${events.length}`));

  function choose(number) {
    chosen = number;
    const cut = cuts[number], place = move.where();
    moved({ place, durable: cut?.durable });
    table.replaceChildren(...events.slice(0, place).map((event, i) => row(event, i, cut)), crashRow(place), ...events.slice(place).map((event, i) => row(event, place + i, cut)));
    const { first, count, all } = places[place];
    if (!cut) {
      state.textContent = "No crash comes just here: what stands beside this executes together, or the test crashes elsewhere.";
      choices.textContent = "";
      after.replaceChildren();
      return;
    }
    state.textContent = `Memory holds: ${sayState(cut.state)}`;
    choices.textContent = `${count === 1 ? "Nothing is left open here" : `Choice ${number - first + 1} of ${count}${all ? "" : " or more; the rest is not listed"}`}: every choice is a crash cut that the model allows.`;
    after.replaceChildren(...recoveryFrom(record, cut));
  }
  const turn = (by) => () => {
    const { first, count } = places[move.where()];
    if (count) choose(first + ((chosen - first + by + count) % count));
  };
  const move = mover(root, {
    count: places.length, at: 0, name: "where the power fails", say: (at) => `crash after ${at} of ${events.length} events`,
    show: (at) => { choose(places[at].start); line(events[at - 1]?.line ?? 0); },
    keys: { ArrowDown: turn(1), ArrowUp: turn(-1) },
    extra: [make("button", { type: "button", class: "other", title: "keys up and down", onclick: turn(1) }, "next choice")],
  });
  root.replaceChildren(
    make("p", { class: "title" }, `${record.execution || "An execution"}, under ${record.model} + ${record.persistency}`), ...warning, move.bar, state, choices,
    make("div", { class: "scroll", tabindex: 0, "aria-label": "events" }, make("table", { class: "events" }, make("thead", {}, make("tr", {}, ...["#", "who", "line", "event", "at the crash", "choice"].map((name) => make("th", { scope: "col" }, name)))), table)), after);
  move.go(record.shown === undefined ? places.length - 1 : cuts[record.shown].place);
  if (record.shown !== undefined) choose(record.shown);
  return ({ place, durable }) => {
    const same = (cut) => cut.place === place && cut.durable.join() === durable.join();
    const number = durable ? cuts.findIndex(same) : places[place]?.start;
    if (!(place < places.length) || (durable ? number < 0 : number !== undefined)) return false;
    move.go(place);
    if (durable) choose(number);
    return true;
  };
}
