// A state of a list that was clicked: how it comes about, and the ways to its crash and to a machine that shows it.
import { element } from "./dom.js";
import { picture } from "./picture.js";
import { readRecords, sayState } from "./player/player.js";
import { comesAbout } from "./why.js";

const SECONDS = "20";
const isRegister = (name) => name.includes(":");
const known = (state) => Object.entries(state).filter(([, value]) => value !== null && value !== undefined);

const asked = (text, kind, state) => `${text}\n${kind} exists (${known(state).map(([name, value]) => `${name} = ${value}`).join(" /\\ ") || "true"})\n`;

/** As `trace --state` reads it: of a crash state what is in memory. */
const goalOf = (kind, state) => known(state).filter(([name]) => kind === "final" || !isRegister(name)).map(([name, value]) => `${name}=${value}`).join(", ");

// Where a machine may be asked for it: what `--state` names is a final state only where it names a register.
const forMachine = (kind, state) => (kind === "crash" ? goalOf(kind, state) : kind === "final" && Object.keys(state).some(isRegister) ? goalOf(kind, state) : "");

function show(panel, execution, { kind, state }, page) {
  const { text } = page.question(), crash = kind === "crash" ? state : execution.chain?.recoveries[0]?.start, goal = forMachine(kind, state);
  const button = (words, onclick) => element("button", { type: "button", onclick }, words);
  const drawn = execution.pictures?.length && Object.assign(picture({ title: "As a picture", svgs: execution.pictures }, "state"), { open: true });
  panel.replaceChildren(
    element("h4", {}, `How ${sayState(state)} comes about`), ...comesAbout(execution, text, page.go),
    element("p", { className: "buttons" }, crash && button("Its crash cut", () => page.toCrash(crash)), goal && button("A machine's run to it", () => page.toMachine(goal))),
    ...(drawn ? [drawn] : []));
}

/** Fills `panel` with what there is to say of `state`; `page`: question, run, go, toCrash, toMachine. */
export async function lookAt(panel, { kind, state }, page) {
  const { file, text, files, visibility, persistency, engine } = page.question();
  const args = ["check", "--format", "json", "--executions", "pictures", "--timeout", SECONDS, "-m", visibility, "-p", persistency, "-e", engine, file];
  panel.replaceChildren(element("p", {}, "Looking for an execution …"));
  const answer = await page.run(args, files.map((one) => (one.name === file ? { name: file, text: asked(text, kind, state) } : one)));
  if (!panel.isConnected) return;
  const [record] = readRecords(answer.out ?? ""), last = (record?.conditions?.length ?? 0) - 1;
  // One that leaves it may stand there for another condition.
  const leaves = (one) => one.kind === kind && one.state && known(state).every(([name, value]) => !(name in one.state) || one.state[name] === value);
  const execution = record?.executions?.find(({ condition }) => condition === last) ?? (record?.conditions?.[last]?.verdict === "ok" && record.executions?.find(leaves));
  if (execution) return show(panel, execution, { kind, state }, page);
  panel.replaceChildren(element("p", {}, `Not shown: ${answer.stopped ?? answer.fault ?? record?.conditions?.[last]?.reason ?? "no execution of it was kept"}.`));
}
