#!/bin/sh
# generate.sh: `crashlit generate` as a command. What is enumerated is held against brute force by tests/unit; here minimal
# tests are held against what the models say of them, and of each weaker test, written by generate_verify.py.
set -u
rm -rf "$WORK/generate" && mkdir -p "$WORK/generate"
work=$(cd "$WORK/generate" && pwd)
. tests/corpus/cases.sh

# One suite: confirmed, the same for any number of jobs, minimal; and it has the tests that follow by hand.
suite() { # visibility, persistency, bound
    name=$1-$2
    leaves 0 generate -j 2 --comprehensive "$1+$2" --bound "$3" -o "$work/$name"
    leaves 0 generate --comprehensive "$1+$2" --bound "$3" -o "$work/$name-1"
    diff -r "$work/$name" "$work/$name-1" >/dev/null
    verdict $? "the suite of $1+$2 is the same with one job and with two"
    "$CRASHLIT" generate --comprehensive "$1+$2" --bound "$3" 2>/dev/null >"$work/$name.stream"
    cat "$work/$name"/*.litmus | cmp -s - "$work/$name.stream"
    verdict $? "what is printed for $1+$2 is what is written"
    leaves 0 check -j 2 -e all "$work/$name"
    python3 tests/corpus/generate_verify.py "$CRASHLIT" "$work/$name.stream" "$work/$name-weaker" "$1" "$2" >"$work/out" 2>&1
    status=$?
    sum=$(tail -n 1 "$work/out")
    echo "weaker than $1+$2: $sum"
    [ "$status" -eq 0 ] || cat "$work/out"
    verdict "$status" "what is weaker than a test of $1+$2 allows what it forbids"
}

has() { # suite, program
    grep -q -e " $2\$" "$work/$1/MANIFEST"
    verdict $? "the suite of $1 has $2"
}
lacks() {
    ! grep -q -e " $2\$" "$work/$1/MANIFEST"
    verdict $? "the suite of $1 has not $2"
}

# Strict needs no barrier, epoch one of the work-item, and no wider one; what two of a group have to meet for is
# theirs. A flag that was read before the barrier hands over under epoch, and with order alone a read tells nothing.
suites() {
    suite sc strict events=4,barriers=1
    has sc-strict 'x\* y\* | P0: st x; st y'
    lacks sc-strict 'x\* y\* | P0: st x; p_barrier.wi; st y'
    has sc-strict 'x\* y\* | P0: st x; st y'
    suite sc epoch events=4,barriers=2
    has sc-epoch 'x\* y\* | P0: st x; p_barrier.wi; st y'
    lacks sc-epoch 'x\* y\* | P0: st x; st y'
    lacks sc-epoch 'x\* y\* | P0: st x; p_barrier.wg; st y'
    has sc-epoch 'x\* y\* | P0: st x; p_barrier.wg | P1: p_barrier.wg; st y'
    has sc-epoch 'x\* y | P0: st x; p_barrier.wi; st y | P1: ld y'
    # A barrier orders what is before it of one, and behind it of the other, where all is volatile as well.
    has sc-epoch 'x | P0: st x; bar.wg | P1: bar.wg; ld x'
    suite hrf-direct buffered-epoch events=3,barriers=2
    has hrf-direct-buffered-epoch 'x\* y\* | P0: st x; p_barrier.wi; st y'
    lacks hrf-direct-buffered-epoch 'x\* y | P0: st x; p_barrier.wi; st y | P1: ld y'
}

# Tests of each mechanism, in both dialects, are tests.
listings() {
    for vocabulary in $("$CRASHLIT" help --words generate vocabulary); do
        for dialect in OPENCL PTX; do
            "$CRASHLIT" generate --vocabulary "$vocabulary" --dialect "$dialect" --bound events=2,barriers=1 \
                2>/dev/null >"$work/stream"
            tests=$(grep -c "^$dialect " "$work/stream")
            "$CRASHLIT" check -j 2 -m sc -p none - <"$work/stream" >"$work/out" 2>"$work/err"
            [ $? -eq 0 ] && [ "$tests" -gt 0 ] && grep -q "^Summary: $tests as expected, 0 otherwise" "$work/out"
            verdict $? "all of $vocabulary in $dialect can be checked"
        done
    done
}

# A model that is a file, with a name that is no word: a test does not find it, and expects nothing of it.
files() {
    mkdir -p "$work/models"
    cp models/collective.cat "$work/models"
    cp models/persistency/strict.cat "$work/models/my <model>.cat"
    "$CRASHLIT" generate --comprehensive "sc+$work/models/my <model>.cat" --bound events=2,barriers=0,memory=nvm \
        2>"$work/err" >"$work/out"
    out_lines '^OPENCL sc-my--model--00000[1-3]$' 3
    cp "$work/out" "$work/stream"
    "$CRASHLIT" check -m sc -p strict - <"$work/stream" >"$work/out" 2>"$work/err"
    out_has '^Summary: 3 as expected, 0 otherwise, 0 files with errors'
}

faults() {
    leaves 2 generate --bound events=0
    err_has 'found events=0, expected a number from 1 to'
    leaves 2 generate --bound scopes=wi:wide
    err_has "found 'wide', expected one of wi, sg, wg, kr, dev, all"
    leaves 2 generate --bound size=3
    err_has "found 'size', expected one of events"
    leaves 2 generate --comprehensive epoch
    err_has 'expected VISIBILITY+PERSISTENCY'
    leaves 2 generate --comprehensive nothing+epoch
    err_has "no built-in visibility model 'nothing'"
    leaves 2 generate --vocabulary words
    leaves 2 generate -o "$work/no/such/folder"
    err_has 'cannot make the folder'
    leaves 2 check -
    err_has 'standard input has no test'
    printf 'OPENCL one\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x = 1)\nOPENCL two\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x = 0)\n' |
        "$CRASHLIT" check - >"$work/out" 2>"$work/err"
    [ $? -eq 1 ]
    verdict $? "of two tests of standard input one differs"
    out_has '^Verdict one ok, expected ok'
    out_has '^Verdict two violated, expected ok'
}

# Nobody reads what is printed, or the process is ended: the folder of its tests goes.
is_empty() { [ -z "$(ls -A "$1")" ]; }
has_files() { ! is_empty "$1"; }
temporaries() {
    mkdir -p "$work/temporary"
    cat litmus/*/*.litmus >"$work/stream"
    TMPDIR=$work/temporary "$CRASHLIT" check - <"$work/stream" 2>/dev/null | head -n 1 >"$work/out"
    await 'the folder of tests is gone when nobody reads any more' is_empty "$work/temporary"
    for signal in TERM HUP KILL; do
        TMPDIR=$work/temporary "$CRASHLIT" check -j 2 - <"$work/stream" >/dev/null 2>&1 &
        process=$!
        await 'there is a folder of tests' has_files "$work/temporary"
        kill -s "$signal" "$process"
        wait "$process" 2>/dev/null
        await "the folder of tests is gone after $signal" is_empty "$work/temporary"
    done
}

suites
listings
files
faults
temporaries
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
