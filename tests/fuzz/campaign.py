"""campaign.py PROGRAM WORK COUNT SEED: mutated inputs through the whole program.

Batches of tests, models, machines, mappings, lists, records and messages of an editor are made of those of the tree by
mutation, get names that are hard to quote, and go through a command, an engine and a format that the seed chooses; or
mutated sequences of calls go through the library (fuzz_api). campaign_commands.py has a row for each command, which a
round of batches goes through in an order of its own, so a whole round leaves no command out; that a command has no row,
or another status or format than its row, is a failure. A batch counts for 20 inputs. Whatever the input, the program has to

* leave with one of the command's documented statuses, of which 70 (internal error) is none here;
* end in time: every run has --timeout, and a batch a limit of its own; what has none (generate) has to end at SIGTERM;
* show nothing of a sanitizer, and nothing but UTF-8 without control characters;
* print a well-formed document of the format, and with json a record of every file;
* leave alone the files of others in a folder that it writes to.

A batch that fails is kept in WORK/found with the command lines in a file `command`. The last line
has the sum: a batch is one check.
"""
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from xml.etree import ElementTree

from campaign_commands import BATCH, COMMANDS, Batch, table_faults

LIMIT_SECONDS, ENDS_SECONDS, MOST_BYTES = 300, 20, 64 << 20
INPUT, INTERRUPTED = 2, 143
ALARMS = re.compile(rb"AddressSanitizer|LeakSanitizer|UndefinedBehavior|runtime error:|internal error:|Assertion")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)") # but for CR LF


def well_formed_json(batch, text):
    records = [json.loads(line) for line in text.splitlines()]
    if batch.lines[0][0] != "check" or not batch.files:
        return
    # A test that expects nothing of the machine is not asked, and some are left out; without its limits a run does not begin.
    if any(word in batch.lines[0] for word in ("machine", "--filter", "--exclude", "--limits")):
        return
    # Names of files with bytes that are no UTF-8 may be written in several ways; their count may not differ.
    assert len({record["file"] for record in records} - {"crashlit"}) == len(batch.files), "a file has no record"


def well_formed_tap(batch, text):
    assert text.startswith("TAP version 13\n"), "no version line"
    cases = re.findall(r"^(?:not )?ok (\d+)", text, re.M)
    assert [int(number) for number in cases] == list(range(1, len(cases) + 1)), "numbers of cases"
    assert re.search(r"^1\.\.%d( |$)" % len(cases), text, re.M), "plan"


def well_formed_xml(batch, text):
    if text:
        ElementTree.fromstring(text)


def well_formed_svg(batch, text):
    """One picture after the other, each an XML document, or none at all."""
    for picture in re.split(r"(?=<\?xml )", text):
        well_formed_xml(batch, picture)


def well_formed_dot(batch, text):
    done = subprocess.run(["gc", "-n"], input=text.encode(), capture_output=True)  # Graphviz's reader, and no layout
    assert b"rror" not in done.stderr, done.stderr[:300]


def well_formed_html(batch, text):
    assert text.lower().startswith("<!doctype html>") and text.rstrip().endswith("</html>"), "no page"
    assert "<script>x" not in text and "<x>&amp;" not in text.replace("&lt;x&gt;", ""), "a name is not escaped"


def well_formed_messages(batch, text):
    """Frames of JSON-RPC."""
    rest = text.encode()
    while rest:
        head, found, rest = rest.partition(b"\r\n\r\n")
        size = re.fullmatch(rb"Content-Length: (\d+)", head)
        assert found and size and int(size.group(1)) <= len(rest), "a frame is not whole: %r" % head[:100]
        assert json.loads(rest[:int(size.group(1))])["jsonrpc"] == "2.0"
        rest = rest[int(size.group(1)):]


def lines_of_json(batch, text):
    for line in text.splitlines():
        json.loads(line)


READERS = {"lsp": well_formed_messages, "cuts": lines_of_json, "json": well_formed_json, "sarif": lambda batch, text: json.loads(text), "tap": well_formed_tap,
           "junit": well_formed_xml, "svg": well_formed_svg, "dot": well_formed_dot, "html": well_formed_html}


def limit_output():
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))


def run(batch, line):
    """Status, output and errors of a command line; None for the status when it did not end."""
    streams = [os.path.join(batch.folder, name) for name in (b"stdout", b"stderr")]
    with open(streams[0], "wb") as out, open(streams[1], "wb") as err:
        process = subprocess.Popen([batch.program, *line], stdin=subprocess.PIPE, stdout=out, stderr=err,
                                   preexec_fn=limit_output)
        status = await_end(batch, process)
    texts = []
    for path in streams:
        with open(path, "rb") as file:
            texts.append(file.read())
        os.remove(path)
    return status, texts[0], texts[1]


def await_end(batch, process):
    try:
        process.stdin.write(batch.input)
        process.stdin.flush()
        if batch.format == "lsp":
            time.sleep(batch.rng.choice((0, 0.05, 0.3)))  # the end of input is the end of what it was asked
        process.stdin.close()
    except BrokenPipeError:
        pass
    try:
        return process.wait(batch.patience or LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    try:
        process.terminate()
        return process.wait(ENDS_SECONDS) if batch.patience else None
    except subprocess.TimeoutExpired:
        return None
    finally:
        process.kill()
        process.wait()


def text_faults(name, stream):
    alarm = ALARMS.search(stream)
    if alarm:
        yield "%s: %r" % (name, stream[max(0, alarm.start() - 80):alarm.end() + 200])
    try:
        text = stream.decode()
        control = CONTROL.search(text)
        if control:
            yield "%s: control character in %r" % (name, text[max(0, control.start() - 60):control.end() + 20])
    except UnicodeDecodeError as error:
        yield "%s: %s" % (name, error)


def document_faults(batch, kind, text):
    try:
        READERS.get(kind, lambda batch, text: None)(batch, text.decode("utf-8", "replace"))
    except (AssertionError, ValueError, KeyError, TypeError, ElementTree.ParseError) as error:
        yield "%s: %s" % (kind, error)


def report_faults(batch, line):
    """Of what is in a file: --format NAME=FILE."""
    for word in line:
        kind, found, path = word.partition(b"=") if isinstance(word, bytes) else (b"", b"", b"")
        if found and path.endswith(b".report") and os.path.exists(path):
            with open(path, "rb") as file:
                text = file.read()
            yield from text_faults(path, text)
            yield from document_faults(batch, kind.decode(), text)


def folder_faults(batch):
    for name, path in batch.kept.items():
        with open(path, "rb") as file:
            if file.read() != b"kept\n":
                yield "%s is not as it was" % name


def line_faults(batch, line):
    status, out, err = run(batch, line)
    if status is None:
        return ["not ended after %d s" % (batch.patience or LIMIT_SECONDS)]
    found = []
    if status not in (*batch.row.statuses, INPUT) and not (batch.patience and status == INTERRUPTED):
        found.append("status %d" % status)
    found += [*text_faults("output", out), *text_faults("errors", err), *report_faults(batch, line)]
    if status != INTERRUPTED and (out or status != INPUT):
        found += document_faults(batch, batch.format, out)
    return found


def faults(batch):
    found = [fault for line in batch.lines for fault in line_faults(batch, line)]
    return found + list(folder_faults(batch))


def keep(batch, work, number, found):
    folder = os.path.join(work, "found", str(number))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    shutil.copytree(batch.folder.decode(), folder)
    with open(os.path.join(folder, "command"), "w", errors="surrogateescape") as file:
        for line in batch.lines:
            file.write(" ".join(repr(os.fsdecode(word)) for word in line) + "\n")
        file.write("\n".join(found) + "\n")
    print("failed: batch %d (%s): %s" % (number, folder, "; ".join(found)[:1500]), flush=True)


def round_of(seed, number):
    """Every way of every command, as often as its row says, in an order of the round's own."""
    ways = [(row, way) for row in COMMANDS.values() for way in row.ways]
    random.Random("%d.round.%d" % (seed, number)).shuffle(ways)
    return ways


def main(program, work, count, seed):
    shutil.rmtree(os.path.join(work, "found"), ignore_errors=True)
    wrong = table_faults(program)
    for fault in wrong:
        print("failed: " + fault)
    passed, failed, size = 1 - bool(wrong), len(wrong), len(round_of(seed, 0))
    for number in range((count + BATCH - 1) // BATCH):
        batch = Batch(random.Random("%d.%d" % (seed, number)), program, os.path.join(work, "batch").encode())
        batch.make(*round_of(seed, number // size)[number % size])
        found = faults(batch)
        if found:
            keep(batch, work, number, found)
            failed += 1
        else:
            passed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
