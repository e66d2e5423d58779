// Why the states of a test are all there are: the cases of `explain --cases`, a tree to be folded.
import { element } from "./dom.js";
import { held, item, linked, list } from "./parts.js";
import { sayState } from "./player/player.js";

const FEW = 60, MOST = 2000;
const ENDINGS = { end: "ends", await: "waits for ever", barrier: "stops at a barrier", bound: "comes to the bound of a loop", fault: "comes to undefined behaviour" };

const sayEvent = ({ initial, thread, kind, line, nth, of }) => (initial === undefined ? `${thread}'s ${kind} at line ${line}${nth ? ` (${nth} of ${of})` : ""}` : `the initial W ${initial}`);

function sayPath({ thread, ending, events }) {
  const lines = events.filter(({ line }, i) => events.findIndex((event) => event.line === line) === i).map(({ line, of }) => (of ? `${line} ${of} times` : line));
  return `${thread} ${ENDINGS[ending]}${lines.length ? ` (line ${lines.join(", ")})` : ""}`;
}

const ENDS = {
  "lost-check": ({ check }) => `impossible: it breaks ${check ?? "a check of the model"}`,
  "impossible-values": () => "impossible: with these values a path goes on otherwise",
  "no-order": () => "impossible: the orders chosen have a cycle",
  never: ({ of }) => `impossible: whatever ${sayEvent(of)} reads, its path goes otherwise`,
  "nothing-new": () => "adds no state to those above",
};

const sayChoice = ({ choose, of, to, order }) => (choose === "source" ? `${sayEvent(of)} reads from:` : `${sayEvent(of)} or ${sayEvent(to)}, first in ${order} is:`);
const sayWay = ({ of, to }, { source, way }) => (source ? sayEvent(source) : way === "|" ? "neither" : sayEvent(way === "<" ? of : to));

const MOST_STATES = 16;
function states(words, all) {
  const more = all.length - MOST_STATES;
  return all.some((state) => Object.keys(state).length) && element("p", {}, `${words}: `, ...all.slice(0, MOST_STATES).flatMap((state) => [held(sayState(state)), " "]), more > 0 && `and ${more} more`);
}

/** The states and the tree of a record; `go` leads to a line. */
export function casesView({ cases, sections, final_states: final, crash_states: crash, recovered_states: recovered }, go) {
  let ends = 0;
  const fold = (words, node) => element("details", { open: cases <= FEW }, element("summary", {}, ...linked(words, go)), ...parts(node));
  // Of paths that look alike, a branch or a value in which they differ is not told.
  const named = new Set();
  function namePaths(paths) {
    const words = paths.map(sayPath).join(", "), again = named.has(words);
    named.add(words);
    return again ? `${words}, by other values` : words;
  }
  // Ways that end alike share a line; what goes on is folded.
  function parts(node) {
    if (node.ends) {
      ends++;
      return [list("", [item("", ...linked(ENDS[node.ends](node), go))])];
    }
    const alike = new Map();
    for (const way of node.ways.filter(({ then }) => then.ends)) {
      const words = ENDS[way.then.ends](way.then);
      alike.set(words, [...(alike.get(words) ?? []), sayWay(node, way)]);
      ends++;
    }
    return [list("", [...alike].map(([words, ways]) => item("", ...linked(`${ways.join(", or ")}: ${words}`, go)))),
      ...node.ways.filter(({ then }) => then.choose && ends < MOST).map((way) => fold(`${sayWay(node, way)}: ${sayChoice(way.then)}`, way.then))];
  }
  const shown = sections.map(({ of, memories, trees }) => element("section", {},
    element("h4", {}, of === "program" ? "The program" : `Recovery from ${memories.join(" and from ")}`),
    ...trees.map(({ paths, case: node }) => ends < MOST && fold(namePaths(paths) + (node.choose ? `: ${sayChoice(node)}` : ""), node))));
  return element("div", { className: "cases" }, element("p", { className: "small" }, "One that adds no state was counted with all orders and crash cuts that it leaves open, whether or not it can happen."), states("Final states", final), states("Crash states", crash), states("Recovered states", recovered), ...shown, ends < cases && element("p", { className: "small" }, `${cases - ends} more are left out here.`));
}
