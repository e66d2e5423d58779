#!/usr/bin/env python3
"""ci.py CRASHLIT WORK: the workflows of examples/, step by step: the lines of their scripts are run as a runner does, in
checkouts of a scratch repository, job by job, with a pull request that changes a model and a push to the main branch.

What a runner has is there: a shell, git, awk and what else Debian has, crashlit, and the variables of the server. Stubs
stand for what needs a network: `gh` and `curl` write down what they are asked to send. Of actions only what they move is
done: checkouts, artifacts from job to job, and caches from run to run."""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys

PROGRAM, WORK = os.path.abspath(sys.argv[1]), os.path.join(os.path.abspath(sys.argv[2]), "ci")
EXAMPLES = os.path.abspath("examples")
counts = collections.Counter()

OLD = """ours "writes are durable in order, and a barrier stalls"
let persist-before = po
include "stall.cat"
"""
STALL = "let durable-before = [W]; po; [PB]\n"
NEW = OLD.replace("= po\n", "= po; [PB]; po\n")
# Of the old model: x is durable before y, and the barrier stalls. Under the new one `two` is violated: nothing orders x and
# y, and `behind` has a barrier between.
TESTS = {
    "two": ("*x = 1; *y = 1;", "crash ~exists (x = 0 /\\ y = 1)"),
    "behind": ("*x = 1; p_barrier(wi_scope); *y = 1;", "crash ~exists (x = 0 /\\ y = 1)"),
    "stall": ("*x = 1; p_barrier(wi_scope); int ended = 1;", "crash ~exists (x = 0 /\\ 0:ended = 1)"),
    "free": ("*x = 1; int r = *y;", "crash exists (x = 0 /\\ 0:r = 0)"),
}


def verdict(holds, what):
    counts[bool(holds)] += 1
    if not holds:
        print("failed:", what)


def put(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read()


def forget(*names):
    for name in names:
        if os.path.exists(f"{WORK}/{name}"):
            os.remove(f"{WORK}/{name}")


def git(folder, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def begin():
    """The repository: main, and a pull request `weaker`."""
    shutil.rmtree(WORK, ignore_errors=True)
    origin = WORK + "/origin"
    put(origin + "/tests/ours.cat", OLD)
    put(origin + "/tests/stall.cat", STALL)
    for name, (body, condition) in TESTS.items():
        put(f"{origin}/tests/{name}.litmus", f"OPENCL {name}\n{{ nvm x = 0; nvm y = 0; }}\nP0 (global int* x, global int* y) {{ {body} }}\n"
            f"{condition}\nexpect sc + ours.cat : ok\n")
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "main")
    git(origin, "checkout", "-q", "-b", "weaker")
    put(origin + "/tests/ours.cat", NEW)
    git(origin, "commit", "-q", "-a", "-m", "weaker")
    git(origin, "checkout", "-q", "-b", "included", "main")
    put(origin + "/tests/stall.cat", STALL.replace("[PB]", "[F]")) # so `stall` is violated
    git(origin, "commit", "-q", "-a", "-m", "included")
    git(origin, "checkout", "-q", "weaker")
    # A test that comes first moves others to another part: of a0, behind, free, stall and two the first has three.
    git(origin, "checkout", "-q", "-b", "added", "main")
    put(origin + "/tests/a0.litmus", read(origin + "/tests/two.litmus").replace("OPENCL two", "OPENCL a0"))
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "added")
    git(origin, "checkout", "-q", "weaker")
    os.makedirs(WORK + "/tmp")
    # One that brings answers of its own.
    git(origin, "checkout", "-q", "-b", "forged")
    put(origin + "/.crashlit-cache/0.answers", "ok\n")
    git(origin, "add", "-f", ".")
    git(origin, "commit", "-q", "-m", "forged")
    put(WORK + "/bin/crashlit", f'#!/bin/sh\nexec "{PROGRAM}" "$@"\n', 0o755)
    for stub in ("gh", "curl"):
        put(f"{WORK}/bin/{stub}", f'#!/bin/sh\nprintf "%s\\n" "$@" >>"{WORK}/sent.{stub}"\n', 0o755)


class Job:
    """A fresh checkout of a branch, or that of an earlier job, cleaned, and what the server says there."""

    def __init__(self, run, name, branch, server, again=False):
        self.folder, self.store = f"{WORK}/{run}/{name}/checkout", f"{WORK}/{run}/artifacts"
        os.makedirs(self.store, exist_ok=True)
        if again:
            git(self.folder, "clean", "-ffdx")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
            subprocess.run(["git", "clone", "-q", "-b", branch, WORK + "/origin", self.folder], check=True)
        self.env = {"PATH": WORK + "/bin:/usr/bin:/bin", "HOME": f"{WORK}/{run}/{name}", "LANG": "C.UTF-8", "CI": "true",
                    "TMPDIR": f"{WORK}/tmp", **server}
        # A server says nothing of the sanitizers that a build may have.
        self.env.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ})

    def script(self, text, env, options="-e"):
        """The last lines of a runner's log, and the status."""
        put(self.folder + "/../step.sh", text)
        done = subprocess.run(["sh", *options.split(), "../step.sh"], cwd=self.folder, env={**self.env, **env}, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout + done.stderr

    def restore(self, path, key):
        """A folder that stays from run to run, where there is one."""
        if os.path.isdir(f"{WORK}/cache/{key}"):
            shutil.copytree(f"{WORK}/cache/{key}", f"{self.folder}/{path}", dirs_exist_ok=True)

    def save(self, path, key):
        shutil.rmtree(f"{WORK}/cache/{key}", ignore_errors=True)
        shutil.copytree(f"{self.folder}/{path}", f"{WORK}/cache/{key}")

    def keep(self, patterns):
        for pattern in patterns:
            for path in glob.glob(f"{self.folder}/{pattern}"):
                shutil.copy(path, self.store)

    def fetch(self, pattern):
        for path in glob.glob(f"{self.store}/{pattern}"):
            shutil.copy(path, self.folder)


# ---- GitHub ----

def filled(text, context):
    """Expressions of the workflow; each has to be known."""
    def value(match):
        verdict(match.group(1) in context, f"the workflow's expression {match.group(1)} is known")
        return context.get(match.group(1), "")
    return re.sub(r"\$\{\{ *(.*?) *\}\}", value, str(text))


def github_step(job, step, context, told):
    uses, given = step.get("uses", ""), step.get("with", {})
    if uses.startswith("actions/cache"):
        key, older = filled(given["key"], context), filled(given["restore-keys"], context)
        verdict(key.startswith(older), "an older cache can be had by the newer one's beginning")
        job.restore(given["path"], "github-" + older)
    if uses.startswith("actions/upload-artifact"):
        job.keep(given["path"].split())
    elif uses.startswith("actions/download-artifact"):
        job.fetch(given["pattern"])
    elif "run" in step:
        verdict("${{" not in step["run"], "no expression stands in a script, where a branch's name would be code")
        verdict(step.get("shell") == "sh", "a script says its shell")
        env = {name: filled(value, context) for name, value in step.get("env", {}).items()}
        status, text = job.script(step["run"], env)
        told.append((status, text))
        return status == 0
    return True


def github_job(flow, run, name, branch, context, again=False):
    """The statuses and logs of its steps; after one that fails those alone that run always."""
    server = {"EXAMPLES": EXAMPLES, "GITHUB_REPOSITORY": "team/models", "GITHUB_STEP_SUMMARY": WORK + "/summary"}
    job, told, fine = Job(run, f"{name}-{context.get('matrix.shard', '')}", branch, server, again), [], True
    for key, value in flow["env"].items():
        job.env.setdefault(key, str(value))
    for step in flow["jobs"][name]["steps"]:
        if fine or step.get("if") == "always()":
            fine &= github_step(job, step, context, told)
    for step in flow["jobs"][name]["steps"]:
        if step.get("uses", "").startswith("actions/cache@"):
            job.save(step["with"]["path"], "github-" + filled(step["with"]["restore-keys"], context))
    return job, told


def github(flow):
    for run, branch in (("push", "main"), ("again", "main"), ("added", "added"), ("pull", "weaker")):
        context = {"github.base_ref": "main", "github.event.pull_request.number": "7", "github.token": "none", "github.sha": "0123",
                   "github.event.pull_request.head.repo.full_name": "team/models"}
        for shard in flow["jobs"]["check"]["strategy"]["matrix"]["shard"]:
            job, told = github_job(flow, run, "check", branch, {**context, "matrix.shard": str(shard)})
            verdict(told[0][0] == 0, f"{run}: part {shard} is checked: {told[0][1][-300:]}")
            check_cache(told[0][1], run, int(shard))
        if run == "added":
            continue
        report, told = github_job(flow, run, "report", branch, context)
        wanted = 1 if run == "pull" else 0
        verdict(told[0][0] == wanted, f"{run}: the whole run leaves with {wanted} (it was {told[0][0]}): {told[0][1][-300:]}")
        notes = [line for line in told[0][1].splitlines() if line.startswith("::")]
        verdict([note.split(",")[0] for note in notes] == ["::error file=tests/two.litmus"] * wanted, f"{run}: what fails is annotated: {notes}")
        check_reports(run, report, wanted)
    # A part that is lost: each report lacks two answers, and says so.
    shutil.copytree(WORK + "/pull/artifacts", WORK + "/lost/artifacts")
    os.remove(WORK + "/lost/artifacts/part-2.jsonl")
    lost, told = github_job(flow, "lost", "report", "weaker", context)
    notes = [line for line in told[0][1].splitlines() if line.startswith("::error::no answer for tests/")]
    verdict(told[0][0] == 2 and len(notes) == 2, f"what is lost is annotated: {told[0][1][-300:]}")
    verdict(read(lost.folder + "/litmus.sarif").count('"text":"no answer for tests/') == 2, "and SARIF has it")
    check_lost(lost)
    shutil.copy(report.folder + "/run.jsonl", WORK + "/known.jsonl")
    report, told = github_job({**flow, "env": {**flow["env"], "KNOWN": WORK + "/known.jsonl"}}, "pull", "report", "weaker", context)
    verdict(told[0][0] == 0 and "::" not in told[0][1], f"what is known neither fails nor is annotated: {told[0][1][-300:]}")
    check_reports("pull", report, 1, known=True)
    verdict(read(report.folder + "/litmus.sarif").count('"kind":"external"') == 2, "and SARIF has both results of it, the condition and the verdict, as suppressed")
    job, told = github_job(flow, "pull", "review", "weaker", context)
    verdict(told[0][0] == 0, f"the review leaves with 0: {told[0][1][-300:]}")
    sent = read(WORK + "/sent.gh").split()
    verdict(sent == ["pr", "comment", "7", "--body-file", "review.md"], f"it is sent as a comment: {sent}")
    check_review(job)
    # A token of a fork may only read: nothing is sent, and the summary has the review. A runner may keep its folders.
    forget("sent.gh", "summary")
    fork = {**context, "github.event.pull_request.head.repo.full_name": "stranger/models"}
    job, told = github_job(flow, "pull", "review", "weaker", fork, again=True)
    verdict(told[0][0] == 0 and not read(WORK + "/sent.gh"), f"of a fork nothing is sent: {told[0][1][-300:]}")
    verdict(read(WORK + "/summary") == read(job.folder + "/review.md") != "", "and the summary has the review")
    job, told = github_job(flow, "included", "review", "included", context)
    verdict(told[0][0] == 0 and "**`tests/stall.litmus`**" in read(job.folder + "/review.md"), f"what the model includes is reviewed: {told[0][1][-300:]}")
    forget("sent.gh")
    job, told = github_job(flow, "pull", "mutate", "weaker", context)
    check_mutate(told[0], github_job({**flow, "env": {**flow["env"], "SCORE": 100}}, "pull", "mutate", "weaker", context)[1][0])
    # Where the model is as it was there is nothing to review, and nothing is sent.
    job, told = github_job(flow, "same", "review", "main", context)
    verdict(told[0][0] == 0 and not read(WORK + "/sent.gh"), "without a change of the model nothing is sent")
    job, told = github_job(flow, "forged", "check", "forged", {**context, "matrix.shard": "1"})
    verdict(told[0][0] != 0 and "answers are from" not in told[0][1], "answers that a request brings are not looked at")


# ---- GitLab ----

def gitlab_job(flow, run, name, branch, server, again=False):
    job = Job(run, f"{name}-{server.get('CI_NODE_INDEX', '')}", branch, server, again)
    for key, value in flow["variables"].items():
        job.env.setdefault(key, str(value))
    if flow[name].get("needs") != []:
        job.fetch("*")
    caches = [(cache["paths"][0], cache["key"].replace("$CI_NODE_INDEX", server.get("CI_NODE_INDEX", "")), cache.get("policy"))
              for cache in flow[name].get("cache", ())]
    for path, key, _ in caches:
        job.restore(path, "gitlab-" + key)
    status, text = job.script("\n".join(flow[name]["script"]) + "\n", {})
    for path, key, policy in caches:
        if policy != "pull":
            job.save(path, "gitlab-" + key)
    kept = flow[name].get("artifacts", {})
    if status == 0 or kept.get("when") == "always":
        job.keep(kept.get("paths", []))
    return job, status, text


def check_pipelines(flow):
    """A request has one pipeline, with all jobs: one without rules is left out of it where others have some."""
    request = '$CI_PIPELINE_SOURCE == "merge_request_event"'
    verdict([rule.get("if") for rule in flow["workflow"]["rules"]][0] == request, "a request has a pipeline")
    verdict(flow["workflow"]["rules"][1].get("when") == "never", "and its branch has no second one")
    for name in ("check", "report", "review", "mutate"):
        verdict(any(rule.get("if", request) == request for rule in flow[name]["rules"]), f"{name} is in it")


def gitlab(flow):
    check_pipelines(flow)
    server = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_API_V4_URL": "https://git.example/api/v4", "CI_PROJECT_ID": "3",
              "CI_MERGE_REQUEST_IID": "7", "REVIEW_TOKEN": "none", "CI_NODE_TOTAL": str(flow["check"]["parallel"])}
    for run, branch in (("gitlab-push", "main"), ("gitlab-again", "main"), ("gitlab-added", "added"), ("gitlab-merge", "weaker")):
        for index in range(flow["check"]["parallel"]):
            job, status, text = gitlab_job(flow, run, "check", branch, {**server, "CI_NODE_INDEX": str(index + 1)})
            verdict(status == 0, f"{run}: part {index + 1} is checked: {text[-300:]}")
            check_cache(text, run.replace("gitlab-", ""), index + 1)
        if branch == "added":
            continue
        wanted = 1 if branch == "weaker" else 0
        job, status, text = gitlab_job(flow, run, "report", branch, server)
        verdict(status == wanted, f"{run}: the whole run leaves with {wanted} (it was {status}): {text[-300:]}")
        check_reports(run, job, wanted)
    shutil.copytree(WORK + "/gitlab-merge/artifacts", WORK + "/gitlab-lost/artifacts")
    os.remove(WORK + "/gitlab-lost/artifacts/part-2.jsonl")
    lost, status, text = gitlab_job(flow, "gitlab-lost", "report", "weaker", server)
    verdict(status == 2, f"a part that is lost fails (it was {status}): {text[-300:]}")
    check_lost(lost)
    shutil.copy(job.folder + "/run.jsonl", WORK + "/known.jsonl")
    known = {**flow, "variables": {**flow["variables"], "KNOWN": WORK + "/known.jsonl"}}
    job, status, text = gitlab_job(known, "gitlab-merge", "report", "weaker", server)
    verdict(status == 0, f"what is known does not fail (it was {status}): {text[-300:]}")
    check_reports("gitlab-merge", job, 1, known=True)
    job, status, text = gitlab_job(flow, "gitlab-merge", "review", "weaker", server)
    verdict(status == 0, f"the review leaves with 0: {text[-300:]}")
    sent = read(WORK + "/sent.curl").split()
    verdict("body@review.md" in sent and sent[-1] == "https://git.example/api/v4/projects/3/merge_requests/7/notes", f"it is sent as a comment: {sent}")
    check_review(job)
    job, status, text = gitlab_job(flow, "gitlab-merge", "review", "weaker", server, again=True)
    verdict(status == 0, f"a second review in the folder of the first leaves with 0: {text[-300:]}")
    check_review(job)
    job, status, text = gitlab_job(flow, "gitlab-included", "review", "included", server)
    verdict(status == 0 and "**`tests/stall.litmus`**" in read(job.folder + "/review.md"), f"what the model includes is reviewed: {text[-300:]}")
    job, status, text = gitlab_job(flow, "gitlab-merge", "mutate", "weaker", server)
    whole = gitlab_job({**flow, "variables": {**flow["variables"], "SCORE": 100}}, "gitlab-merge", "mutate", "weaker", server)
    check_mutate((status, text), whole[1:])
    job, status, text = gitlab_job(flow, "gitlab-forged", "check", "forged", {**server, "CI_NODE_INDEX": "1"})
    verdict(status != 0 and "answers are from" not in text, "answers that a request brings are not looked at")


# ---- What both leave ----

def check_cache(text, run, shard):
    """A part has two of the four tests. The second run of the same asks none, and another model's answers are others. A new
    test alone is asked, wherever the others are now."""
    wanted = 2 if run in ("again", "added") else 0
    of = 3 if run == "added" and shard == 1 else 2
    verdict(f"crashlit: {wanted} of {of} answers are from '.crashlit-cache'" in text, f"{run}: {wanted} of {of} answers are from the cache: {text[-200:]}")


def check_reports(run, job, failures, known=False):
    verdicts = [json.loads(line)["verdict"] for line in read(job.folder + "/run.jsonl").splitlines()]
    verdict(sorted(verdicts) == ["ok"] * (4 - failures) + ["violated"] * failures, f"{run}: the whole has each test once: {verdicts}")
    junit = read(job.folder + "/litmus.xml")
    verdict(junit.count("<testcase") == 4 and junit.count("<skipped" if known else "<failure") == failures and
            junit.count("<failure") + junit.count("<skipped") == failures, f"{run}: JUnit has four cases, and {failures} {'is skipped' if known else 'fail'}")


def check_lost(job):
    junit = read(job.folder + "/litmus.xml")
    verdict(junit.count("<error") == junit.count('message="no answer for tests/') == 2, f"JUnit has an error for each of two answers that are lost: {junit[-300:]}")
    verdict(read(job.folder + "/run.jsonl").count('"text":"no answer for tests/') == 2, "and so have the records")


def check_review(job):
    page = read(job.folder + "/review.md")
    verdict(re.match(r"Summary: \S+/tests/ours.cat → tests/ours.cat: changed: 1 of 4 verdicts", page), f"the comment says what changed: {page[:200]}")
    verdict("**`tests/two.litmus`** under `sc`: ok, now violated (expected ok)" in page, "and of which test")
    verdict("<figure" in read(job.folder + "/review.html"), "the page has a picture")
    verdict(not os.listdir(WORK + "/tmp"), "the folder of the base is gone")


def check_mutate(told, whole):
    """Each change of durable-before that says something is noticed by `stall` or by `free`. Of persist-before that its barrier
    is gone is not, as `two` is violated already. So half is reached, and all is not."""
    verdict(told[0] == 0 and whole[0] == 1, f"the score is at least 50, and less than 100: {told[1][-200:]}")
    verdict(re.search(r"^Alive: tests/ours.cat:2:.*: persist-before: without '; \[PB\]'$", told[1], re.M), "what is not noticed is named")


def main():
    try:
        import yaml
    except ImportError:
        if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"): # Debian's has its package
            os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
        print("this python has no yaml (Debian: python3-yaml), which reads the workflows")
        print("0 passed, 1 failed")
        return 1
    begin()
    with open("examples/github-actions.yml") as file:
        github(yaml.safe_load(file))
    with open("examples/gitlab-ci.yml") as file:
        gitlab(yaml.safe_load(file))
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] > 0


sys.exit(main())
