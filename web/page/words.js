// Answers in sentences. Nothing is decided here: verdicts, counts and states are the program's.

const WHERE = { crash: "a crash can leave", final: "the end can be", recovered: "recovery can leave" };
const NOWHERE = { crash: "no crash leaves", final: "the end is never", recovered: "recovery never leaves" };
const EACH = { crash: "every crash leaves", final: "the end is always", recovered: "recovery always leaves" };

export const VERDICTS = {
  ok: { mark: "✓", word: "Holds" },
  violated: { mark: "✗", word: "Violated" },
  undefined: { mark: "!", word: "Undefined" },
  unknown: { mark: "?", word: "Not known" },
  error: { mark: "!", word: "Error" },
};

export const verdictOf = (name) => VERDICTS[name] ?? VERDICTS.unknown;

const QUANTIFIED = /^(~exists|exists|forall)\s+\((.*)\)$/s;

/** A condition's answer as a sentence. */
export function sayCondition({ kind, text, verdict, reason }) {
  if (verdict === "unknown") return reason ? `not known: ${reason}` : "not known";
  if (verdict === "undefined") return "nothing is promised, since the behaviour is undefined";
  const [, quantifier, proposition] = QUANTIFIED.exec(text) ?? [];
  const holds = verdict === "ok";
  if (!quantifier || !WHERE[kind]) return holds ? "it holds" : "it does not hold";
  if (quantifier === "forall") return holds ? `${EACH[kind]} ${proposition}` : `${WHERE[kind]} another state than ${proposition}`;
  return (quantifier === "exists") === holds ? `${WHERE[kind]} ${proposition}` : `${NOWHERE[kind]} ${proposition}`;
}

/** Why a condition decides nothing. */
export const sayRemark = ({ remark }) => `This asks nothing: ${remark.replace(/^vacuous: /, "")}.`;

const isListed = (states) => (Array.isArray(states) ? Object.keys(states[0] ?? {}).length > 0 : states !== undefined);

/** What every condition of a test that holds leaves out: what a crash leaves, or anything at all. */
function sayOk({ conditions, crash_states: left }, under) {
  const idle = conditions.filter(({ vacuous }) => vacuous), [first] = idle;
  if (!conditions.length) return `Nothing is asked: the test has no condition (${under}).`;
  if (first) return `Holds, but ${idle.length === conditions.length ? "nothing is asked" : `condition ${conditions.indexOf(first) + 1} asks nothing`}: ${first.remark.replace(/^vacuous: /, "")} (${under}).`;
  if (isListed(left) && conditions.every(({ kind }) => kind === "final")) return `Holds at the end of the program; what a crash leaves is not asked (${under}).`;
  return `Holds: every condition is met ${under}.`;
}

/** The whole answer in one sentence. */
export function sayVerdict(report) {
  const under = `under ${report.model} + ${report.persistency}`;
  const first = report.conditions.find(({ verdict }) => verdict === report.verdict);
  switch (report.verdict) {
    case "ok":
      return sayOk(report, under);
    case "violated":
      return `Violated: ${first ? sayCondition(first) : "a condition is not met"} (${under}).`;
    case "undefined":
      return `Undefined: ${report.undefined[0]?.text ?? "the behaviour is undefined"} (${under}).`;
    default:
      return `Not known ${under}: ${first?.reason ?? report.reason ?? "a limit was met"}.`;
  }
}
