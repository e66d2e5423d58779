#!/bin/sh
# cache.sh: answers that are kept from run to run: they are told as if they were found, each thing that
# one depends on has it found anew, and what is damaged counts for nothing.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards
rm -rf "$WORK/cache"
mkdir -p "$WORK/cache"
work=$(cd "$WORK/cache" && pwd)
. tests/corpus/cases.sh

# Runs with the cache; of its answers so many are from there.
from() { # how many of how many, wanted status, arguments
    many=$1 wanted=$2
    shift 2
    leaves "$wanted" "$@" --cache "$work/kept"
    grep -q "^crashlit: $many answers are from '$work/kept'\$" "$work/err"
    verdict $? "$many answers are kept (it says: $(tail -n 1 "$work/err"))"
}
# The same question is answered from the cache, and not when something is changed; then as often as it likes.
changes() { # what, command that changes it
    what=$1
    shift
    # shellcheck disable=SC2086
    from "0 of 1" 0 $asking
    # shellcheck disable=SC2086
    from "1 of 1" 0 $asking
    "$@"
    # shellcheck disable=SC2086
    from "0 of 1" 0 $asking
    verdict $? "another $what is another question"
    # shellcheck disable=SC2086
    from "1 of 1" 0 $asking
    rm -rf "$work/kept"
}
# x is 1, and is not durable before y under epoch, where no barrier parts them: violated; of strict: ok.
write_tests() {
    mkdir -p "$work/tests/sub"
    body='{ nvm x = 0; nvm y = 0; } P0@wg 0 (global int* x, global int* y) { *x = 1; *y = 1; }'
    for name in a b sub/c; do
        printf 'OPENCL %s\n"a title"\n%s\ncrash ~exists (x = 0 /\\ y = 1)\n%s\n%s\n' "$(basename $name)" "$body" \
            'expect hrf-direct + strict : ok' 'expect hrf-direct + epoch : violated' >"$work/tests/$name.litmus"
    done
    # One that differs from what is expected, one that cannot be read.
    sed 's/: violated/: ok/; s/OPENCL a/OPENCL odd/' "$work/tests/a.litmus" >"$work/tests/odd.litmus"
    printf 'OPENCL none\n{\n' >"$work/tests/none.litmus"
}
undated() { sed 's/ \(time\|timestamp\|hostname\)="[^"]*"//g; s/"seconds":[^,}]*//g; s/"peak_kib":[^,}]*//g; s/"\(startTimeUtc\|endTimeUtc\|commandLine\)":"[^"]*"//g; s/duration_ms: .*//; s/--cache [^" ]*//' "$1"; }

told() {
    write_tests
    # Of four tests with two pairs each none is kept at first, then all; the fifth is an error, which is no answer.
    for format in text json junit tap sarif herd; do
        leaves 2 check -f $format "$work/tests"
        undated "$work/out" >"$work/wanted"
        rm -rf "$work/kept"
        for kept in 0 8; do
            for jobs in 1 3; do
                [ "$kept.$jobs" = 0.3 ] && continue
                from "$kept of 8" 2 check -f $format -j $jobs "$work/tests"
                undated "$work/out" | cmp -s - "$work/wanted"
                verdict $? "$format with $kept answers that are kept, by $jobs workers, is as without"
            done
        done
    done
    # Formats share what is kept, but for text alone, which need not show the same state, and SARIF, which has more places.
    rm -rf "$work/kept"
    from "0 of 8" 2 check -f json "$work/tests"
    from "8 of 8" 2 check -f "json=$work/records.jsonl" -f tap "$work/tests"
    undated "$work/records.jsonl" >"$work/undated"
    leaves 2 check -f json "$work/tests"
    undated "$work/out" | cmp -s - "$work/undated"
    verdict $? "a file of records has what is kept"
    # What fails, and what is known to fail, is told as ever.
    leaves 1 check -f json "$work/tests/odd.litmus"
    cp "$work/out" "$work/known.jsonl"
    from "2 of 2" 1 check -f json "$work/tests/odd.litmus"
    from "2 of 2" 0 check -f json --known "$work/known.jsonl" "$work/tests/odd.litmus"
    # Limits and workers are no part of a question, nor which tests a run takes.
    from "4 of 4" 2 check -f json --timeout 50 --memory 900 --filter '[!s]*' --shard 1/1 "$work/tests/a.litmus" \
        "$work/tests/b.litmus" "$work/tests/none.litmus"
}

# What a warning fails for, and what a condition that asks nothing: x is 1 whatever the order.
counted() {
    rm -rf "$work/kept"
    printf 'OPENCL idle\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash ~exists (x = 2)\n' >"$work/idle.litmus"
    from "0 of 1" 1 check -f json --fail-on-vacuous "$work/idle.litmus"
    from "1 of 1" 1 check -f json --fail-on-vacuous "$work/idle.litmus"
    # A barrier that a single work-item does not need so wide.
    printf 'OPENCL wide\n{ nvm x = 0; nvm y = 0; }\nP0@wg 0, dev 0 (global int* x, global int* y) { *x = 1; p_barrier_dev; *y = 1; }\ncrash ~exists (x = 0 /\\ y = 1)\n' >"$work/wide.litmus"
    from "0 of 1" 1 check -f json --warn-wide --fail-on-warnings "$work/wide.litmus"
    from "1 of 1" 1 check -f json --warn-wide --fail-on-warnings "$work/wide.litmus"
}

# Each thing that an answer depends on.
keys() {
    rm -rf "$work/kept"
    mkdir -p "$work/key"
    test=$work/key/t.litmus
    printf 'OPENCL t\nuses "t.def"\n{ nvm x = 0; }\nP0 (global int* x) { note(x); }\ncrash ~exists (x = 2)\n' >"$test"
    printf 'note(X) { __store{note}(X, 1); }\n' >"$work/key/t.def"
    printf '"mine"\ninclude "part.cat"\nlet rest = if "odd" then po else 0\n' >"$work/key/mine.cat"
    printf 'let mine = po\n' >"$work/key/part.cat"
    cp models/machines/bpfs.machine "$work/key/own.machine"
    asking="check -f json -m sc -p $work/key/mine.cat $test"
    changes "test" sh -c "echo '// a remark' >>'$test'"
    changes "definition" sh -c "echo '// a remark' >>'$work/key/t.def'"
    changes "model" sh -c "echo '(* a remark *)' >>'$work/key/mine.cat'"
    changes "file of the model" sh -c "echo '(* a remark *)' >>'$work/key/part.cat'"
    changes "variant" eval 'asking="$asking --variant odd"'
    changes "crash" eval 'asking="$asking --crash end"'
    changes "bound" eval 'asking="$asking --unroll 3"'
    changes "listing" eval 'asking="$asking --decide"'
    asking="$asking --thresholds least"
    changes "value of an option" eval 'asking="${asking%least}values=9"'
    asking="check -f json -e machine --machine $work/key/own.machine -m hrf-direct -p buffered-epoch $test"
    changes "machine" sh -c "echo '# a remark' >>'$work/key/own.machine'"
    # Another build: the same program but for the digest of its sources.
    asking="check -f json -m sc -p strict $test"
    digest=$("$CRASHLIT" --version -f json -v | sed -n 's/.*"build":"\([0-9a-f]*\)".*/\1/p')
    other=$(echo "$digest" | tr 0-9a-f 1-9a-f0)
    own=$CRASHLIT
    LC_ALL=C sed "s/$digest/$other/g" "$own" >"$work/key/crashlit"
    chmod +x "$work/key/crashlit"
    [ -n "$digest" ] && "$work/key/crashlit" --version -v -f json | grep -q "$other"
    verdict $? "there is a program with another digest of its sources"
    changes "build" eval 'CRASHLIT=$work/key/crashlit'
    CRASHLIT=$own
    # What is said of the file is in its first record: of one that is told in a line nothing is said of --rounds.
    cp "$test" "$work/key/u.litmus"
    from "0 of 2" 0 check -f "json=$work/records.jsonl" --rounds 3 "$test" "$work/key/u.litmus"
    from "0 of 1" 0 check -f json --rounds 3 "$test"
    [ "$(grep -c -- '--rounds is about recovery' "$work/out")" -eq 1 ]
    verdict $? "what is said of the file is in the record"
    # A file under the name of another test is none of that test.
    rm -rf "$work/kept"
    from "0 of 1" 0 check -f json -m sc -p strict "$test"
    cp "$work"/kept/*.answers "$work/first"
    rm -rf "$work/kept"
    from "0 of 1" 0 check -f json -m sc -p strict "$work/key/u.litmus"
    cp "$work/first" "$(echo "$work"/kept/*.answers)"
    from "0 of 1" 0 check -f json -m sc -p strict "$work/key/u.litmus"
    out_lines '"file":"[^"]*u.litmus"' 1
}

# What is open is asked again: here a loop that needs more rounds than are looked at, and no time.
open_answers() {
    rm -rf "$work/kept"
    {
        printf 'OPENCL loop\n{ atomic_int x = 3; }\nP0 (global atomic_int* x) { int r = 1;\n'
        printf 'while (r > 0) { r = atomic_fetch_sub_explicit(x, 1, memory_order_relaxed); } }\n'
        printf 'exists (0:r = 0)\n'
    } >"$work/loop.litmus"
    from "0 of 1" 3 check -f json -m sc -p none "$work/loop.litmus"
    from "0 of 1" 3 check -f json -m sc -p none "$work/loop.litmus"
    # Where what was found settles the condition, as that x may be 2, more rounds may still show more, here a race.
    {
        printf 'OPENCL late\n{ nvm x = 0; atomic_int f = 0; }\n'
        printf 'P0@wg 0 (global int* x, global atomic_int* f) { int n = 0;\n'
        printf '  while (!f.load(mo_acq, dev_scope)) { n = n + 1; if (n == 3) { *x = 1; } } }\n'
        printf 'P1@wg 1 (global int* x, global atomic_int* f) { *x = 2; f.store(1, mo_rel, dev_scope); }\n'
        printf 'crash exists (x = 2)\n'
    } >"$work/late.litmus"
    from "0 of 1" 0 check -f json "$work/late.litmus"
    from "0 of 1" 0 check -f json "$work/late.litmus"
    write_long_test "$work/long.litmus"
    from "0 of 1" 3 check -f json -e enum -m rc11 -p none --timeout 0.01 "$work/long.litmus"
    from "0 of 1" 3 check -f json -e enum -m rc11 -p none --timeout 0.01 "$work/long.litmus"
    find "$work/kept" -name '*.answers' >"$work/out"
    out_lines . 0
    # Runs that show or check more than a record has ask all, and say so.
    for run in "-f html=$work/x.html -f json" "-f html=$work/pages/ -f json" "-e all -f json" "--explain -f json" "-f text" \
        "--executions data -f json" "--certify $work/certificates/ -f json" "-v -f text"; do
        # shellcheck disable=SC2086
        timeout 60 "$CRASHLIT" check $run --cache "$work/never" "$work/tests/b.litmus" >"$work/out" 2>"$work/err"
        err_has "^crashlit: nothing is taken from '$work/never', or kept there: "
    done
    [ ! -e "$work/never" ]
    verdict $? "nothing is kept of these"
}

# Files that are cut off, edited, of another make, or no files; all is asked anew, and kept again.
damage() {
    asking="check -f json $work/tests/b.litmus"
    for edit in '$d' 's/violated/ok/g' 's/^crashlit-answers 1/crashlit-answers 2/' 1d 's/.*//'; do
        rm -rf "$work/kept"
        # shellcheck disable=SC2086
        from "0 of 2" 0 $asking
        file=$(echo "$work"/kept/*.answers)
        sed "$edit" "$file" >"$work/edited"
        cp "$work/edited" "$file"
        # shellcheck disable=SC2086
        from "0 of 2" 0 $asking
        err_has "^crashlit: a file in '$work/kept' counts for nothing, and what it had is asked anew: it is damaged"
        out_lines '"verdict":"violated"' 1
        # shellcheck disable=SC2086
        from "2 of 2" 0 $asking
        [ "$(grep -c . "$work/err")" -eq 1 ]
        verdict $? "it is told once"
    done
    # Where there is something else, nothing is kept, which is told; verdicts are as ever.
    rm -rf "$work/kept"
    # shellcheck disable=SC2086
    from "0 of 2" 0 $asking
    file=$(echo "$work"/kept/*.answers)
    for thing in 'mkdir' 'mkfifo' 'ln -s /dev/zero'; do
        rm -rf "$file"
        $thing "$file"
        # shellcheck disable=SC2086
        from "0 of 2" 0 $asking
        err_has "^crashlit: cannot write to '$work/kept', so not all answers are kept: "
    done
    # A folder that is none.
    echo text >"$work/file"
    leaves 2 check -f json --cache "$work/file" "$work/tests/b.litmus"
    err_has "'$work/file' cannot be a folder of answers: Not a directory"
    leaves 2 check -f json --cache "$work/no/folder" "$work/tests/b.litmus"
    [ "$(cat "$work/file")" = text ] && [ ! -s "$work/out" ]
    verdict $? "nothing is asked then"
}

# Two runs at once, by several workers each: whoever is first, the answers are right, and all are kept.
at_once() {
    rm -rf "$work/kept"
    leaves 2 check "$work/tests"
    mv "$work/out" "$work/wanted"
    for round in 1 2 3; do
        for run in 1 2; do
            "$CRASHLIT" check -j 3 --cache "$work/kept" "$work/tests" >"$work/out$run" 2>/dev/null &
        done
        wait
        cmp -s "$work/out1" "$work/wanted" && cmp -s "$work/out2" "$work/wanted"
        verdict $? "two runs at once have the right verdicts, round $round"
    done
    from "8 of 8" 2 check "$work/tests"
    find "$work/kept" -name '.*' >"$work/out"
    out_lines . 0
}

told
counted
keys
open_answers
damage
at_once
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
