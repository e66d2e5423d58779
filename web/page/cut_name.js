// A crash cut by what it is, not by where an engine has listed it: the events of its execution, whatever their order, which of them
// have executed and which are durable, and what memory holds.

// Two that read alike are told apart by which comes first.
function namesOf({ events }) {
  const seen = new Map();
  return events.map(({ thread, recovery, line, access, value, from }) => {
    const name = JSON.stringify([thread, recovery ?? false, line, access, value, from && [from.thread, from.line]]);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return `${name}${seen.get(name)}`;
  });
}

const DIGITS = 16;

// FNV-1a, twice: short, and of no use as a proof.
function digest(text) {
  const half = (seed) => {
    let value = seed;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
    return value.toString(16).padStart(8, "0");
  };
  return half(0x811c9dc5) + half(0x9dc5811c);
}

const cutAt = ({ cuts }, { place, durable }) => durable && cuts.find((cut) => cut.place === place && cut.durable.join() === durable.join());

/** Names places of a record, `place` and `durable` by its numbers, as what they are: a digest of execution and memory with one of what the
 * record is there for, and events by their numbers in an order of their own. */
export function cutNamer(record) {
  const names = namesOf(record), order = [...names].sort(), places = names.map((name) => order.indexOf(name));
  const numbers = (events) => events.map((event) => places[event]).sort((a, b) => a - b);
  return (at) => ({
    execution: digest(JSON.stringify([order, cutAt(record, at)?.state])) + digest(record.execution),
    executed: places.slice(0, at.place).sort((a, b) => a - b), ...(at.durable && { durable: numbers(at.durable) }),
  });
}

// All that a record may be asked for: its cuts, and places where no crash comes.
const placesOf = ({ places, cuts }) => [...cuts, ...places.map((of, place) => ({ place, none: !of.count })).filter(({ none }) => none)];

/** Where in the records the cut of that name is: which `record`, `place` and `durable`; undefined: nowhere. Another record will do that has the same
 * execution, and, where its events come in an order in which the crash is at no place of its own, one at which the same is durable. */
export function findCut(records, { execution, executed, durable }) {
  let best, most = -1;
  records.forEach((record, number) => {
    const name = cutNamer(record);
    for (const { place, durable: here } of placesOf(record)) {
      const named = name({ place, durable: here }), inPlace = String(named.executed) === String(executed);
      if (named.execution.slice(0, DIGITS) !== execution.slice(0, DIGITS) || String(named.durable) !== String(durable) || !(durable || inPlace)) continue;
      const fits = 2 * inPlace + (named.execution === execution);
      if (fits > most) [best, most] = [{ record: number, place, durable: here }, fits];
    }
  });
  return best;
}
