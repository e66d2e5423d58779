#!/usr/bin/env python3
"""certify.py verdicts RECORDS CHECKED KNOWN: what crashlit-check says of certificates, beside crashlit's records.
certify.py certified CERTIFICATES CHECKED: those that are certified, in their order.

KNOWN has the tests whose certificates are refused, FILE and why, a line each."""
import collections
import json
import sys


def answers(path):
    """[(word, file, models, what)] as the checker printed them."""
    with open(path) as lines:
        return [tuple((line.rstrip("\n").split("\t") + ["", "", "", ""])[:4]) for line in lines]


def verdicts(records, checked, known):
    with open(known) as lines:
        expected = {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}
    said = {(file, models): (word, what) for word, file, models, what in answers(checked)}
    counts, missing, wrong = collections.Counter(), collections.Counter(), 0
    with open(records) as lines:
        for line in lines:
            record = json.loads(line)
            told = record.get("certificate")
            if told is None:
                continue
            if not told["complete"]:
                counts["without"] += 1
                missing[told["missing"]] += 1
                continue
            models = f"{record['model']} + {record['persistency']}"
            word, what = said.get((record["file"], models), ("lost", "no answer"))
            counts[word] += 1
            if word == "outside":
                missing[what] += 1
            elif word != "certified" and record["file"] in expected:
                missing["known"] += 1
            elif word != "certified" or what != record["verdict"]:
                wrong += 1
                print(f"{record['file']} {models}: {record['verdict']}, {word}: {what}")
    for reason, number in missing.most_common():
        print(f"{number:6} {reason}")
    print(", ".join(f"{number} {word}" for word, number in counts.most_common()))
    return wrong or counts["certified"] < 100


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
