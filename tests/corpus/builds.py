"""builds.py PROGRAM WORK: has a kernel of ours the same verdicts from all builds?

Each litmus/cuda/*.cu is compiled by nvcc as it is by default, for debugging (-G) and for sm_80 and
sm_90, and by clang at -O0 and -O3; each test of it is then checked with each of these files. The
verdict has to be the one that the test expects. A kernel that is not read from some build is told,
with the reason, and has to stand in UNREAD below, or the other way round. What is not installed is
left out with a word.
"""
import os
import re
import shutil
import subprocess
import sys

SOURCES = "litmus/cuda"
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
CLANG = ["clang", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
         "-gline-tables-only", "-Xclang", "-target-feature", "-Xclang", "+ptx60", "-Wno-unknown-cuda-version", "-S"]
BUILDS = {"nvcc": [NVCC, "-ptx", "-lineinfo"], "nvcc-G": [NVCC, "-ptx", "-G"],
          "nvcc-sm_80": [NVCC, "-ptx", "-arch=sm_80"], "nvcc-sm_90": [NVCC, "-ptx", "-arch=sm_90"],
          "clang-O0": CLANG + ["-O0"], "clang-O3": CLANG + ["-O3"]}
# Tests that are refused from a build: (test, build). Without optimisation each pointer may lead to memory of the thread's
# own, and clang takes the address of a structure by value.
UNREAD = {(test, build) for test in ("list", "list-early") for build in ("nvcc-G", "clang-O0")}
UNREAD |= {("calls", "clang-O0"), ("calls-late", "clang-O0")}


def is_compiled(source, command):
    """Without the toolkit clang has no cooperative groups."""
    with open(os.path.join(SOURCES, source)) as file:
        return command[0] != "clang" or "cooperative_groups" not in file.read()


def compile_all(folder):
    made = []
    for build, command in BUILDS.items():
        if not shutil.which(command[0]):
            print("no %s: %s is left out" % (os.path.basename(command[0]), build))
            continue
        os.makedirs(os.path.join(folder, build))
        for source in sorted(name for name in os.listdir(SOURCES) if name.endswith(".cu")):
            if is_compiled(source, command):
                into = os.path.join(folder, build, source[:-3] + ".ptx")
                subprocess.run(command + [os.path.join(SOURCES, source), "-o", into], check=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        made.append(build)
    return made


def write_tests(folder, build):
    """Those of the files beside the sources, as nvcc's."""
    names = []
    for test in sorted(os.listdir(SOURCES)):
        if not test.endswith(".litmus"):
            continue
        with open(os.path.join(SOURCES, test)) as file:
            text = file.read()
        code = re.search(r'^code "([a-z]+)\.ptx"$', text, re.M)
        if code and os.path.exists(os.path.join(folder, build, code.group(1) + ".ptx")):
            with open(os.path.join(folder, build, test), "w") as file:
                file.write(text)
            names.append(test[:-len(".litmus")])
    return names


def main():
    program, work = sys.argv[1:3]
    folder = os.path.join(work, "builds")
    shutil.rmtree(folder, ignore_errors=True)
    passed, faults = 0, []
    for build in compile_all(folder):
        tests = write_tests(folder, build)
        run = subprocess.run([program, os.path.join(folder, build)], stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.DEVNULL)
        told = dict(re.findall(r"^(?:[! ] )(?:\S+) +\S*/([a-z-]+)\.litmus(.*)$", run.stdout, re.M))
        odd = dict(re.findall(r"^! (?:\S+) +\S*/([a-z-]+)\.litmus(.*)$", run.stdout, re.M))
        for test in tests:
            if test in told and (test in odd) == ((test, build) in UNREAD):
                passed += 1
            else:
                faults.append("%s from %s%s" % (test, build, told.get(test, ": no answer")))
    print("\n".join(faults))
    print("%d passed, %d failed" % (passed, len(faults)))
    return bool(faults)


sys.exit(main())
