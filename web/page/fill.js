// What `place` answers, from its record (JSON): each filling as a sentence, the difference that it makes with a button that takes it, and why nothing less will do.
import { element } from "./dom.js";
import { chips, held, item, linked, list, offer } from "./parts.js";
import { sayReason } from "./why.js";

const canGo = ({ kind }) => kind === "presence" || kind === "slot";

// What a filling does with a choice; undefined: it adds nothing where nothing was.
function does(choice, value) {
  const { values, present } = choice, is = values[value], was = values[present];
  if (present === undefined) return { words: `is ${is}`, verb: `put ${is}` };
  if (canGo(choice) && !present && !value) return undefined;
  if (choice.kind === "swap") return value ? { words: "", value: is, verb: is.replace(/^(.*) change places$/, "have $1 change places") } : undefined;
  if (value === present) return { words: "is needed", value: is };
  if (canGo(choice) && !value) return { words: "can be left out", value: was, verb: `leave out ${was}` };
  return canGo(choice) && !present ? { words: "is added", value: is, verb: `add ${is}` } : { words: `in place of ${was}`, value: is, verb: `write ${is} for ${was}` };
}

const lineOf = ({ places: [{ line }] }) => line;
const least = (choice, { value, ...step }) => `${canGo(choice) && !value ? "Without it" : `With ${choice.values[value]}`} ${sayReason(step)}.`;

// What stays and was not tried with less is no news.
function choiceItem(choice, value, steps, go) {
  const said = does(choice, value);
  return said && (steps.length > 0 || value !== choice.present) && item("", choice.name ? `?${choice.name} ` : "", ...chips(choice.places.map(({ line }) => line), go), said.value ? held(said.value) : "", ` ${said.words}`,
    ...steps.map((step) => element("p", { className: "small" }, ...linked(least(choice, step), go))));
}

/** A filling in a sentence: what is to be done. */
export function sayFilling({ choices }, { values }) {
  const verbs = choices.map((choice, i) => [does(choice, values[i])?.verb, lineOf(choice)]).filter(([verb]) => verb).map(([verb, line]) => `${verb} at line ${line}`);
  return verbs.join("; ").replace(/^./, (letter) => letter.toUpperCase());
}

/** The view of a filling; `text`: as it is, `filled`: with it; nothing to take where they are the same. */
export function fillingView(record, number, { text, filled, page }) {
  const filling = record.fillings[number], several = record.fillings.length > 1, sentence = sayFilling(record, filling);
  const items = record.choices.map((choice, i) => choiceItem(choice, filling.values[i], filling.steps.filter((step) => step.choice === i), page.go)).filter(Boolean);
  return element("article", { className: "filling" },
    several && element("h3", {}, `Way ${number + 1} of ${record.fillings.length}`),
    sentence && element("p", { className: "sentence" }, ...linked(`${sentence}.`, page.go)),
    text !== filled && offer(text, filled, several ? `Take way ${number + 1}` : "Take it", page.apply),
    items.length > 0 && element("h4", {}, filling.steps.length ? "Why nothing less will do" : "What it changes"), items.length > 0 && list("needs", items),
    filling.confirmed_by && element("p", { className: "small" }, `Confirmed by ${filling.confirmed_by}.`));
}

export const clashView = ({ clashes }, page) => list("needs", clashes.map((clash) => item("", ...linked(sayReason(clash), page.go))));
