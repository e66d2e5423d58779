// A link has all of a question in its fragment: deflated JSON, in base64url. A stranger's link is taken for
// what it may be: too large, cut off, or of another shape; then it is refused in words.

const VERSION = "1";
const MOST_CODED = 400_000, MOST_TEXT = 1_000_000, MOST_FILES = 16, MOST_WORD = 80, MOST_GOAL = 1000, MOST_EVENTS = 10_000;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}\.(litmus|cat|def|bell|machine|map|ptx)$/;

function toBase64url(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("it has characters that no link has");
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function deflate(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads no more than it may: a small link can stand for very much text.
async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST_TEXT) {
      await reader.cancel();
      throw new Error(`its files have more than ${MOST_TEXT} characters`);
    }
  }
}

/** A name that a file of a link may have. */
export const isFileName = (name) => typeof name === "string" && NAME.test(name);

/** Files as a link has them; an error in words where they are none. */
export function readFiles(list) {
  if (!Array.isArray(list) || list.length < 1 || list.length > MOST_FILES) throw new Error("it has no files");
  const names = new Set();
  return list.map((entry) => {
    const [name, text] = Array.isArray(entry) ? entry : [];
    if (!isFileName(name) || typeof text !== "string" || names.has(name)) throw new Error("a file in it has no proper name");
    names.add(name);
    return { name, text };
  });
}

/** A name, which counts only where a list has it. */
export const readWord = (word) => (typeof word === "string" ? word.slice(0, MOST_WORD) : word === undefined ? "" : "?");

function readGoal(goal = "") {
  if (typeof goal !== "string" || goal.length > MOST_GOAL) throw new Error(`the state that it asks a machine for is none, or has more than ${MOST_GOAL} characters`);
  return goal;
}

const isNumber = (value) => Number.isInteger(value) && value >= 0 && value <= MOST_EVENTS;
const isList = (value) => Array.isArray(value) && value.length <= MOST_EVENTS && value.every(isNumber);

// Where its reader has come to, which the player holds to what there is. In Crash a cut by what it is (cut_name.js): a digest, the events
// that have executed, those that are durable. Else by numbers: which player, which place, and of a machine whether power failed; links to a cut
// were once of that form, with the events that are durable last.
function readMoved(moved) {
  if (moved === undefined) return undefined;
  const [first, second, rest] = Array.isArray(moved) ? moved : [];
  if (typeof first === "string" && /^[0-9a-f]{32}$/.test(first) && isList(second) && (rest === undefined || isList(rest)))
    return { execution: first, executed: second, ...(rest && { durable: rest }) };
  if (!isNumber(first) || !isNumber(second) || !(rest === undefined || isList(rest) || isNumber(rest))) throw new Error("the place in a run that it leads to is none");
  return { record: first, place: second, ...(isList(rest) ? { durable: rest } : { failed: rest === 1 }) };
}

const writeMoved = ({ execution, executed, durable, record, place, failed }) =>
  (execution ? [execution, executed, durable] : [record, place, failed ? 1 : undefined]).filter((one) => one !== undefined);

const shortOf = ({ files, visibility, persistency, engine, view, machine, goal, moved, second }) => ({
  f: files?.map(({ name, text }) => [name, text]), m: visibility, p: persistency, e: engine, v: view, h: machine || undefined, g: goal || undefined, s: moved && writeMoved(moved),
  b: second && shortOf({ ...second, moved: undefined }),
});

/** What deflates to `said` under `name`; an error in words where no link can hold it. */
export async function pack(said, name = VERSION) {
  const text = JSON.stringify(said), coded = `${name}=${toBase64url(await deflate(text))}`;
  if (coded.length > MOST_CODED || text.length > MOST_TEXT) throw new Error(`these files are too large for a link: ${coded.length} characters, of ${MOST_CODED} at most`);
  return coded;
}

/** What `pack` was given, of any shape; undefined where no part of `fragment` has that name, an error in words where it cannot be read. */
export async function unpack(fragment, name = VERSION) {
  const coded = fragment.replace(/^#/, "").split("&").find((part) => part.startsWith(`${name}=`));
  if (!coded) return undefined;
  if (coded.length > MOST_CODED) throw new Error("it is too long");
  try {
    return JSON.parse(await inflate(fromBase64url(coded.slice(name.length + 1))));
  } catch (fault) {
    throw new Error(/more than|characters/.test(fault.message) ? fault.message : "it is cut off or damaged");
  }
}

/** The fragment that says all of `question`, and where its reader has come to (`moved`), if anywhere; an error in words where no link can. */
export async function encode(question) {
  const coded = await pack(shortOf(question)), { length } = question.files;
  if (length > MOST_FILES) throw new Error(`these files are too large for a link: ${length} of them, of ${MOST_FILES} at most`);
  return coded;
}

function readQuestion(said) {
  return {
    files: readFiles(said?.f), visibility: readWord(said.m), persistency: readWord(said.p), engine: readWord(said.e), view: readWord(said.v),
    machine: readWord(said.h), goal: readGoal(said.g), moved: readMoved(said.s),
  };
}

// A second pane has files of its own, or those of the first.
function readSecond(second, first) {
  if (second === undefined) return undefined;
  const read = readQuestion({ ...(Object(second) === second ? second : {}), f: second?.f ?? first });
  return { ...read, files: second?.f && read.files };
}

/** What a fragment says: `undefined` when it is empty, an error in words when it cannot be read. */
export async function decode(fragment) {
  const parts = fragment.replace(/^#/, "").split("&");
  const embed = parts.includes("embed"), pane = parts.includes("pane");
  const said = await unpack(fragment);
  if (said === undefined) return embed ? { embed } : undefined;
  return { embed, pane, ...readQuestion(said), second: readSecond(said.b, said.f) };
}
