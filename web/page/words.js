// Answers in sentences. Nothing is decided here: verdicts, counts and states are the program's.

export const VERDICTS = {
  ok: { mark: "✓", word: "Holds" },
  violated: { mark: "✗", word: "Violated" },
  undefined: { mark: "!", word: "Undefined" },
  unknown: { mark: "?", word: "Not known" },
  error: { mark: "!", word: "Error" },
};

export const verdictOf = (name) => VERDICTS[name] ?? VERDICTS.unknown;

/** A condition's answer as a sentence. */
export const sayCondition = ({ words }) => words;

/** Why a condition decides nothing. */
export const sayRemark = ({ because }) => `This asks nothing: ${because}.`;

/** The whole answer in one sentence. */
export const sayVerdict = ({ words, reason, model, persistency }) => `${words ?? `Not known: ${reason ?? "a limit was met"}`}, under ${model} + ${persistency}.`;
