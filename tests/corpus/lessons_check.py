"""lessons_check.py PROGRAM WORK: each exercise of docs/tutorial, as the page checks it: its start is no answer, its solution is
one, and each wrong answer fails by what the lesson says. Answers are read and judged by the program alone (`--exercise`), and again as
`crashlit lesson` judges them, which has lessons built in and reads them by itself: list, text, files, conditions and verdicts are held
to what tools/lessons.py reads.

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
# What `crashlit lesson N FILE` leaves with, by what an answer fails; 1 unless it is here.
STATUSES = {None: 0, "frame": 2, "unreadable": 2}


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
    faults = [] if good else [f"docs/tutorial, {lesson['name']}, exercise {number}: {what} fails by {first}, expected {wanted}"]
    return faults or judged(program, folder, lesson, first if wanted == "any" else wanted, what)


# ---- crashlit lesson ----

def run(program, folder, *words):
    return subprocess.run([os.path.abspath(program), *words], cwd=folder, capture_output=True, text=True, timeout=SECONDS)


def judged(program, folder, lesson, fails, what):
    """Is the answer judged so by `crashlit lesson`? In a folder where nothing of the lesson is."""
    os.makedirs(f"{folder}/alone")
    shutil.copy(f"{folder}/answer.litmus", f"{folder}/alone")
    done = run(program, f"{folder}/alone", "lesson", str(lesson["number"]), "answer.litmus")
    status, said = STATUSES.get(fails, 1), "solved." if fails is None else "not solved yet."
    last = done.stdout.rstrip("\n").split("\n")[-1]
    good = done.returncode == status and last == f"Lesson {lesson['number']}: {said}"
    return [] if good else [f"crashlit lesson {lesson['number']}: {what} leaves with {done.returncode}, '{last}', expected {status}, '{said}'"]


def marked(span):
    for kind, mark in (("code", "`"), ("strong", "**"), ("em", "*")):
        if kind in span:
            return mark + span[kind] + mark
    return span.get("term") or span["text"]


def plain(block):
    """A block as `crashlit lesson` shows it, but for blanks."""
    line = lambda spans: "".join(span if isinstance(span, str) else marked(span) for span in spans)
    if block["kind"] == "text":
        return line(block["spans"])
    if block["kind"] == "list":
        return "".join("- " + line(item) for item in block["items"])
    if block["kind"] == "table":
        head, *rows = ["|" + "|".join(map(line, row)) + "|" for row in block["rows"]]
        return head + "|" + "---|" * len(block["rows"][0]) + "".join(rows)
    return block["text"]


def shown(lesson, following):
    exercise = lesson["exercises"][0]
    parts = [f"# {lesson['number']}. {lesson['title']}", *map(plain, lesson["blocks"]), f"## Exercise: {exercise['title']}",
             *map(plain, exercise["task"]), exercise["start"], f"Next: {following['title']}" if following else ""]
    return "".join("".join(parts).split())


def conditions_of(program, folder, exercise, lesson):
    options = [word for pair in lesson["exercises"][0]["pairs"][:1] for word in ("-m", pair[0], "-p", pair[1])]
    done = run(program, folder, "check", "--exercise", exercise, *options, "--format", "json", f"lesson-{lesson['number']}.litmus")
    return [(condition["kind"], condition["text"], condition["verdict"]) for condition in json.loads(done.stdout)["conditions"]]


def read_alike(program, work, lesson, following):
    """Does the program read the lesson as tools/lessons.py does?"""
    number, folder = lesson["number"], os.path.join(work, f"told-{lesson['number']}")
    os.makedirs(folder)
    told = run(program, folder, "lesson", str(number)).stdout
    text, written = told.partition("\n\n" + (lesson["files"] or [{"name": f"lesson-{number}.litmus"}])[0]["name"] + " is written:")[:2]
    files = {name: open(os.path.join(folder, name), encoding="utf-8").read() for name in os.listdir(folder)}
    wanted = {file["name"]: file["text"] for file in lesson["files"]} | {f"lesson-{number}.litmus": lesson["exercises"][0]["start"]}
    with open(f"{folder}/exercise.litmus", "w", encoding="utf-8") as out:
        out.write(lesson["exercises"][0]["exercise"])
    asked = [conditions_of(program, folder, exercise, lesson) for exercise in ("exercise.litmus", f"lesson:{number}")]
    found = {"one exercise": len(lesson["exercises"]) == 1, "its text": bool(written) and "".join(text.split()) == shown(lesson, following),
             "its files": files == wanted, "its conditions": asked[0] == asked[1]}
    return [f"crashlit lesson {number}: {what} is not what tools/lessons.py reads" for what, good in found.items() if not good]


def listed(program, work, lessons):
    told = run(program, work, "lesson").stdout.split("\n")[:-1]
    wanted = [f"{lesson['number']:2}  {lesson['name']:20} {lesson['title']}" for lesson in lessons]
    return [] if told == wanted else ["crashlit lesson does not list what tools/lessons.py reads"]


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
        found = [*pool.map(lambda case: check(program, work, *case), cases),
                 *pool.map(lambda pair: read_alike(program, work, *pair), zip(lessons, [*lessons[1:], None])), listed(program, work, lessons)]
    faults = [fault for faults in found for fault in faults]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(found) - sum(map(bool, found))} passed, {sum(map(bool, found))} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
