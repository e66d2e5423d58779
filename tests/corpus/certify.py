#!/usr/bin/env python3
"""certify.py verdicts RECORDS CHECKED KNOWN: what crashlit-check says of certificates, beside crashlit's records.
certify.py certified CERTIFICATES CHECKED: those that are certified, in their order.

A certificate is accepted unless its test shows by a rule (RULES) that it is outside, or KNOWN has the test, with how and why.
A test that a rule fits is not accepted, and one that KNOWN has is as that says."""
import collections
import json
import re
import sys


def answers(path):
    """[(word, file, models, what)] as the checker printed them; states stand behind, with a blank before them."""
    with open(path) as lines:
        return [tuple((line.rstrip("\n").split("\t") + ["", "", "", ""])[:4]) for line in lines if not line.startswith(" ")]


# What is outside, as docs/inside/certificates.md says, and how a test shows it.
RULES = {
    "transactions": r"\b(tx_|TX_)(begin|end|abort|START|COMMIT|END|ABORT)\b",
    "compiled kernels": r"\A\s*CUDA\b",
    "properties": r"^\s*(property|observe)\s+[a-z]",
    "conditions that count": r"\b(all|some)\s+\w+\s*<\s*\w+\s*:|\binit\s*\(",
    "refines": r"\brefines\s+\"",
    "a barrier that arrives": r"\bbar(rier)?[.\w]*\.arrive\b",
    "a barrier with an id or a quorum": r"\bbar(rier)?[.\w]*\.sync\s+\w+\s*,",
    "a barrier with a number that is computed": r"\bbar(rier)?[.\w]*\.sync\s+[%a-z]",
    "sizeof": r"\bsizeof\b",
    "a persist barrier with a number": r"\bpbar\.\w+\.sync\b|\bp_barrier\([^(),;]*,",
    "a store of several values": r"\b__store(\{[^}]*\})?\([^,()]*,[^,;]*,",
    "tokens": r"\b__fence(\{[^}]*\})?\(\s*\w|=\s*__(cm|fence)\b",
    "units of persistence": r"\bunit\s*\(",
    "tags of single elements": r"\btags\{",
    "atomic members of structs in C": r"\AC\b[^{]*?\bstruct\b[^}]*\b_?[aA]tomic",
}


def ruled(path):
    """The rules by which a test is outside; its comments and its name say nothing."""
    with open(path) as file:
        text = re.sub(r"//[^\n]*|/\*.*?\*/|\(\*.*?\*\)|^\"[^\"]*\"$", "", file.read(), flags=re.S | re.M)
    return [reason for reason, pattern in RULES.items() if re.search(pattern, text, re.M | re.S)]


def read_known(path):
    with open(path) as lines:
        return {line.split()[0]: line.split(None, 2)[1] for line in lines if line.strip() and not line.startswith("#")}


def verdicts(records, checked, known):
    expected = read_known(known)
    said = {(file, models): (word, what) for word, file, models, what in answers(checked)}
    counts, how, seen, faults = collections.Counter(), collections.Counter(), collections.defaultdict(set), []
    with open(records) as lines:
        for record in map(json.loads, lines):
            told = record.get("certificate")
            if told is None:
                continue
            models = f"{record['model']} + {record['persistency']}"
            word, what = said.get((record["file"], models), ("lost", "no answer")) if told["complete"] else ("without", told["missing"])
            counts[word] += 1
            seen[record["file"]].add(word)
            rules = ruled(record["file"])
            if word == "certified":
                good = what == record["verdict"] and not rules
            elif rules:
                good = word == "without" or (word == "outside" and what in rules)
            else:
                good = word == expected.get(record["file"])
            how[f"{word}: {what if rules or word != 'refused' else 'known'}"] += word != "certified"
            if not good:
                faults.append(f"{record['file']} {models}: {record['verdict']}, {word}: {what}; {rules or 'no rule'}")
    faults += [f"{known}: {file} has nothing that is {word}" for file, word in expected.items() if file in seen and word not in seen[file]]
    print("\n".join(faults + [f"{number:6} {reason}" for reason, number in how.most_common() if number]))
    print(", ".join(f"{number} {word}" for word, number in counts.most_common()))
    return faults or counts["certified"] < 100


def certified(certificates, checked):
    texts, text = [], []
    with open(certificates) as lines:
        for line in lines:
            text.append(line)
            if line == "done\n":
                texts.append(text)
                text = []
    for answer, lines in zip(answers(checked), texts):
        if answer[0] == "certified":
            sys.stdout.write("".join(lines))
    return False


if __name__ == "__main__":
    command = {"verdicts": verdicts, "certified": certified}[sys.argv[1]]
    sys.exit(1 if command(*sys.argv[2:]) else 0)
