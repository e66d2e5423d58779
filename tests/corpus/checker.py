#!/usr/bin/env python3
"""checker.py lists ANSWERS JSON: the states that crashlit-check --states lists, by --naive or of certificates, to those of crashlit.
checker.py lies CHECKER CERTIFICATES COUNT SEED WORK: seeded false claims; none may be accepted.
checker.py hand CHECKER LIES WORK: claims made by hand; each is refused, or answered otherwise, with the words beside it.

A line for each difference, and last a line of what was compared."""
import collections
import json
import random
import subprocess
import sys

# Flags that are verdicts of the checker, or of crashlit alone.
VERDICTS = {"barrier-divergence", "livelock", "no-crash-point-reached"}
STATES = {"final": "final_states", "crash": "crash_states", "recovered": "recovered_states"}


def naive_answers(path):
    """{(file, models): {kind: set of states}} of the tests that were decided."""
    answers, answer = {}, None
    with open(path) as lines:
        for line in lines:
            if line.startswith(" "):
                kind, state = line[1:].rstrip("\n").split("\t", 1)
                if answer is not None:
                    answer[kind].add(" ".join(sorted(state.split())))
                continue
            word, file, models = line.split("\t")[:3]
            answer = None
            # Up to the bound of a loop nothing says which paths are looked at. What is undefined has one execution in a certificate.
            if word == "certified" and "\tundefined\t" in line:
                continue
            if word in ("agrees", "differs", "certified") and "up to a bound" not in line:
                answer = answers[file, models] = collections.defaultdict(set)
    return answers


def as_text(state):
    def value(v):
        return "-" if v is None else int(v)
    return " ".join(sorted(f"{name}={value(v)};" for name, v in state.items()))


def lists(naive, records):
    answers = naive_answers(naive)
    compared = differences = 0
    with open(records) as lines:
        for line in lines:
            record = json.loads(line)
            key = record.get("file"), f"{record.get('model')} + {record.get('persistency')}"
            # What is not known to the end, or told as a product, is no list.
            if key not in answers or record["verdict"] == "unknown" or any(isinstance(record[member], dict) for member in STATES.values()):
                continue
            compared += 1
            for kind, member in STATES.items():
                here, there = answers[key][kind], {as_text(state) for state in record[member]}
                if here != there:
                    differences += 1
                    print(*key, f"{kind} states: checker {sorted(here - there)[:2]}, crashlit {sorted(there - here)[:2]}")
            if answers[key]["flag"] != set(record["flags"]) - VERDICTS:
                differences += 1
                print(*key, f"flags: checker {sorted(answers[key]['flag'])}, crashlit {sorted(record['flags'])}")
    print(f"{compared} lists compared, {differences} differences")
    return differences or not compared


def certificates(path):
    """Each as its lines, from 'certificate 1' to 'done'."""
    found = []
    with open(path) as lines:
        for line in lines:
            if line.startswith("certificate"):
                found.append([])
            found[-1].append(line.rstrip("\n"))
    return found


def child_ends(words, start):
    """Where the tree that begins at start ends, and the places of its nodes."""
    todo, nodes, at = 1, [], start
    while todo:
        word = words[at]
        width = {"r": 3, "o": 4, "f": 4, "w": 5}.get(word, 4 if word[0] == "w" and len(word) > 1 else 1)
        if width > 1:
            count = int(words[at + width - 1])
            nodes.append((at, width, count))
            todo += count
        # In front of each child stands its value.
        at += width
        todo -= 1
        if todo:
            at += 1
    return at, nodes


def altered_tree(rng, line):
    words = line.split(" ")
    start = words.index(":") + 1
    end, nodes = child_ends(words, start)
    way = rng.randrange(4)
    if way == 0 and nodes:  # a leaf in place of a subtree
        at, _, _ = rng.choice(nodes)
        stop, _ = child_ends(words, at)
        words[at:stop] = [rng.choice(["k", "v", "c", "!0", "!1", "!2"])]
    elif way == 1 and nodes:  # a case is dropped
        at, width, count = rng.choice(nodes)
        if count:
            first = at + width
            stop, _ = child_ends(words, first + 1)
            del words[first:stop]
            words[at + width - 1] = str(count - 1)
    elif way == 2:  # another leaf
        leaves = [i for i in range(start, end) if words[i] in "kvc" or words[i][0] == "!"]
        if leaves:
            words[rng.choice(leaves)] = rng.choice(["k", "v", "c", "!0", "!1", "!2", "!3"])
    else:  # two cases exchanged
        values = [i for i in range(start, end) if "." in words[i] or words[i][:2] == "i:"]
        if len(values) > 1:
            i, j = rng.sample(values, 2)
            words[i], words[j] = words[j], words[i]
    return " ".join(words)


def lie(rng, lines):
    """A certificate without one of its executions, and its trees altered in up to three places."""
    lines = list(lines)
    executions = [i for i, line in enumerate(lines) if line.startswith("execution")]
    if not executions:
        return None
    del lines[rng.choice(executions)]
    for _ in range(rng.randrange(4)):
        trees = [i for i, line in enumerate(lines) if line.startswith("tree")]
        if trees:
            i = rng.choice(trees)
            if rng.randrange(8) == 0:
                del lines[i]
            else:
                lines[i] = altered_tree(rng, lines[i])
    return lines


def checked(checker, path, texts):
    with open(path, "w") as out:
        for lines in texts:
            out.write("\n".join(lines) + "\n")
    run = subprocess.run([checker, path], stdout=subprocess.PIPE, text=True)
    return run.stdout.splitlines()


def lies(checker, path, count, seed, work):
    rng = random.Random(int(seed))
    true = certificates(path)
    answers = checked(checker, f"{work}/true.certificates", true)
    if not all(answer.startswith("certified") for answer in answers):
        sys.exit("not every certificate is of a true claim")
    texts, said = [], []
    while len(texts) < int(count):
        i = rng.randrange(len(true))
        text = lie(rng, true[i])
        if text:
            texts.append(text)
            said.append(answers[i])
    believed = same = 0
    for text, before, now in zip(texts, said, checked(checker, f"{work}/lies.certificates", texts)):
        if now == before:
            same += 1  # what was taken away was not needed: it is the same claim
        elif now.startswith("certified"):
            believed += 1
            print(f"accepted: {now}\n  for: {before}")
    print(f"{len(texts) - same} false claims, {believed} accepted; {same} alterations that claim the same")
    return believed or same == len(texts)


def hand(checker, path, work):
    with open(path) as lines:
        blocks = lines.read().split("\n= ")[1:]
    texts = [block.rstrip("\n").split("\n")[1:] for block in blocks]
    answers = checked(checker, f"{work}/hand.certificates", texts)
    wrong = 0
    for block, answer in zip(blocks, answers):
        reason = block.split("\n")[0]
        word, _, rest = reason.partition(" ")
        said = answer.replace("\t", " ")
        if word not in ("certified", "outside", "fault"):
            word, rest = "refused", reason
        right = said.startswith(word) and rest in said
        if not right:
            wrong += 1
            print(f"not answered with '{reason}': {answer}")
    print(f"{len(answers)} claims made by hand, {wrong} not answered as they should be")
    return wrong or len(answers) != len(blocks)


if __name__ == "__main__":
    command = {"lists": lists, "lies": lies, "hand": hand}[sys.argv[1]]
    sys.exit(1 if command(*sys.argv[2:]) else 0)
