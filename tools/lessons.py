"""lessons.py [FOLDER [GLOSSARY]]: the lessons of docs/tutorial as JSON, for the page and for the tests.

A lesson is Markdown that reads as a text anywhere; here it is read strictly, so that a slip in one fails the build. Its form is told in
docs/tutorial/README.md. What is not of that form is an error with its place, and status 1.
"""
import json
import os
import re
import sys

FENCE = re.compile(r"^```(\S+)(?: (.*))?$")
CHECKED, SOLUTION, WRONG = "What the check asks besides", "A solution", "Wrong answers"
INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)")
LOOSE = re.compile(r"[`*<>\[\]_]")
DEMAND = re.compile(r"^(narrow|(?:crash|final|recovered) .*\S)\s+// (\S.*)$")
EXPECT = re.compile(r"^expect ([\w.-]+)\s*\+\s*([\w.-]+)\s*: (\w+)$", re.M)
FAILS = re.compile(r"^fails=(\d+|frame|undefined|unreadable|narrow)$")


class Fault(Exception):
    pass


class Lesson:
    def __init__(self, path, glossary, names):
        self.path, self.glossary, self.names = path, glossary, names
        self.lines = open(path, encoding="utf-8").read().split("\n")
        self.at = 0
        self.words, self.tests = [], []

    def fail(self, words, at=None):
        raise Fault(f"{self.path}:{(self.at if at is None else at) + 1}: {words}")

    # ---- Lines ----

    def ended(self):
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        return self.at >= len(self.lines)

    def here(self):
        return "" if self.ended() else self.lines[self.at]

    def take(self, wanted):
        if self.here() != wanted:
            self.fail(f"found {self.here()!r}, expected {wanted!r}")
        self.at += 1

    def run_of(self, belongs):
        first = self.at
        while self.at < len(self.lines) and self.lines[self.at].strip() and belongs(self.lines[self.at]):
            self.at += 1
        return self.lines[first:self.at]

    # ---- Text: a list of words as they are, and of what is marked ----

    def link(self, text, target):
        if target.endswith("semantics.md#glossary"):
            word = next((w for w in (text.lower(), text.lower().rstrip("s"), text.lower().removesuffix("es")) if w in self.glossary), None)
            if not word:
                self.fail(f"'{text}' is no word of the glossary")
            if word not in self.words:
                self.words.append(word)
            return {"term": text, "meaning": self.glossary[word]}
        test = re.fullmatch(r"\.\./\.\./litmus/([\w-]+)/([\w-]+)\.litmus", target)
        if test and os.path.exists(os.path.join(os.path.dirname(self.path), target)):
            self.tests.append("/".join(test.groups()))
            return {"test": test.group(2), "text": text}
        if target in self.names:
            return {"lesson": lesson_name(target), "text": text}
        if not os.path.exists(os.path.join(os.path.dirname(self.path), target.split("#")[0])):
            self.fail(f"there is no '{target}'")
        return text

    def spans(self, text):
        spans, end = [], 0
        for match in INLINE.finditer(text):
            spans.append(text[end:match.start()])
            code, strong, emphasis, label, target = match.groups()
            spans.append({"code": code} if code else {"strong": strong} if strong else {"em": emphasis} if emphasis else self.link(label, target))
            end = match.end()
        spans.append(text[end:])
        for plain in spans:
            if isinstance(plain, str) and LOOSE.search(plain):
                self.fail(f"'{LOOSE.search(plain).group()}' stands alone; known are `code`, *emphasis*, **strong** and [words](links)", self.at - 1)
        return [span for span in spans if span != ""]

    # ---- Blocks ----

    def fence(self):
        """Kind, words behind it, text."""
        first = self.at
        match = FENCE.match(self.here())
        if not match:
            self.fail("expected a fenced block")
        self.at += 1
        while self.at < len(self.lines) and self.lines[self.at] != "```":
            self.at += 1
        if self.at == len(self.lines):
            self.fail("this block is not closed", first)
        self.at += 1
        return match.group(1), (match.group(2) or "").split(), "\n".join(self.lines[first + 1:self.at - 1]) + "\n"

    def block(self):
        line = self.here()
        if line.startswith("```"):
            kind, words, text = self.fence()
            if kind not in ("litmus", "cat", "console", "text"):
                self.fail(f"a block of kind '{kind}' has no place here")
            name = next((word for word in words if "." in word and "=" not in word), None)
            return {"kind": "plain" if kind == "text" else kind, "name": name, "text": text}
        if line.startswith("- "):
            items = []
            for part in self.run_of(lambda text: text.startswith(("- ", "  "))):
                if part.startswith("- "):
                    items.append(part[2:])
                else:
                    items[-1] += " " + part.strip()
            return {"kind": "list", "items": [self.spans(item) for item in items]}
        if line.startswith("|"):
            rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in self.run_of(lambda text: text.startswith("|"))]
            if len(rows) < 3 or any(len(row) != len(rows[0]) for row in rows) or set("".join(rows[1])) - set("-: "):
                self.fail("a table has a head, a line of dashes, and rows as wide as these")
            return {"kind": "table", "rows": [[self.spans(cell) for cell in row] for row in rows[:1] + rows[2:]]}
        if re.match(r"[#<>!+=]|\* |\d+[.)] ", line):
            self.fail("known are paragraphs, lists with '- ', tables and fenced blocks")
        text = " ".join(part.strip() for part in self.run_of(lambda text: not text.startswith(("```", "- ", "|", "<", "#"))))
        return {"kind": "text", "spans": self.spans(text)}

    def blocks(self, ends):
        found = []
        while not self.ended() and not ends(self.here()):
            found.append(self.block())
        return found

    # ---- Exercises ----

    def edited(self, text, edit):
        """What a block of `diff` makes of a text: its lines ` ` and `-` stand there once, one behind the other."""
        lines = text.rstrip("\n").split("\n")
        for part in re.split(r"^@@\n", edit, flags=re.M):
            rows = part.rstrip("\n").split("\n")
            if any(row[:1] not in (" ", "-", "+") for row in rows):
                self.fail("lines of an edit begin with ' ', '-' or '+'")
            old = [row[1:] for row in rows if row[0] != "+"]
            new = [row[1:] for row in rows if row[0] != "-"]
            places = [i for i in range(len(lines) - len(old) + 1) if lines[i:i + len(old)] == old]
            if not old or len(places) != 1:
                self.fail(f"the lines that the edit begins with stand {len(places)} times in the test, and have to stand there once")
            lines[places[0]:places[0] + len(old)] = new
        return "\n".join(lines) + "\n"

    def details(self, title):
        self.take("<details>")
        self.take(f"<summary>{title}</summary>")
        return lambda line: line == "</details>"

    def demands(self, start):
        closing = self.details(CHECKED)
        about = self.blocks(lambda line: line.startswith("```conditions") or closing(line))
        kind, _, text = self.fence()
        if kind != "conditions":
            self.fail("expected a block of kind 'conditions'")
        rows = [DEMAND.match(row) for row in text.rstrip("\n").split("\n")]
        if not all(rows):
            self.fail("a line is a condition, or 'narrow', and behind it '// what it asks for'")
        about += self.blocks(closing)
        self.take("</details>")
        hidden = [row.groups() for row in rows if row.group(1) != "narrow"]
        narrow = next((row.group(2) for row in rows if row.group(1) == "narrow"), None)
        exercise = start + "".join(f"{condition}\n" for condition, _ in hidden)
        return {"about": about, "exercise": exercise, "asked": [says for _, says in hidden], "narrow": narrow}

    def answers(self, title, start):
        """Text, then the edit that it is about, and so on."""
        closing = self.details(title)
        found = []
        while self.here() != "</details>":
            about = self.blocks(lambda line: line.startswith("```diff") or closing(line))
            kind, words, edit = self.fence()
            if kind != "diff" or not about:
                self.fail("expected a text, and a block of kind 'diff' behind it")
            fails = FAILS.match(words[0]) if words else None
            if (title == WRONG) != bool(fails):
                self.fail("a wrong answer says behind 'diff' by what it fails, such as fails=1, and a solution does not")
            found.append({"about": about, "text": self.edited(start, edit), "fails": fails.group(1) if fails else None})
        self.take("</details>")
        return found

    def exercise(self):
        title = self.here().removeprefix("## Exercise: ")
        self.at += 1
        task = self.blocks(lambda line: line.startswith("```litmus start"))
        kind, words, start = self.fence()
        if kind != "litmus" or not words or not re.fullmatch(r"start[\w-]*\.litmus", words[0]):
            self.fail("expected a block 'litmus start.litmus'")
        shown = len(re.findall(r"^(?:crash|final|recovered) ", start, re.M))
        pairs = [[v, p] for v, p, _ in EXPECT.findall(start)] or [["hrf-direct", "epoch"]]
        found = {"title": title, "task": task, "file": words[0], "start": start, "shown": shown, "pairs": pairs}
        found.update(self.demands(start))
        solutions = self.answers(SOLUTION, start)
        if len(solutions) != 1:
            self.fail("expected one solution")
        found["solution"] = solutions[0]
        found["wrong"] = self.answers(WRONG, start)
        if len(found["wrong"]) < 3:
            self.fail("expected three wrong answers and more")
        return found

    # ---- The whole ----

    def read(self, number, following):
        match = re.fullmatch(r"# (\d+)\. (\S.*)", self.here())
        if not match or int(match.group(1)) != number:
            self.fail(f"expected '# {number}. TITLE'")
        self.at += 1
        ends = lambda line: line.startswith(("## ", "Next: ", "<details>"))
        body, exercises = self.blocks(ends), []
        while self.here().startswith("## "):
            if not self.here().startswith("## Exercise: "):
                self.fail("expected '## Exercise: TITLE'")
            exercises.append(self.exercise())
        if not exercises:
            self.fail("a lesson has an exercise")
        if following:
            self.take(f"Next: [{following[0]}]({following[1]})")
        if not self.ended():
            self.fail("nothing stands behind the last exercise but the way to the next lesson")
        files = [block for block in body if block["kind"] == "cat"]
        return {"number": number, "name": lesson_name(self.path), "title": match.group(2), "blocks": body, "exercises": exercises,
                "files": [{"name": block["name"], "text": block["text"]} for block in files],
                "tests": self.tests, "words": [[word, self.glossary[word]] for word in self.words]}


def lesson_name(path):
    return re.sub(r"^\d\d-|\.md$", "", os.path.basename(path))


def read_glossary(path):
    text = open(path, encoding="utf-8").read().split("## Glossary", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| ([^|]+) \| (.+) \|$", text, re.M)
    words = {}
    for heads, meaning in rows[1:]:
        for head in heads.split(","):
            words[head.strip().strip("`")] = meaning.replace("\\|", "|").replace("`", "")
    return words


def title_of(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^# \d+\. ", "", file.readline().strip())


def read_lessons(folder="docs/tutorial", glossary="docs/models/semantics.md"):
    files = sorted(file for file in os.listdir(folder) if re.match(r"\d\d-[\w-]+\.md$", file))
    words = read_glossary(glossary)
    lessons = []
    for i, file in enumerate(files):
        if int(file[:2]) != i + 1:
            raise Fault(f"{folder}/{file}: expected a lesson of number {i + 1}")
        following = (title_of(os.path.join(folder, files[i + 1])), files[i + 1]) if i + 1 < len(files) else None
        lessons.append(Lesson(os.path.join(folder, file), words, files).read(i + 1, following))
    if not lessons:
        raise Fault(f"{folder}: there are no lessons")
    return lessons


if __name__ == "__main__":
    try:
        json.dump(read_lessons(*sys.argv[1:]), sys.stdout, indent=1)
        print()
    except (Fault, OSError) as fault:
        sys.exit(f"lessons: {fault}")
