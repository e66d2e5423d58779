"""lessons_check.py PROGRAM WORK: each exercise of docs/tutorial, as the page checks it: its start is no answer, its solution is
one, and each wrong answer fails by what the lesson says. Answers are read and judged by the program alone (`--exercise`).

Of every exercise the cheats that there are for all of them are tried as well: the start with its conditions deleted, turned round,
made to hold of nothing, and with a verdict of its own declared right.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "tools")
from lessons import Fault, read_lessons  # noqa: E402

CONDITION = re.compile(r"^(?:crash|final|recovered) .*\n", re.M)
SECONDS = 60


def ask(program, folder, file, exercise, pair):
    """By what the answer fails: None when by nothing."""
    options = ["--exercise", f"{folder}/exercise.litmus", "--format", "json", "-m", pair[0], "-p", os.path.join(folder, pair[1]) if pair[1].endswith(".cat") else pair[1]]
    options += ["--warn-wide"] if exercise["narrow"] else []
    done = subprocess.run([program, "check", *options, file], capture_output=True, text=True, timeout=SECONDS)
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode == 2 or not records or "model" not in records[0]:
        return "frame" if "[E-cli-exercise]" in done.stderr else "unreadable"
    record = records[0]
    if record["verdict"] == "undefined":
        return "undefined"
    for number, condition in enumerate(record["conditions"], 1):
        if condition["verdict"] != "ok":
            return str(number)
    if record["verdict"] != "ok":
        return record["verdict"]
    if not exercise["narrow"]:
        return None
    told = record["narrowest"]
    if not told["asked"] or told["limit"]:
        return "unknown"
    return "narrow" if any(warning["name"] in ("wider-than-needed", "redundant") for warning in record["warnings"]) else None


def cheats(start):
    yield "without its conditions", CONDITION.sub("", start)
    yield "turned round", CONDITION.sub(lambda line: line.group().replace("~exists", "exists") if "~exists" in line.group() else line.group().replace("exists", "~exists", 1), start)
    yield "a condition that holds of nothing", CONDITION.sub("crash ~exists (false)\n", start)
    yield "with an expectation", re.sub(r"^expect .*\n", "", start, flags=re.M) + "expect hrf-direct + epoch : violated\n"
    yield "with the state filtered away", start + "filter (false)\n"


def attempts(exercise):
    """What is tried, its text, and by what it has to fail; any: by whatever."""
    yield "the start", exercise["start"], "any"
    yield "the solution", exercise["solution"]["text"], None
    for i, wrong in enumerate(exercise["wrong"], 1):
        yield f"wrong answer {i}", wrong["text"], wrong["fails"]
    for what, text in cheats(exercise["start"]):
        yield f"the start {what}", text, "any"


def check(program, work, lesson, exercise, number, attempt):
    what, text, wanted = attempts_of(exercise)[attempt]
    folder = os.path.join(work, f"{lesson['name']}-{number}-{attempt}")
    os.makedirs(folder)
    for file in [{"name": "exercise.litmus", "text": exercise["exercise"]}, {"name": "answer.litmus", "text": text}, *lesson["files"]]:
        with open(os.path.join(folder, file["name"]), "w", encoding="utf-8") as out:
            out.write(file["text"])
    found = [ask(program, folder, f"{folder}/answer.litmus", exercise, pair) for pair in exercise["pairs"]]
    first = next((fails for fails in found if fails is not None), None)
    good = first is not None if wanted == "any" else first == wanted
    return [] if good else [f"docs/tutorial, {lesson['name']}, exercise {number}: {what} fails by {first}, expected {wanted}"]


def attempts_of(exercise):
    return list(attempts(exercise))


def main(program, work):
    shutil.rmtree(work, ignore_errors=True)
    try:
        lessons = read_lessons()
    except Fault as fault:
        print(f"{fault}\n0 passed, 1 failed")
        return 1
    cases = [(lesson, exercise, number, attempt) for lesson in lessons for number, exercise in enumerate(lesson["exercises"], 1)
             for attempt in range(len(attempts_of(exercise)))]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [fault for found in pool.map(lambda case: check(program, work, *case), cases) for fault in found]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(cases) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
