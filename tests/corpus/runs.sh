#!/bin/sh
# runs.sh: runs over many tests: their parts put together, two runs compared, several models
# side by side.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards
mkdir -p "$WORK/runs"
work=$(cd "$WORK/runs" && pwd)
. tests/corpus/cases.sh
steady() { sed 's/"seconds":[^,}]*//; s/"peak_kib":[^,}]*//'; }

# Three tests of one location. $1: the value that condition forbids.
write_tests() {
    mkdir -p "$work/tests"
    body='{ nvm x = 0; } P0@wg 0 (global int* x) { *x = 1; }'
    for name in a b c; do
        printf 'OPENCL %s\n%s\ncrash ~exists (x = %s)\n' $name "$body" "$1" >"$work/tests/$name.litmus"
    done
}

shard() { # number, of, file
    timeout 60 "$CRASHLIT" check --format json --shard "$1/$2" "$work/tests" >"$work/$3" 2>&1
}

merging() {
    write_tests 2 # x is never 2: ok
    timeout 60 "$CRASHLIT" check --format json "$work/tests" >"$work/whole.jsonl"
    for number in 1 2 3; do shard $number 3 "part$number.jsonl"; done
    # Whatever their order, the parts make the whole.
    leaves 0 merge "$work/part3.jsonl" "$work/part1.jsonl" "$work/part2.jsonl"
    steady <"$work/whole.jsonl" >"$work/wanted"
    steady <"$work/out" | cmp - "$work/wanted"
    verdict $? "the parts of a run are the whole"
    leaves 0 merge --manifest "$work/tests" "$work/part1.jsonl" "$work/part2.jsonl" "$work/part3.jsonl"
    # A part twice stands in the place of another, and so does a part too few; a test that was asked twice is no harm.
    leaves 2 merge "$work/part1.jsonl" "$work/part1.jsonl" "$work/part2.jsonl"
    err_has "part1.jsonl': found line for line what '.*/part1.jsonl' has, expected each part once"
    cp "$work/part1.jsonl" "$work/copy.jsonl"
    leaves 2 merge "$work/part1.jsonl" "$work/part2.jsonl" "$work/copy.jsonl"
    err_has "copy.jsonl': found line for line what '.*/part1.jsonl' has"
    sed 's/"seconds":[^,}]*/"seconds":7/' "$work/part1.jsonl" >"$work/again.jsonl"
    leaves 0 merge "$work/part1.jsonl" "$work/again.jsonl" "$work/part2.jsonl"
    out_lines . 2
    leaves 2 merge --manifest "$work/tests" "$work/part1.jsonl" "$work/part3.jsonl"
    err_has 'no answer for .*/tests/b.litmus, which the manifest names'
    out_lines . 2 # what is there is printed all the same
    # A file that is not in it is told once: here a with two records.
    leaves 2 merge --manifest "$work/tests/c.litmus" "$work/part3.jsonl" "$work/part1.jsonl" \
        "$work/part2.jsonl" "$work/again.jsonl"
    err_has "part1.jsonl', line 1: found an answer for .*/tests/a.litmus (the first of 2), which the manifest"
    err_has "part2.jsonl', line 1: found an answer for .*/tests/b.litmus, which the manifest does not name"
    [ "$(wc -l <"$work/err")" -eq 2 ]
    verdict $? "nothing else is told of them"
    # Of more than twenty such files the number alone.
    awk '{ for (i = 1; i <= 23; i++) { line = $0; sub(/a\.litmus/, "a" i ".litmus", line); print line } }' \
        "$work/part1.jsonl" >"$work/strange.jsonl"
    leaves 2 merge --manifest "$work/tests/a.litmus" "$work/part1.jsonl" "$work/strange.jsonl"
    err_has 'found answers for 3 further files, which the manifest does not name'
    # A line that a killed run left unfinished is no answer, and so a fault, unless that is elsewhere. Where it
    # lacks no more than its end it is whole.
    { cat "$work/part1.jsonl" && head -c 300 "$work/part2.jsonl"; } >"$work/cut.jsonl"
    leaves 2 merge "$work/cut.jsonl"
    err_has "cut.jsonl', line 2: found a record that is cut off"
    out_lines . 1
    leaves 0 merge "$work/cut.jsonl" "$work/part2.jsonl"
    out_lines . 2
    { cat "$work/part1.jsonl" && head -c 40 "$work/part2.jsonl"; } >"$work/stump.jsonl"
    leaves 2 merge "$work/stump.jsonl" "$work/part2.jsonl"  # of whom it was nobody knows
    leaves 0 merge --manifest "$work/tests" "$work/stump.jsonl" "$work/part2.jsonl" "$work/part3.jsonl"
    leaves 2 diff "$work/part1.jsonl" "$work/cut.jsonl"
    err_has "cut.jsonl', line 2: found a record that is cut off"
    { cat "$work/part1.jsonl" && tr -d '\n' <"$work/part2.jsonl"; } >"$work/endless.jsonl"
    leaves 0 merge "$work/endless.jsonl"
    out_lines . 2
    # Nothing is no run.
    : >"$work/empty.jsonl"
    leaves 2 merge "$work/empty.jsonl" "$work/empty.jsonl"
    err_has "empty.jsonl': found no record"
    leaves 0 merge "$work/empty.jsonl" "$work/part1.jsonl" # a part may be, as of more shards than tests
    for files in 'empty empty' 'empty part1' 'part1 empty'; do
        # shellcheck disable=SC2086
        set -- $files
        leaves 2 diff "$work/$1.jsonl" "$work/$2.jsonl"
        err_has "empty.jsonl': found no record"
    done
    # An answer goes before `unknown`, wherever it stands.
    sed 's/"verdict":"ok"/"verdict":"unknown"/g' "$work/part1.jsonl" >"$work/unknown.jsonl"
    leaves 0 merge "$work/unknown.jsonl" "$work/part1.jsonl"
    leaves 0 merge "$work/part1.jsonl" "$work/unknown.jsonl"
    out_has '"verdict":"ok"'
    leaves 3 merge "$work/unknown.jsonl"
    # The status is that of the run.
    write_tests 1 # x is 1 after a crash that comes late: violated
    shard 1 1 bad.jsonl
    leaves 1 merge "$work/bad.jsonl"
}

# Records that are not of the tests that are there, or not as a run wrote them. By hand: x is never 2, so `~exists (x = 2)`
# is ok; x is 1 after a crash behind the store, so `~exists (x = 1)` is violated.
not_of_the_run() {
    write_tests 2
    "$CRASHLIT" check -f json "$work/tests" >"$work/old.jsonl"
    sed -i 's/x = 2/x = 1/' "$work/tests/b.litmus"
    leaves 2 merge --manifest "$work/tests" "$work/old.jsonl"
    err_has "old.jsonl', line 2: found an answer to another text of .*/tests/b.litmus, expected one to the text that is there"
    out_lines . 2
    "$CRASHLIT" check -f json "$work/tests/b.litmus" >"$work/new.jsonl"
    leaves 1 merge --manifest "$work/tests" "$work/old.jsonl" "$work/new.jsonl" # an answer to this text is there
    out_lines '"verdict":"violated","expected"' 1
    leaves 2 merge "$work/old.jsonl" "$work/new.jsonl" # and without the tests nobody knows which it is
    err_has "old.jsonl', line 2 and '.*new.jsonl', line 1: found answers to two texts of .*/tests/b.litmus"
    sed 's/"text_digest":"[0-9a-f]*",//' "$work/new.jsonl" >"$work/silent.jsonl" # as an older version wrote it
    leaves 2 merge --manifest "$work/tests/b.litmus" "$work/silent.jsonl"
    err_has "silent.jsonl', line 1: found an answer to some text of .*/tests/b.litmus"
    # A model that was edited between two parts. A comment makes another text.
    write_tests 2
    cp models/persistency/epoch.cat "$work/mine.cat"
    "$CRASHLIT" check -f json -p "$work/mine.cat" "$work/tests/a.litmus" >"$work/under.jsonl"
    echo '(* another *)' >>"$work/mine.cat"
    "$CRASHLIT" check -f json -p "$work/mine.cat" "$work/tests/b.litmus" >"$work/over.jsonl"
    leaves 2 merge "$work/under.jsonl" "$work/over.jsonl"
    err_has "under.jsonl', line 1 and '.*over.jsonl', line 1: found answers under two texts of hrf-direct + .*mine.cat"
    # The same of a machine.
    cp models/machines/spb-pipeline.machine "$work/mine.machine"
    for test in a b; do
        "$CRASHLIT" check -f json -e machine --machine "$work/mine.machine" "$work/tests/$test.litmus" >"$work/$test.jsonl"
    done
    "$CRASHLIT" merge "$work/a.jsonl" "$work/b.jsonl" >"$work/out" 2>"$work/err"
    ! grep -q 'two texts' "$work/err"
    verdict $? "a machine's answers of one text are merged"
    echo '# another' >>"$work/mine.machine"
    "$CRASHLIT" check -f json -e machine --machine "$work/mine.machine" "$work/tests/b.litmus" >"$work/b.jsonl"
    leaves 2 merge "$work/a.jsonl" "$work/b.jsonl"
    err_has "a.jsonl', line 1 and '.*b.jsonl', line 1: found answers under two texts of the machine .*mine"
    # A verdict is the worst of its conditions'.
    sed -i 's/x = 2/x = 1/' "$work/tests/b.litmus"
    "$CRASHLIT" check -f json "$work/tests" >"$work/true.jsonl"
    sed 's/"verdict":"violated","expected"/"verdict":"ok","expected"/' "$work/true.jsonl" >"$work/false.jsonl"
    for command in merge 'diff '"$work/true.jsonl" "check --resume"; do
        # shellcheck disable=SC2086 # words of a command line
        leaves 2 $command "$work/false.jsonl" $([ "$command" = 'check --resume' ] && echo "$work/tests")
        err_has "false.jsonl', line 2: found the verdict ok of .*/tests/b.litmus, expected violated, which is that of its conditions"
    done
}

# Of a search each unit that has a record has to be there, in each part.
cut_searches() {
    for k in 1 2 3; do
        "$CRASHLIT" distinguish -f json --shard $k/3 --bound events=2 buffered-epoch none >"$work/unit$k.jsonl" 2>"$work/err"
    done
    leaves 0 merge "$work/unit1.jsonl" "$work/unit2.jsonl" "$work/unit3.jsonl"
    cp "$work/out" "$work/units.jsonl"
    leaves 0 merge "$work/units.jsonl"
    for k in 1 2 3; do
        units=$(grep -c '"unit"' "$work/unit$k.jsonl")
        sed 2d "$work/unit$k.jsonl" >"$work/cut.jsonl"
        # shellcheck disable=SC2046 # words of a command line
        leaves 2 merge "$work/cut.jsonl" $(for i in 1 2 3; do [ $i -eq $k ] || echo "$work/unit$i.jsonl"; done)
        err_has "cut.jsonl': found records of $((units - 1)) units of part $k of 3, expected $units"
    done
    leaves 2 merge "$work/unit1.jsonl" "$work/unit1.jsonl" "$work/unit2.jsonl" "$work/unit3.jsonl"
    err_has "unit1.jsonl': found line for line what '.*/unit1.jsonl' has"
    # Taken up from what is cut, the two are whole, and each alone is not.
    "$CRASHLIT" distinguish -f json --shard 3/3 --resume "$work/cut.jsonl" --bound events=2 buffered-epoch none >"$work/rest.jsonl" 2>"$work/err"
    sed -i '/"ended"/d' "$work/cut.jsonl"
    leaves 0 merge "$work/unit1.jsonl" "$work/unit2.jsonl" "$work/cut.jsonl" "$work/rest.jsonl"
    leaves 2 merge "$work/unit1.jsonl" "$work/unit2.jsonl" "$work/rest.jsonl"
    err_has "rest.jsonl': found records of .* of part 3 of 3"
}

# What the run asks for of each test has to be there: by hand, 3 tests of 2 pairs each are 6 records of an
# engine, whichever of them is lacking.
write_owing() {
    write_tests 2
    for name in a b c; do
        printf 'expect hrf-direct + epoch : ok\nexpect sc + strict : ok\n' >>"$work/tests/$name.litmus"
    done
}
owed() {
    write_owing
    timeout 60 "$CRASHLIT" check -f json "$work/tests" >"$work/six.jsonl"
    leaves 0 merge --manifest "$work/tests" "$work/six.jsonl"
    out_lines . 6
    for line in 1 2 3 4 5 6; do
        sed "${line}d" "$work/six.jsonl" >"$work/five.jsonl"
        leaves 2 merge --manifest "$work/tests" "$work/five.jsonl"
        err_has 'no answer for .*/tests/[abc].litmus under [a-z-]* + [a-z]* by auto, which the run asks for'
        [ "$(wc -l <"$work/err")" -eq 1 ]
        verdict $? "nothing else is told"
    done
    # Cut after two, and within the third.
    head -n 2 "$work/six.jsonl" >"$work/two.jsonl"
    leaves 2 merge --manifest "$work/tests" "$work/two.jsonl"
    err_has 'no answer for .*/tests/c.litmus, which the manifest names'
    head -c -200 "$work/six.jsonl" >"$work/cut.jsonl"
    leaves 2 merge --manifest "$work/tests" "$work/cut.jsonl"
    err_has 'no answer for .*/tests/c.litmus under sc + strict by auto'
    err_has "cut.jsonl', line 6: found a record that is cut off"
    # Another engine's half is no whole, and what the options name is asked instead of what tests expect.
    timeout 60 "$CRASHLIT" check -f json -e smt "$work/tests/a.litmus" >"$work/smt.jsonl"
    leaves 2 merge --manifest "$work/tests" "$work/six.jsonl" "$work/smt.jsonl"
    [ "$(grep -c 'by smt, which the run asks for' "$work/err")" -eq 4 ]
    verdict $? "four answers of smt are lacking"
    timeout 60 "$CRASHLIT" check -f json -e all -m sc "$work/tests" >"$work/all.jsonl"
    leaves 0 merge --manifest "$work/tests" "$work/all.jsonl"
    sed 4d "$work/all.jsonl" >"$work/five.jsonl"
    leaves 2 merge --manifest "$work/tests" "$work/five.jsonl"
    err_has 'no answer for .*/tests/b.litmus under sc + epoch by smt'
    # A machine promises hrf-direct + epoch alone.
    timeout 60 "$CRASHLIT" check -f json -e machine "$work/tests" >"$work/machine.jsonl"
    leaves 0 merge --manifest "$work/tests" "$work/machine.jsonl"
    out_lines . 3
    sed -i '/hrf/d' "$work/tests/b.litmus" # now it expects nothing of a machine
    sed 2d "$work/machine.jsonl" >"$work/others.jsonl"
    leaves 0 merge --manifest "$work/tests" "$work/others.jsonl"
    # A record that does not say what was asked wants no more than an answer for each test.
    write_owing
    sed 's/,"asked":{[^}]*}//' "$work/six.jsonl" | sed -n '1p;3p;5p' >"$work/silent.jsonl"
    leaves 0 merge --manifest "$work/tests" "$work/silent.jsonl"
}

# Patterns in quotes and in lists stand for what they match, sorted; c comes first as it is named first.
patterns() {
    write_tests 2
    mkdir -p "$work/tests/@odd"
    cp "$work/tests/a.litmus" "$work/tests/@odd/d.litmus"
    leaves 0 check --format json "$work/tests/c.litmus" "$work/tests/[ab].litmus"
    names=$(grep -o '"file":"[^"]*"' "$work/out" | sed 's|.*/||' | tr -d '"\n')
    [ "$names" = c.litmusa.litmusb.litmus ]
    verdict $? "the tests in this order, not $names"
    printf '%s\n' '?.litmus' '*odd' >"$work/tests/list"
    leaves 0 check --format json "@$work/tests/list"
    cp "$work/out" "$work/named"
    leaves 0 --format json "@$work/tests/list" # as the first that names no option
    steady <"$work/named" >"$work/one" && steady <"$work/out" | cmp -s - "$work/one"
    verdict $? "a list needs no command before it"
    out_lines . 4
    program=$(readlink -f "$CRASHLIT")
    (cd "$work/tests" && timeout 60 "$program" check --format json '*odd') >"$work/out"
    out_lines '/d.litmus' 1 # a folder, though its name begins as a list does
    cp "$work/tests/a.litmus" "$work/tests/[z].litmus"
    leaves 0 check "$work/tests/[z].litmus" # it is there
    rm "$work/tests/[z].litmus"
    leaves 2 check "$work/tests/[z].litmus" "$work/tests/a.litmus"
    err_has "no file or folder matches '.*z.*'"
    out_lines '^  ok         .*/a.litmus' 1
    rm -r "$work/tests/@odd" "$work/tests/list"
}

# What lists may hold: blanks are no path, and a list that has but itself is told as that.
lists() {
    write_tests 2
    printf 'a.litmus\n \t \n\n   \r\nb.litmus\n' >"$work/tests/list"
    leaves 0 check --format json "@$work/tests/list"
    out_lines . 2
    echo '@self' >"$work/tests/self"
    leaves 2 check "@$work/tests/self"
    err_has "list '.*/self' includes itself, and has no tests"
    leaves 2 list -
    err_has "'-' stands for tests on standard input, which have no paths to be listed"
    [ "$(wc -l <"$work/err")" -eq 1 ]
    verdict $? "nothing else is told of it"
    # Where there are tests a circle does no harm.
    printf '%s\n' a.litmus @back >"$work/tests/forth"
    printf '%s\n' b.litmus @forth >"$work/tests/back"
    leaves 0 check --format json "@$work/tests/forth"
    out_lines '"verdict":"ok"' 2
    rm "$work/tests/list" "$work/tests/self" "$work/tests/forth" "$work/tests/back"
}

# Tests of one location that is 0, then 1: "good" holds, as it is never 2; "bad" fails, as a crash leaves 1. "open" has a loop that
# ends at 9 and is looked at twice.
write_policies() {
    mkdir -p "$work/policy/sub"
    body='{ nvm x = 0; } P0@wg 0 (global int* x) { *x = 1; }'
    printf 'OPENCL good\n%s\ncrash ~exists (x = 2)\n' "$body" >"$work/policy/good.litmus"
    printf 'OPENCL bad\n%s\ncrash ~exists (x = %s)\n' "$body" 1 >"$work/policy/sub/bad.litmus"
    printf 'OPENCL open\n{ nvm x = 0; } P0@wg 0 (global int* x) { for (int i = *x; i < 9; i++) { *x = i; } }\n%s\n' \
        'crash ~exists (x = 77)' >"$work/policy/open.litmus"
}

# Both fail: 3 as ever, 5 where it is asked for, and 1 where unknown fails nothing.
policies() {
    write_policies
    leaves 3 check "$work/policy"
    leaves 5 check --unknown fail -j 2 "$work/policy"
    out_has '^Summary: 1 as expected, 2 otherwise, 0 files with errors, 1 vacuous, 1 unknown$'
    leaves 1 check --unknown ok "$work/policy"
    leaves 3 check --unknown fail --exclude bad "$work/policy"
    leaves 1 check --unknown fail --exclude open "$work/policy"
    leaves 0 check --unknown ok --exclude bad "$work/policy"
    leaves 0 check --unknown fail "$work/policy/good.litmus"
    # More than both weighs what is wrong with the program, and with the line.
    leaves 2 check --unknown some "$work/policy"
    leaves 3 check --format json "$work/policy"
    cp "$work/out" "$work/known.jsonl"
    leaves 3 merge "$work/known.jsonl"
    leaves 5 merge --unknown fail "$work/known.jsonl"
    leaves 1 merge --unknown ok "$work/known.jsonl"
    leaves 5 report --unknown fail "$work/known.jsonl"
    leaves 1 report --unknown ok "$work/known.jsonl"
    grep -v '/open' "$work/known.jsonl" >"$work/failed.jsonl"
    for command in check refines report merge; do
        "$CRASHLIT" $command --help | grep -q -e '--unknown ok|fail'
        verdict $? "$command takes it"
    done
}

# What is known fails nothing, but in the way in which it is known.
known_failures() {
    leaves 0 check --known "$work/known.jsonl" "$work/policy"
    out_has '^  violated   .*bad.litmus: .*(expected ok, a known failure)$'
    out_has '^  unknown    .*open.litmus: .*(expected ok, a known failure)$'
    out_has '^Summary: 1 as expected, 0 otherwise, 0 files with errors, 1 vacuous, 2 known$'
    leaves 0 check --known "$work/known.jsonl" --resume "$work/known.jsonl" "$work/policy"
    leaves 0 merge --known "$work/known.jsonl" "$work/known.jsonl"
    leaves 0 report --known "$work/known.jsonl" "$work/known.jsonl"
    leaves 3 check --known "$work/failed.jsonl" "$work/policy"
    leaves 3 merge --known "$work/failed.jsonl" "$work/known.jsonl"
    leaves 3 report --known "$work/failed.jsonl" "$work/known.jsonl"
    : >"$work/none.jsonl"
    leaves 5 check --known "$work/none.jsonl" "$work/policy"
    leaves 2 check --known "$work/there-is-none.jsonl" "$work/policy/good.litmus"
    leaves 0 check --known "$work/known.jsonl" --format tap "$work/policy"
    out_has '^ok 3 - .*bad.* # SKIP verdict violated, expected ok, a known failure$'
    leaves 0 check --known "$work/known.jsonl" --format sarif "$work/policy"
    out_lines '"suppressions":\[{"kind":"external","justification":"a known failure"}\]' 2
    leaves 0 merge --known "$work/known.jsonl" --format sarif "$work/known.jsonl"
    out_lines '"suppressions":\[{"kind":"external"' 2
    leaves 3 check --format sarif "$work/policy"
    out_lines suppressions 0
    leaves 0 check --known "$work/known.jsonl" --format html "$work/policy"
    out_has '<strong>1</strong> as expected, <strong>0</strong> otherwise, <strong>2</strong> known, '
    out_has '<small>expected ok, known</small></td>'
    out_has '<span class="expected">.* expected ok, a known failure</span>'
    out_lines 'class="unexpected"' 0
    leaves 0 check --known "$work/known.jsonl" "$work/policy/sub/bad.litmus"
    out_has '^This failure is known$'
    # A second condition that fails is news, and so is the first one, when it is another: a crash leaves 0 as well.
    sed -i '$a crash ~exists (x = 0)' "$work/policy/sub/bad.litmus"
    leaves 1 check --known "$work/failed.jsonl" "$work/policy/sub"
    printf 'OPENCL bad\n%s\ncrash ~exists (x = 0)\n' "$body" >"$work/policy/sub/bad.litmus"
    leaves 1 check --known "$work/failed.jsonl" "$work/policy/sub"
    # With the verdict that is expected it is mended, and told.
    printf 'OPENCL bad\n%s\ncrash ~exists (x = 3)\n' "$body" >"$work/policy/sub/bad.litmus"
    leaves 0 check --known "$work/failed.jsonl" "$work/policy/sub"
    err_has 'sub/bad.litmus under hrf-direct + epoch is as expected, and known to fail: take its record out'
    out_has '^Summary: 1 as expected, 0 otherwise, 0 files with errors, 1 vacuous, 0 known$'
    printf '%s\n' 'expect hrf-direct + epoch : violated' >>"$work/policy/sub/bad.litmus"
    leaves 1 check --known "$work/failed.jsonl" "$work/policy/sub"
    leaves 2 check --known "$work/failed.jsonl" --format "json=$work/failed.jsonl" "$work/policy/sub"
    err_has "an input of this run"
    tr -d '\n' <"$work/failed.jsonl" | head -c 300 >"$work/cut.jsonl"
    for command in "check $work/policy/good.litmus" "merge $work/failed.jsonl"; do
        # shellcheck disable=SC2086
        leaves 2 $command --known "$work/cut.jsonl"
        err_has "cut.jsonl', line 1: found a record that is cut off"
    done
    known_otherwise
}
# What is known of one question is not known of another. Two stores of two work-items without order are a race; of one
# work-item at a barrier, where the other has ended, they are a divergence.
ends_of() { # what P1 does
    printf 'OPENCL u\n{ nvm x = 0; atomic_int f = 0; }\nP0@wg 0 (global int* x, global atomic_int* f) { while (f.load() == 0) {} *x = 1; }\nP1@wg 0 (global int* x, global atomic_int* f) { %s }\nproperty ends;\n' \
        "$1" >"$work/otherwise/u.litmus"
}
race_of() { # what each work-item writes
    printf 'OPENCL u\n{ global int x = 0; global int y = 0; }\n' >"$work/otherwise/u.litmus"
    item=0
    for name in $1; do
        printf 'P%s@wg 0 (global int* x, global int* y) { *%s = 1; }\n' "$item" "$name" >>"$work/otherwise/u.litmus"
        item=$((item + 1))
    done
    echo 'exists (x = 0)' >>"$work/otherwise/u.litmus"
}
goes_stale() { # what makes the test, what it is told of what is known, and of what is news
    "$1" "$2"
    leaves 1 check -f json "$work/otherwise"
    cp "$work/out" "$work/one.jsonl"
    leaves 0 check --known "$work/one.jsonl" "$work/otherwise"
    "$1" "$3"
    leaves 1 check -f json --known "$work/one.jsonl" "$work/otherwise"
    cp "$work/out" "$work/news.jsonl"
    leaves 1 merge --known "$work/one.jsonl" "$work/news.jsonl"
    leaves 0 check --decide --known "$work/one.jsonl" "$work/otherwise"
}
known_otherwise() {
    mkdir -p "$work/otherwise"
    printf 'OPENCL u\n{ global int x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\nP1@wg 0 (global int* x) { *x = 2; }\nexists (x = 1)\n' >"$work/otherwise/u.litmus"
    leaves 1 check -f json "$work/otherwise"
    out_has '"undefined":\[{"kind":"race"'
    cp "$work/out" "$work/race.jsonl"
    leaves 0 check --known "$work/race.jsonl" "$work/otherwise"
    printf 'OPENCL u\n{ global int x = 0; }\nP0@wg 0 (global int* x) { barrier(CLK_GLOBAL_MEM_FENCE); *x = 1; }\nP1@wg 0 (global int* x) { }\nexists (x = 1)\n' >"$work/otherwise/u.litmus"
    leaves 1 check -f json --known "$work/race.jsonl" "$work/otherwise"
    out_has '"undefined":\[{"kind":"barrier-divergence"'
    cp "$work/out" "$work/news.jsonl"
    leaves 1 merge --known "$work/race.jsonl" "$work/news.jsonl"
    # Of a property, or with other bounds, something else is asked: neither does it fail as it is known, nor is it mended.
    printf 'OPENCL u\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\nrecovery (global int* x) { *x = 1 - *x; }\ncrash ~exists (x = 1)\n' >"$work/otherwise/u.litmus"
    leaves 1 check -f json "$work/otherwise"
    cp "$work/out" "$work/own.jsonl"
    leaves 1 check --known "$work/own.jsonl" --property idempotent-recovery "$work/otherwise"
    leaves 0 check --known "$work/own.jsonl" --property race "$work/otherwise/u.litmus"
    [ ! -s "$work/err" ]
    verdict $? "nobody is told to take out a record of another question"
    leaves 1 check --known "$work/own.jsonl" --unroll 3 "$work/otherwise"
    leaves 0 check --known "$work/own.jsonl" "$work/otherwise"
    # Of two records of one file each counts for its own question, and merge tells of one that passes.
    leaves 1 check -f json --property idempotent-recovery "$work/otherwise"
    cat "$work/own.jsonl" "$work/out" >"$work/both.jsonl"
    leaves 0 check --known "$work/both.jsonl" "$work/otherwise"
    leaves 0 check --known "$work/both.jsonl" --property idempotent-recovery "$work/otherwise"
    printf 'OPENCL u\n{ nvm x = 0; }\nP0 (global int* x) { *x = 2; }\nrecovery (global int* x) { *x = 1 - *x; }\ncrash ~exists (x = 1)\n' >"$work/otherwise/u.litmus"
    leaves 0 check -f json "$work/otherwise"
    cp "$work/out" "$work/news.jsonl"
    leaves 0 merge --known "$work/own.jsonl" "$work/news.jsonl"
    err_has 'u.litmus under hrf-direct + epoch is as expected, and known to fail: take its record out'
    # P0 waits for what nobody writes; then P1 does, too, which is news. So is a race of other work-items, x and y being of each
    # what they write. Where nobody listed all, the name has to do.
    goes_stale ends_of '' 'while (f.load() != 5) {}'
    goes_stale race_of 'x x y' 'x y x'
    # A word that is no verdict is none. Standard input is read once, be it a file or a pipe.
    sed 's/"expected":"ok"/"expected":"none"/' "$work/own.jsonl" >"$work/word.jsonl"
    leaves 2 report "$work/word.jsonl"
    err_has 'found a record without all that reports are made of'
    "$CRASHLIT" report /dev/stdin <"$work/own.jsonl" >"$work/out" 2>&1
    out_has '^Summary: 0 as expected, 1 otherwise'
    # shellcheck disable=SC2002
    cat "$work/own.jsonl" | "$CRASHLIT" report /dev/stdin >"$work/out" 2>&1
    out_has '^Summary: 0 as expected, 1 otherwise'
}

# What a run fails for its records fail for, whoever reads them and in whatever format.
records_fail_so() { # wanted status, records, options
    wanted=$1 records=$2
    shift 2
    for format in json text; do leaves "$wanted" merge -f $format "$@" "$records"; done
    leaves "$wanted" merge -f sarif "$@" "$records"
    out_has "\"exitCode\":$wanted,"
}
statuses_of_records() {
    # That x, which is 0 or 1, is never 2 asks nothing; open is not known: one differs, and one is unknown.
    leaves 5 check -f json --unknown fail --fail-on-vacuous --exclude bad "$work/policy"
    cp "$work/out" "$work/answers.jsonl"
    records_fail_so 5 "$work/answers.jsonl" --unknown fail --fail-on-vacuous
    records_fail_so 3 "$work/answers.jsonl" --unknown fail
    # Barriers of one work-item need not be of the device: a warning. Where a record says that it was not found out, it is open.
    printf 'OPENCL w\n{ nvm x = 0; nvm y = 0; }\nP0@wg 0, dev 0 (global int* x, global int* y) { *x = 1; p_barrier_dev; *y = 1; }\ncrash ~exists (x = 0 /\\ y = 1)\n' >"$work/wide.litmus"
    leaves 0 check -f json --warn-wide "$work/wide.litmus"
    cp "$work/out" "$work/wide.jsonl"
    records_fail_so 1 "$work/wide.jsonl" --fail-on-warnings
    sed 's/"warnings":\[[^]]*\]/"warnings":[]/; s/"complete":true/"complete":false/' "$work/wide.jsonl" >"$work/open.jsonl"
    records_fail_so 3 "$work/open.jsonl" --fail-on-warnings
    records_fail_so 0 "$work/open.jsonl" --fail-on-warnings --unknown ok
    records_fail_so 0 "$work/open.jsonl"
    sed 's/"warnings":\[\]/"warnings":[{}]/' "$work/open.jsonl" >"$work/both.jsonl" # a warning, and more is not known
    records_fail_so 5 "$work/both.jsonl" --fail-on-warnings --unknown fail
    records_fail_so 1 "$work/both.jsonl" --fail-on-warnings --unknown ok
    leaves 3 report --fail-on-warnings "$work/open.jsonl"
    leaves 3 check --resume "$work/open.jsonl" --fail-on-warnings "$work/wide.litmus"
    leaves 0 check --resume "$work/open.jsonl" --fail-on-warnings --unknown ok "$work/wide.litmus"
    # Engines that disagree: 4. A worker that was stopped answered nothing, which is unknown and not unread.
    leaves 0 check -f json -e all "$work/wide.litmus"
    sed 's/"accord":{"result":"agree"/"accord":{"result":"disagree"/' "$work/out" >"$work/apart.jsonl"
    records_fail_so 4 "$work/apart.jsonl"
    # Who disputes an answer is told by its record alone: no verdict in it is another one.
    sed 's/"verdict":"ok"/&,"disputed":true/' "$work/wide.jsonl" >"$work/disputed.jsonl"
    records_fail_so 4 "$work/disputed.jsonl"
    leaves 4 report "$work/disputed.jsonl"
    err_has "disputed.jsonl', line 1: engines, or the checker of certificates, contradicted each other about .*/wide.litmus under hrf-direct + epoch"
    leaves 4 check --resume "$work/disputed.jsonl" "$work/wide.litmus"
    printf '{"schema":1,"test":"","file":"n.litmus","model":"","persistency":"","engine":"","verdict":"unknown","expected":"ok","conditions":[],"reason":"the time limit ran out","messages":[{"severity":"error","id":"worker","text":"the time limit ran out"}]}\n' >"$work/stopped.jsonl"
    records_fail_so 3 "$work/stopped.jsonl"
    records_fail_so 0 "$work/stopped.jsonl" --unknown ok
}

# Two stores without a barrier: strict keeps their order, so y is never 1 before x, and epoch does not.
write_blessing() { # what is expected under strict, epoch, epoch by a machine
    printf 'OPENCL late\n"ok, and violated"\n%s\n%s\n%s\n%s // ok?\nexpect  hrf-direct+ epoch:%s\n%s' \
        '{ nvm x = 0; nvm y = 0; }' 'P0@wg 0 (global int* x, global int* y) { *x = 1; *y = 1; }' \
        'crash ~exists (x = 0 /\ y = 1)' "expect hrf-direct + strict : $1" "$2" "expect hrf-direct + epoch [machine] : $3"
}

is_wanted() { # file, what it is
    cmp -s "$work/bless/$1" "$work/bless/wanted"
    verdict $? "$2"
}

# What no line of `expect` has stays byte by byte, and so do comments, blanks, order and what a machine is expected to show.
blessing() {
    write_policies
    mkdir -p "$work/bless"
    write_blessing ok violated unknown >"$work/bless/wanted"
    write_blessing violated ok unknown >"$work/bless/late.litmus"
    leaves 1 check "$work/bless/late.litmus"
    cp "$work/bless/late.litmus" "$work/bless/before"
    leaves 1 bless --dry-run "$work/bless/late.litmus"
    cmp -s "$work/bless/before" "$work/bless/late.litmus"
    verdict $? "a dry run writes nothing"
    out_lines '^[-+]expect' 4
    out_has '^Summary: 2 to be changed, 0 as expected, 0 not known; 1 files would be written$'
    cp "$work/out" "$work/bless/diff"
    patch -s "$work/bless/late.litmus" "$work/bless/diff"
    is_wanted late.litmus "what it prints is what patch applies"
    cp "$work/bless/before" "$work/bless/late.litmus"
    chmod 640 "$work/bless/late.litmus"
    leaves 0 bless -j 2 "$work/bless/late.litmus" "$work/policy/good.litmus"
    is_wanted late.litmus "the words of two verdicts are others, and nothing else"
    [ "$(stat -c %a "$work/bless/late.litmus")" = 640 ]
    verdict $? "the file has the permissions that it had"
    [ "$(find "$work/bless" -name '.*tmp' | wc -l)" -eq 0 ]
    verdict $? "nothing is left beside it"
    leaves 0 check "$work/bless/late.litmus"
    leaves 0 bless --dry-run "$work/bless/late.litmus"
    out_has '^Summary: 0 to be changed, 2 as expected, 0 not known; 0 files would be written$'
    printf '\357\273\277' >"$work/mark"
    # Line ends of each kind, a mark in front, no line end behind.
    write_blessing violated ok unknown | awk 'NR % 3 == 1 { printf "%s\r\n", $0; next } NR % 3 == 2 { printf "%s\r", $0; next } { print }' |
        cat "$work/mark" - >"$work/bless/late.litmus"
    sed 's/strict : violated/strict : ok/; s/epoch:ok/epoch:violated/' "$work/bless/late.litmus" >"$work/bless/wanted"
    # Bytes that are no UTF-8, of a terminal, and NULs, in lines that change and others.
    for name in late.litmus wanted; do
        sed -i 's/: *\(ok\|violated\)/& \/\/ \xff\x00/; $s/$/ \/\/ \x1b[1m\xff/' "$work/bless/$name"
    done
    leaves 1 bless --dry-run "$work/bless/late.litmus"
    cp "$work/bless/late.litmus" "$work/bless/patched.litmus"
    patch -s "$work/bless/patched.litmus" "$work/out"
    is_wanted patched.litmus "patch applies it to such a file"
    leaves 0 bless "$work/bless/late.litmus"
    is_wanted late.litmus "line ends and marks stay what they are"
    # Each line ends with CR LF, or with CR: patch takes the file for one line.
    for end in '\r\n' '\r'; do
        write_blessing violated ok unknown | awk -v end="$end" '{ printf "%s%s", $0, end }' >"$work/bless/late.litmus"
        write_blessing ok violated unknown | awk -v end="$end" '{ printf "%s%s", $0, end }' >"$work/bless/wanted"
        leaves 1 bless --dry-run "$work/bless/late.litmus"
        patch -s "$work/bless/late.litmus" "$work/out"
        is_wanted late.litmus "patch applies it to such line ends"
    done
    # One pair alone; a machine's line by a machine, which shows what epoch allows; a machine's verdict is no other engine's.
    write_blessing violated ok unknown >"$work/bless/late.litmus"
    write_blessing ok ok unknown >"$work/bless/wanted"
    leaves 0 bless -m hrf-direct -p strict "$work/bless/late.litmus"
    is_wanted late.litmus "the pair that is named is blessed alone"
    write_blessing ok ok violated >"$work/bless/wanted"
    leaves 0 bless -e machine "$work/bless/late.litmus"
    is_wanted late.litmus "a machine's line is blessed by a machine, and no other"
}

# What is refused, and why.
cursing() {
    cp "$work/policy/open.litmus" "$work/bless/open.litmus"
    echo 'expect hrf-direct + epoch : ok' >>"$work/bless/open.litmus"
    cp "$work/bless/open.litmus" "$work/bless/wanted"
    leaves 3 bless "$work/bless/open.litmus"
    is_wanted open.litmus "what is unknown is never expected"
    err_has 'open.litmus:4:1: error: the verdict of open is unknown: the loop at line 2 met its unroll bound'
    # Nine rounds are all there are.
    leaves 0 bless --unroll 9 "$work/bless/open.litmus"
    out_has '^Summary: 0 changed, 1 as expected'
    leaves 2 bless "$work/policy/good.litmus"
    err_has 'found no .expect. line that could be blessed'
    leaves 2 bless "$work/bless/there-is-none"
    write_blessing violated ok unknown >"$work/bless/late.litmus"
    cp "$work/bless/late.litmus" "$work/bless/wanted"
    ln -sf late.litmus "$work/bless/link.litmus"
    leaves 2 bless "$work/bless/link.litmus"
    err_has 'it is a link; name the file that it leads to'
    is_wanted late.litmus "no link is written through"
    out_lines '^[-+]expect' 0
    out_has '^Summary: 0 changed, 0 as expected, 0 not known, 2 not written; 0 files written$'
    rm "$work/bless/link.litmus"
    # What cannot be shown is not written.
    timeout 60 "$CRASHLIT" bless "$work/bless/late.litmus" >/dev/full 2>"$work/err"
    [ $? -eq 2 ]
    verdict $? "bless says that nobody could read what is changed"
    err_has "late.litmus' is left as it is, as what is changed cannot be shown"
    is_wanted late.litmus "what cannot be shown is not written"
    # A file that is named twice, by whatever name, is one, however many workers there are.
    for jobs in 1 2; do
        cp "$work/bless/wanted" "$work/bless/late.litmus"
        leaves 0 bless -j $jobs "$work/bless/late.litmus" "$work/bless/../bless/late.litmus"
        out_has '^Summary: 2 changed, 0 as expected, 0 not known; 1 files written$'
    done
    cp "$work/bless/wanted" "$work/bless/late.litmus"
    sed -i 's/epoch:ok/.\/missing.cat:ok/' "$work/bless/late.litmus"
    leaves 2 bless "$work/bless/late.litmus" # a model is missing; the other pair is blessed
    out_lines '^[-+]expect' 2
    printf 'OPENCL no test' >"$work/bless/late.litmus"
    leaves 2 bless "$work/bless/late.litmus"
}

# From within the folder, as a pattern may stand for what leads to it as well.
chosen() { # wanted names, arguments
    wanted=$1
    shift
    program=$(readlink -f "$CRASHLIT")
    found=$(cd "$work" && "$program" list "$@" 2>"$work/err" | sed "s|$work/||" | tr '\n' ' ')
    [ "$found" = "$wanted" ]
    verdict $? "list $* has $wanted, not $found"
}

# The files are policy/good, policy/open and policy/sub/bad, in this order.
choices() {
    write_policies
    p=policy
    chosen 'policy/good.litmus policy/open.litmus policy/sub/bad.litmus ' "$p"
    chosen 'policy/good.litmus ' --filter good "$p"
    chosen 'policy/good.litmus ' --filter 'g*.litmus' "$p"
    chosen 'policy/sub/bad.litmus ' --filter sub/ "$p"
    chosen 'policy/sub/bad.litmus ' --filter 'sub/b?d' "$p"
    chosen 'policy/sub/bad.litmus ' --filter 'policy/sub' "$p"
    chosen 'policy/good.litmus policy/open.litmus ' --exclude sub "$p"
    chosen 'policy/open.litmus ' --exclude sub --exclude 'g*' "$p"
    chosen 'policy/good.litmus policy/open.litmus ' --filter open --filter '?ood' "$p"
    chosen 'policy/open.litmus ' --filter '*o*' --exclude good --exclude sub "$p"
    chosen 'policy/open.litmus ' --exclude good --shard 1/2 "$p"
    chosen 'policy/sub/bad.litmus ' --exclude good --shard 2/2 "$p"
    chosen 'policy/good.litmus ' --filter "$work/policy/good.litmus" "$work/policy"
    chosen 'policy/good.litmus ' --filter '[a-g]o\od' "$p"
    chosen 'policy/good.litmus ' --filter '[!ob]*d' "$p"
    chosen 'policy/sub/bad.litmus ' --filter 'sub/*a*' "$p"
    p=$work/policy
    # 100 stars are looked at once.
    stars=$(printf '*o%.0s' $(seq 100))
    leaves 2 list --filter "$stars" "$p"
    for pattern in '[' '[]' '[!' '\' 'x['; do leaves 2 list --filter "$pattern" "$p"; done
    # No part of a path is more or less than a name between slashes, and * is not more than one.
    for none in oo polic 'policy*bad' litmus .litmus; do
        leaves 2 list --filter "$none" "$p"
        err_has 'leave out every test, 3 in all'
    done
    leaves 2 check --exclude policy "$p"
    # A pattern that none of the tests has, which are good, open and bad; whatever others leave out of them.
    leaves 0 list --filter good --filter goood --exclude ./sub --exclude sub --exclude bad "$p"
    err_has "warning: --filter 'goood': no test has this pattern, so it changes nothing"
    err_has "warning: --exclude './sub': no test has this pattern"
    [ "$(wc -l <"$work/err")" -eq 2 ]
    verdict $? "nothing else is told"
    leaves 2 list --filter '' "$p"
    leaves 0 list "$p" && cp "$work/out" "$work/chosen" && leaves 0 list "@$work/chosen"
    # A name that would be printed as another one is no line of a list.
    for name in 'a\nb' 'a\tb' 'a\033b' 'a\377b'; do
        mkdir -p "$work/names"
        # shellcheck disable=SC2059
        cp "$p/good.litmus" "$(printf "$work/names/$name.litmus")"
        leaves 2 list "$work/names"
        err_has 'so it cannot stand in a list; rename it'
        rm -r "$work/names"
    done
    leaves 0 check --filter good "$p"
    out_has '^Summary: 1 as expected, 0 otherwise, 0 files with errors, 1 vacuous, 2 tests left out$'
    leaves 0 check --format json --filter good "$p"
    cp "$work/out" "$work/good.jsonl"
    leaves 2 merge --manifest "$p" "$work/good.jsonl"
    leaves 0 merge --manifest "$p" --filter good "$work/good.jsonl"
    leaves 0 crosscheck --filter good "$p"
    leaves 0 compare --models sc+none,sc+epoch --exclude 'sub' --exclude open "$p"
    out_has '^Summary: 1 tests, '
}

# A test of 30 work-items has too many executions to be listed; one of a store is done at once, unless it has no time at all.
# By tags, which stand in a line of metadata: what has one, what has none of them, and limits of what has one.
tags() {
    write_policies
    p=$work/policy
    sed -i '1a Tags=slow, gpm' "$p/good.litmus"
    sed -i '1a Tags = gpm-eadr' "$p/sub/bad.litmus"
    chosen 'policy/good.litmus ' --filter tag:slow "$p"
    chosen 'policy/good.litmus policy/sub/bad.litmus ' --filter 'tag:gpm*' "$p"
    chosen 'policy/sub/bad.litmus ' --filter 'tag:gpm*' --exclude tag:slow "$p"
    chosen 'policy/open.litmus policy/sub/bad.litmus ' --exclude tag:gpm "$p"
    chosen 'policy/good.litmus policy/open.litmus ' --filter tag:gpm --filter open "$p"
    for none in tag: tag:slo tag:Slow 'tag:slow,*' tag:slow/x 'x/tag:slow'; do
        leaves 2 list --filter "$none" "$p"
        err_has 'leave out every test, 3 in all'
    done
    leaves 0 list -v "$p"
    [ "$(sed 's/.*policy.//' "$work/out" | tr '\n' ' ')" = 'good.litmus: slow, gpm open.litmus sub/bad.litmus: gpm-eadr ' ]
    verdict $? "list -v has the tags"
    leaves 0 check --filter tag:slow "$p"
    printf 'timeout 2e-9 tag:slow\n' >"$work/limits"
    leaves 3 check -e enum --limits "$work/limits" --filter good "$p"
    printf 'timeout 2e-9 tag:fast\n' >"$work/limits"
    leaves 0 check -e enum --limits "$work/limits" --filter good "$p"
    leaves 2 diff --gone tag:slow "$work/known.jsonl" "$work/known.jsonl"
    err_has "of a test that is gone nobody knows its tags"
    # Standard input is not read before the run does.
    leaves 2 list --filter tag:slow /dev/stdin
}
limits_of_tests() {
    write_policies
    awk -v family=sb -v n=30 -f tests/bench/families.awk >"$work/policy/heavy.litmus"
    printf '# why\n\n \t\ntimeout 600 heavy\n  timeout-cpu 0.2  policy/h* \n' >"$work/limits"
    leaves 3 check -e enum --limits "$work/limits" --filter heavy --filter good "$work/policy"
    out_has '^! unknown    .*heavy.litmus: .*the time limit ran out'
    out_has '^  ok         .*good.litmus'
    leaves 3 check -e enum --timeout 1e-9 --filter good "$work/policy"
    printf 'timeout 2e-9 *\ntimeout 60 good\n' >"$work/limits"
    leaves 0 check -e enum --timeout 1e-9 --limits "$work/limits" --filter good "$work/policy"
    printf 'timeout 60 *\ntimeout 2e-9 good\n' >"$work/limits" # the last line that matches
    leaves 3 check -e enum --limits "$work/limits" --filter good "$work/policy"
    # What is behind the seconds is a pattern, with blanks and all; of good nothing is told, though it is left out.
    printf 'timeout 60 good # slow\ntimeout 60 good\n' >"$work/limits"
    leaves 3 check -e enum --limits "$work/limits" --filter open --shard 1/1 "$work/policy"
    err_has "warning: --limits 'good # slow': no test has this pattern"
    [ "$(wc -l <"$work/err")" -eq 1 ]
    verdict $? "nothing else is told"
    # Without its limits a run may not end, so it does not begin.
    for line in 'timeout good' 'timeout 0 good' 'timeout -1 good' 'timeout 1x good' 'timeout 5' 'time 5 good' 'timeout nan good'; do
        printf 'timeout 5 good\n%s' "$line" >"$work/limits"
        leaves 2 check -e enum --limits "$work/limits" "$work/policy"
        err_has "limits:2:1: error: --limits wants lines as"
        out_lines good.litmus 0
    done
    printf 'timeout 5 good\0x\n' >"$work/limits"
    leaves 2 check --limits "$work/limits" "$work/policy"
    leaves 2 check --limits "$work/there-is-none" "$work/policy"
    out_lines good.litmus 0
    cp "$work/known.jsonl" "$work/limits"
    leaves 2 check --limits "$work/limits" --format "json=$work/limits" "$work/policy/good.litmus"
    cmp -s "$work/known.jsonl" "$work/limits"
    verdict $? "no report takes its place"
    rm "$work/policy/heavy.litmus"
}

quiet() {
    write_policies
    leaves 0 check -q --filter good "$work/policy"
    [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    verdict $? "nothing is said where all is well"
    leaves 1 check --quiet --exclude open "$work/policy"
    out_lines . 2
    out_has '^! violated   .*sub/bad.litmus'
    out_has '^Summary: 1 as expected, 1 otherwise'
    leaves 1 check -q "$work/policy/sub/bad.litmus" # one file has no summary
    out_lines . 1
    out_has '^! violated '
    # What is vacuous is told where it is a failure.
    leaves 1 check -q --fail-on-vacuous "$work/policy/good.litmus"
    out_has 'is vacuous'
    leaves 2 check -q -v "$work/policy"
    leaves 0 check -q --format json "$work/policy/good.litmus"
    out_lines '"verdict":"ok"' 1
}

# Two tests of three are gone: b and c.
deleted() {
    leaves 1 diff "$work/old.jsonl" "$work/part1.jsonl"
    leaves 1 diff --gone b "$work/old.jsonl" "$work/part1.jsonl"
    out_has '^gone      .*/b.litmus .*: ok, as it may be$'
    out_has '^gone      .*/c.litmus .*: ok$'
    leaves 0 diff --gone b --gone 'tests/c' "$work/old.jsonl" "$work/part1.jsonl"
    out_has 'Summary: 1 same, 0 changed, 0 mended, 0 regressed, 2 gone, 0 new'
    [ ! -s "$work/err" ]
    verdict $? "nothing is told of patterns that tests have"
    leaves 1 diff --gone a --gone b "$work/old.jsonl" "$work/part1.jsonl" # a is there, c is gone, too
    err_has "warning: --gone 'a': no test that is gone has this pattern, so it changes nothing"
    leaves 1 diff --gone '*' "$work/old.jsonl" "$work/bad.jsonl" # what regressed is no test that is gone
}

differences() {
    cp "$work/whole.jsonl" "$work/old.jsonl"
    leaves 0 diff "$work/old.jsonl" "$work/whole.jsonl"
    out_has 'Summary: 3 same, 0 changed, 0 mended, 0 regressed, 0 gone, 0 new'
    leaves 1 diff "$work/old.jsonl" "$work/bad.jsonl"
    out_has '^regressed .*/tests/a.litmus under hrf-direct + epoch by auto: violated, expected ok, was ok'
    out_has 'condition 1 is now ~exists (x=1)'
    leaves 0 diff "$work/bad.jsonl" "$work/old.jsonl"
    out_has 'Summary: 0 same, 0 changed, 3 mended, 0 regressed, 0 gone, 0 new'
    leaves 1 diff "$work/old.jsonl" "$work/part1.jsonl"
    out_has 'Summary: 1 same, 0 changed, 0 mended, 0 regressed, 2 gone, 0 new'
    leaves 0 diff "$work/part1.jsonl" "$work/old.jsonl"
    out_has 'Summary: 1 same, 0 changed, 0 mended, 0 regressed, 0 gone, 2 new'
    # One state more, with the same verdict, is told and is no failure.
    sed 's/"crash_states":\[/&{"x":7},/' "$work/part1.jsonl" >"$work/more.jsonl"
    leaves 0 diff "$work/part1.jsonl" "$work/more.jsonl"
    out_has '^changed'
    out_has '^  + crash state {"x":7}$'
    # A verdict that is not known any more is worse, one that is violated instead is no better.
    sed 's/"verdict":"ok"/"verdict":"unknown"/g' "$work/part1.jsonl" >"$work/unknown.jsonl"
    leaves 1 diff "$work/part1.jsonl" "$work/unknown.jsonl"
    sed 's/"verdict":"ok"/"verdict":"violated"/g' "$work/part1.jsonl" >"$work/violated.jsonl"
    leaves 0 diff "$work/unknown.jsonl" "$work/violated.jsonl"
    out_has '^changed'
    # What a record has of strangers keeps to its line, and to its place in JSON.
    sed 's/"text":"~exists (x=2)"/"text":"\\n\\nSummary: fine\\n"/' "$work/part1.jsonl" >"$work/lines.jsonl"
    leaves 0 diff "$work/part1.jsonl" "$work/lines.jsonl"
    out_has '^  condition 1 is now \\n\\nSummary: fine\\n$'
    leaves 0 diff --format json "$work/part1.jsonl" "$work/lines.jsonl"
    out_has '"details":\["condition 1 is now \\u000a\\u000aSummary: fine\\u000a"\]'
}

# A run with one verdict: of three tests one expects ok, one violated, one neither.
many() {
    awk -v verdict="$1" 'NR == 1 {
        split("violated unknown", others, " ")
        text = sprintf("%500s", "")
        gsub(/ /, "e", text)
        for (i = 1; i <= 20; i++)
            list = list (i > 1 ? "," : "") "{\"text\":\"" text i "\",\"verdict\":\"" verdict "\"}"
        sub(/"conditions":\[.*\],"final_states/, "\"conditions\":[" list "],\"final_states")
        for (i = 1; i <= 66; i++) {
            line = $0
            sub(/a\.litmus/, "many" i ".litmus", line)
            sub(/"verdict":"ok"/, "\"verdict\":\"" verdict "\"", line)
            if (i % 3)
                sub(/"expected":"ok"/, "\"expected\":\"" others[i % 3] "\"", line)
            print line
        } }' "$work/whole.jsonl"
}

# As a comment on a change: what fails first, the smallest tests first, no more than twenty of each fate. As JUnit a case for
# each that is not the same, and one that all was compared.
differences_elsewhere() {
    # 22 that regress, of 22 events down to 1, and one that is mended; its title would be markup.
    awk 'NR == 1 { for (i = 22; i; i--) { line = $0; sub(/a\.litmus/, "size" i ".litmus", line)
        sub(/"events":[0-9]*/, "\"events\":" i, line); print line } }' "$work/whole.jsonl" >"$work/sizes.jsonl"
    sed 's/"verdict":"ok"/"verdict":"violated"/g' "$work/sizes.jsonl" >"$work/worse.jsonl"
    sed -n '2s/b\.litmus/_b_.litmus/p' "$work/whole.jsonl" >"$work/mended.jsonl"
    cat "$work/mended.jsonl" >>"$work/worse.jsonl"
    sed 's/"verdict":"ok"/"verdict":"violated"/g' "$work/mended.jsonl" >>"$work/sizes.jsonl"
    sed -n '3p' "$work/whole.jsonl" >>"$work/sizes.jsonl"
    leaves 1 diff --format md "$work/sizes.jsonl" "$work/worse.jsonl"
    [ "$(grep -o '^\*\*.*' "$work/out" | tr '\n' ' ')" = '**22 regressed, 1 gone that may not** **22 regressed** **1 gone** **1 mended** ' ] &&
        [ "$(sed -n 's/^\* .*size\([0-9]*\).*/\1/p' "$work/out" | tr '\n' ' ')" = "$(seq -s ' ' 20) " ]
    verdict $? "what fails is first, and the smallest first"
    grep -qxF "$("$CRASHLIT" version)" "$work/out"
    verdict $? "Markdown has the version"
    out_has '^\* and 2 more$'
    out_has '_b_\.litmus under hrf-direct + epoch by auto`: ok, expected ok, was violated$' # in a code span
    # The 22 may be gone, of up to 22 events; c, of 99, may not, so it is the first of 23.
    sed '/c\.litmus/s/"events":[0-9]*/"events":99/' "$work/sizes.jsonl" >"$work/large.jsonl"
    leaves 1 diff --gone 'size*' --format md "$work/large.jsonl" "$work/mended.jsonl"
    [ "$(sed -n '1p; s/^\* .*\/\([a-z0-9]*\)\.litmus.*/\1/p' "$work/out" | head -3 | tr '\n' ' ')" = '**0 regressed, 1 gone that may not** c size1 ' ]
    verdict $? "what may not be gone stands before what may"
    out_has '^\* and 3 more$'
    # 22 regress, 22 are mended, 22 changed, with 20 conditions of 500 letters that have another verdict: eight of a test are told,
    # and of each fate 10, half of 20, as 60 tests of eight details of 200 letters have more than 65536 bytes.
    many ok >"$work/many1.jsonl"
    many violated >"$work/many2.jsonl"
    leaves 1 diff --format md "$work/many1.jsonl" "$work/many2.jsonl"
    size=$(wc -c <"$work/out")
    [ "$size" -le 65536 ]
    verdict $? "a comment has at most 65536 bytes (it was $size)"
    out_lines '^  \* and 12 more$' 30
    out_lines '^\* and 12 more$' 3
    leaves 1 diff --format junit "$work/sizes.jsonl" "$work/worse.jsonl"
    out_has '<testsuite name="crashlit diff" tests="25" failures="23" errors="0"'
    out_lines '<failure message="regressed: violated, expected ok, was ok"' 22
    out_has 'gone: ok'
    leaves 0 diff --format junit --gone c "$work/whole.jsonl" "$work/whole.jsonl"
    out_has 'tests="1" failures="0" errors="0"'
    printf '{"schema":1,"test":"","file":"n.litmus","model":"","persistency":"","engine":"","verdict":"error","expected":"ok","conditions":[]}\n' >"$work/n.jsonl"
    leaves 2 diff --format junit "$work/whole.jsonl" "$work/n.jsonl"
    out_has 'errors="1"'
    out_has '<error message="not all could be compared" type="diff">1 records of the new run are of no answer'
    leaves 2 diff --format md "$work/whole.jsonl" "$work/n.jsonl"
    out_has '^Not all could be compared: 1 records of the new run are of no answer'
    leaves 2 diff --format sarif "$work/whole.jsonl" "$work/whole.jsonl"
}

# kv-insert-bare: key and value without a barrier. epoch lets either persist alone, strict in the
# order of the program only.
side_by_side() {
    leaves 0 compare --models epoch,strict,hrf-indirect+strict \
        litmus/spb/kv-insert.litmus litmus/spb/kv-insert-bare.litmus
    out_has '^test  *hrf-direct + epoch  *hrf-direct + strict  *hrf-indirect + strict$'
    out_has '^kv-insert-bare  *violated [0-9]* *\*ok [0-9]* *\*ok [0-9]*$'
    out_has '^Summary: 2 tests, '
    leaves 0 compare --models epoch,strict --decide litmus/spb/kv-insert.litmus
    out_has '^kv-insert  *ok  *ok$'
    leaves 2 compare --models epoch,strict "$work/absent.litmus" litmus/spb/kv-insert.litmus
    out_has '/absent.litmus  *error  *error$'
    out_has '^Summary: 1 tests, 0 differ, 1 could not be read$'
    # Twice the same, by two names of it.
    leaves 2 compare --models epoch,strict,hrf-direct+epoch litmus/spb/kv-insert.litmus
    err_has 'names hrf-direct + epoch twice'
}

# Which way: by containment of states, test by test.
#   bare: val, then key, without a barrier. strict leaves the prefixes 00, 10, 11; epoch also the key alone.
#   tagged: x, clwb x, sfence, y. px86 has x durable before y; to epoch the two mean nothing, so y may be alone.
#   barred: x, p_barrier_wi, y. epoch has x durable before y; to px86 the barrier means nothing, so y may be alone.
#   apart: both, on four locations.
#   race: an ordinary write and read that hrf-direct orders by no synchronisation, and sc needs none for.
#   loop: three rounds under a bound of two.
directions() {
    printf 'OPENCL bare\n{ nvm key = 0; nvm val = 0; }\nP0 { *val = 1; *key = 1; }\n' >"$work/bare.litmus"
    printf 'OPENCL tagged\nuses "px86.def"\n{ nvm x = 0; nvm y = 0; }\nP0 { *x = 1; clwb(x); sfence(); *y = 1; }\n' \
        >"$work/tagged.litmus"
    printf 'OPENCL barred\n{ nvm x = 0; nvm y = 0; }\nP0 { *x = 1; p_barrier_wi; *y = 1; }\n' >"$work/barred.litmus"
    printf 'OPENCL race\n{ x = 0; }\nP0 { *x = 1; }\nP1 { int r = *x; }\nexists (1:r = 1)\n' >"$work/race.litmus"
    printf 'OPENCL loop\n{ atomic_int x = 3; nvm y = 0; }\nP0 { int r = 1;\n while (r > 0) {' >"$work/loop.litmus"
    printf ' r = atomic_fetch_sub(x, 1); } *y = 1; }\n' >>"$work/loop.litmus"
    leaves 0 compare --models sc+strict,sc+epoch "$work/bare.litmus"
    out_has '^sc + epoch contains sc + strict; 1 tests: 0 same, 0 sc + strict only, 1 sc + epoch only, 0 both, 0 unknown$'
    out_has '^  bare, sc + epoch: 1 crash state more, key=1; val=0$'
    leaves 0 compare --models sc+epoch,sc+strict "$work/bare.litmus"
    out_has '^sc + epoch contains sc + strict; 1 tests: 0 same, 1 sc + epoch only, '
    leaves 0 compare --models sc+epoch,sc+buffered-epoch "$work/bare.litmus"
    out_has '^sc + epoch and sc + buffered-epoch are equal; 1 tests: 1 same, '
    # Each has more on one test.
    leaves 0 compare --models sc+px86,sc+epoch "$work/tagged.litmus" "$work/barred.litmus"
    out_has '^neither of sc + px86 and sc + epoch contains the other; 2 tests: 0 same, 1 sc + px86 only, 1 sc + epoch only, 0 both'
    out_has '^  tagged, sc + epoch: 1 crash state more, x=0; y=1$'
    out_has '^  barred, sc + px86: 1 crash state more, x=0; y=1$'
    # Undefined under one alone: more than any state, and not by states.
    leaves 0 compare --models hrf-direct+epoch,sc+epoch "$work/race.litmus"
    out_has '^hrf-direct + epoch contains sc + epoch, hrf-direct + epoch having more by undefined behaviour alone; 1 tests: 0 same'
    out_has '0 unknown, 1 undefined under hrf-direct + epoch alone$'
    out_has '^  race, hrf-direct + epoch: undefined, so that anything may happen$'
    leaves 0 compare --models hrf-direct+epoch,hrf-direct+strict "$work/race.litmus"
    out_has '^hrf-direct + epoch and hrf-direct + strict: nothing to compare; 1 tests: .*, 1 undefined under both$'
    # A bound leaves it open, unless others decide it.
    leaves 3 compare --models sc+strict,sc+epoch "$work/loop.litmus"
    out_has '^which of sc + strict and sc + epoch contains the other is not known; 1 tests: .* 1 unknown$'
    out_has '^  loop, sc + epoch: whether it has more is not known: the loop at line 4 met its unroll bound'
    leaves 3 compare --models sc+px86,sc+epoch "$work/loop.litmus" "$work/tagged.litmus" "$work/barred.litmus"
    out_has '^neither of sc + px86 and sc + epoch contains the other; 3 tests: .* 1 unknown$'
    leaves 3 compare --models sc+strict,sc+epoch "$work/loop.litmus" "$work/bare.litmus"
    out_has 'contains the other is not known, sc + epoch having more; 2 tests: '
    # The engine that is named answers the same.
    for engine in enum smt; do
        leaves 0 compare -e $engine --models sc+strict,sc+epoch "$work/bare.litmus"
        out_has '^sc + epoch contains sc + strict; '
    done
    # Verdicts alone tell no direction.
    leaves 0 compare --decide --models sc+strict,sc+epoch "$work/bare.litmus"
    ! grep -q contains "$work/out"
    verdict $? "verdicts tell no direction"
}

# What differs between two runs, and between a run and its records.
undated() { sed 's/ timestamp="[^"]*"//; s/"commandLine":"[^"]*"/"commandLine":""/' "$1"; }
same_report() { # a report of the run, one of its records, what
    undated "$1" >"$work/of-run" && undated "$2" >"$work/of-records"
    cmp "$work/of-run" "$work/of-records"
    verdict $? "$3 of the records is that of the run"
}
# A run, in each format that lists findings, and what `report` makes of its records.
retold() { # wanted status, arguments of check
    due=$1
    shift
    for shape in text herd; do
        timeout 120 "$CRASHLIT" check --format $shape "$@" >"$work/run.$shape" 2>"$work/err"
    done
    leaves "$due" check --format json --format junit="$work/run.junit" --format tap="$work/run.tap" \
        --format sarif="$work/run.sarif" --format json="$work/run.json" "$@"
    cmp "$work/out" "$work/run.json"
    verdict $? "the records of a file are those of standard output"
    leaves "$due" report --format junit="$work/told.junit" --format tap="$work/told.tap" \
        --format sarif="$work/told.sarif" --format json="$work/told.json" "$work/run.json"
    cp "$work/out" "$work/told.text"
    leaves "$due" report --format herd "$work/run.json"
    cp "$work/out" "$work/told.herd"
    for format in text herd json junit tap sarif; do
        same_report "$work/run.$format" "$work/told.$format" "$format of $*"
    done
}

# Tests of each kind that reports tell apart: as expected or not, violated, undefined, vacuous, unknown, without
# conditions, with columns that are no bytes, with warnings and fixes, one that cannot be read, one that is not there. The
# statuses are 1 of the test that is violated, 2 of a file or model that cannot be read, 3 of a time limit, and 0 where an
# `expect` line has what comes out.
retelling() {
    mkdir -p "$work/kinds"
    code='P0 (global int* x) { *x = 1; }'
    printf 'OPENCL ok\n{ nvm x = 0; }\n%s\ncrash exists (x = 1)\n' "$code" >"$work/kinds/a-ok.litmus"
    printf 'OPENCL violated\n"a & <b>"\n{ nvm x = 0; nvm y = 0; }\nP0 { /* \303\251 */ *x = 1; *y = 2; }\ncrash /* \303\251 */ ~exists (x = 0 /\\ y = 2)\n' \
        >"$work/kinds/b-violated.litmus"
    sed 's/OPENCL violated/OPENCL expected/; $a expect hrf-direct + epoch : violated' "$work/kinds/b-violated.litmus" >"$work/kinds/c-expected.litmus"
    printf 'OPENCL race\n{ x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\nP1@wg 1 (global int* x) { int r = *x; }\nexists (1:r = 1)\nexpect hrf-direct + epoch : undefined\n' \
        >"$work/kinds/d-race.litmus"
    printf 'OPENCL none\n{ nvm x = 0; }\n%s\n' "$code" >"$work/kinds/e-none.litmus"
    printf 'OPENCL typo\n{ nvm value = 0; }\nP0 (global int* value) { *vlaue = 1; }\ncrash ~exists (value = 2)\n' >"$work/kinds/f-typo.litmus"
    printf 'OPENCL warned\n{ nvm x = 0; y = 0; }\nP0 { *x = 1; *y = 1; }\nrecovery { int r = *y; }\nrecovered ~exists (x = 2)\n' \
        >"$work/kinds/g-warned.litmus"
    retold 2 "$work/kinds" "$work/not-there.litmus"
    rm "$work/kinds/f-typo.litmus"
    retold 1 "$work/kinds"
    retold 1 -j 2 -e all "$work/kinds"
    retold 1 --decide "$work/kinds"
    retold 2 -m not-there "$work/kinds"
    retold 3 --timeout 0.000001 "$work/kinds"
    retold 0 --warn-wide -m hrf-direct -p epoch litmus/spb/fig4-r2.litmus litmus/spb/kv-insert.litmus
    retold 0 -e machine litmus/spb/kv-insert.litmus litmus/spb/kv-insert-bare.litmus
    retold 0 litmus/properties litmus/cuda/far-asked.litmus
    # Conditions that ask nothing fail a report as they fail a run: that x is 2, which nobody stores.
    "$CRASHLIT" check --format json litmus/spb/kv-insert.litmus "$work/kinds/g-warned.litmus" >"$work/run.json" 2>"$work/err"
    leaves 0 report "$work/run.json"
    leaves 1 report --fail-on-vacuous "$work/run.json"
    # A run in parts, the last first: the manifest has their order. What is missing is in the report as well.
    "$CRASHLIT" check --format json --format junit="$work/run.junit" "$work/kinds" >"$work/run.json" 2>"$work/err"
    "$CRASHLIT" check --format json --shard 1/2 "$work/kinds" >"$work/one.jsonl" 2>"$work/err"
    "$CRASHLIT" check --format json --shard 2/2 "$work/kinds" >"$work/two.jsonl" 2>"$work/err"
    sed -i 's/ time="[^"]*"//' "$work/run.junit"
    leaves 1 merge --manifest "$work/kinds" --format junit "$work/two.jsonl" "$work/one.jsonl"
    sed 's/ time="[^"]*"//' "$work/out" >"$work/told.junit"
    same_report "$work/run.junit" "$work/told.junit" "JUnit of parts"
    leaves 2 merge --manifest "$work/kinds" --format junit "$work/one.jsonl"
    out_has '<error message="no answer for .*b-violated.litmus, which the manifest names'
    # Of 24 tests 23 are missing: 20 are told, and three counted. Records in a file say it, those that are merged again do not.
    mkdir -p "$work/missing"
    for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33; do
        cp litmus/spb/kv-insert.litmus "$work/missing/$i.litmus"
    done
    "$CRASHLIT" check --format json "$work/missing/10.litmus" >"$work/one.jsonl" 2>"$work/err"
    leaves 2 merge --manifest "$work/missing" --format junit --format json="$work/told.json" "$work/one.jsonl"
    out_lines '<error message="no answer for .*, which the manifest names' 20
    out_lines '<error message="no answer for 3 further questions"' 1
    grep -q '"file":"crashlit",.*"text":"no answer for 3 further questions"' "$work/told.json"
    verdict $? "records in a file say what is missing"
    awk -f examples/annotate.awk "$work/told.json" >"$work/out"
    out_lines '^::error::no answer for ' 21
    "$CRASHLIT" merge --manifest "$work/missing" "$work/one.jsonl" >"$work/out" 2>"$work/err"
    out_lines 'no answer for' 0
    # What is known to fail is skipped, whoever tells it: all that is not as expected stands in the records themselves.
    leaves 0 check --known "$work/run.json" --format junit="$work/run.junit" "$work/kinds"
    sed -i 's/ time="[^"]*"//' "$work/run.junit"
    leaves 0 merge --known "$work/run.json" --format junit="$work/told.junit" "$work/run.json"
    sed -i 's/ time="[^"]*"//' "$work/told.junit"
    grep -q '<skipped message="verdict violated, expected ok, a known failure"' "$work/told.junit"
    verdict $? "a known failure is skipped"
    same_report "$work/run.junit" "$work/told.junit" "JUnit with what is known"
    "$CRASHLIT" check --format json --format junit="$work/run.junit" "$work/kinds" >"$work/run.json" 2>"$work/err"
    sed -i 's/ time="[^"]*"//' "$work/run.junit"
    # Behind --resume each case is there, whoever answered it; pages say what they lack.
    leaves 1 check --format json --resume "$work/one.jsonl" --format junit="$work/told.junit" "$work/kinds"
    sed -i 's/ time="[^"]*"//' "$work/told.junit"
    same_report "$work/run.junit" "$work/told.junit" "JUnit behind --resume"
    leaves 1 check --resume "$work/one.jsonl" --format html="$work/told.html" "$work/kinds"
    err_has '^crashlit: html has what is asked now alone'
    # Nothing is left out without a word: a record of an older version, one that is cut off, one that is none, and formats that
    # show executions.
    sed '1s/"findings":\[/"found":[/' "$work/run.json" >"$work/older.jsonl"
    leaves 2 report --format tap "$work/older.jsonl"
    err_has "older.jsonl', line 1: found a record without all that reports are made of"
    out_lines '^not ok .* crashlit: input \[E-cli-record\]$' 1
    leaves 1 report --format json "$work/older.jsonl"
    cmp "$work/out" "$work/older.jsonl"
    verdict $? "records go on as they are"
    head -c 1500 "$work/run.json" >"$work/older.jsonl"
    leaves 2 report "$work/older.jsonl"
    err_has 'found a record that is cut off'
    # A word that is no verdict is none.
    sed '1s/"expected":"[a-z]*"/"expected":"none"/' "$work/run.json" >"$work/word.json"
    leaves 2 report "$work/word.json"
    err_has "word.json', line 1: found a record without all that reports are made of"
    # Standard input is read once, be it a file or a pipe.
    leaves 1 report "$work/run.json"
    cp "$work/out" "$work/wanted"
    "$CRASHLIT" report /dev/stdin <"$work/run.json" 2>/dev/null | cmp -s - "$work/wanted"
    verdict $? "records come from standard input that is a file"
    # shellcheck disable=SC2002
    cat "$work/run.json" | "$CRASHLIT" report /dev/stdin 2>/dev/null | cmp -s - "$work/wanted"
    verdict $? "records come from standard input that is a pipe"
    leaves 2 report --format svg "$work/run.json"
    leaves 2 report "$work/kinds/a-ok.litmus"
    leaves 2 report --format junit="$work/run.json" "$work/run.json" # it would take the place of what is read
    [ -s "$work/run.json" ]
    verdict $? "the records are there still"
}

has_workers() { workers=$(children "$program") && [ -n "$workers" ]; }
has_program() { program=$(children "$run") && [ -n "$program" ]; }

# Runs `crashlit check -e smt ARGUMENTS` on a quick test, the long one and a quick one, and sends a
# signal to the worker that has the long one (or, one that interrupts, to the run) once the first is answered.
disturb() { # signal, arguments
    signal=$1
    shift
    : >"$work/out" # what an earlier run has printed is no answer
    # A script's background jobs ignore SIGINT unless told otherwise.
    timeout -k 5 180 env --default-signal=INT,QUIT,HUP "$CRASHLIT" check -e smt -m rc11 -p none --format json "$@" \
        "$work/first.litmus" "$work/long.litmus" "$work/last.litmus" >"$work/out" 2>"$work/err" &
    run=$!
    await "the first test is answered" [ -s "$work/out" ]
    sleep 0.2
    await "the run goes on" has_program
    # shellcheck disable=SC2086 # several workers
    case $signal in
    INT | TERM | HUP | QUIT) kill "-$signal" $program ;;
    *) await "it has a worker" has_workers && kill "-$signal" $workers ;;
    esac
    wait "$run" # not for longer than its limit, whose status is none that is expected
    status=$?
}

disturbances() {
    printf 'C first\n{ atomic_int x = 0; }\nP0 (atomic_int* x) { int r = *x; }\nexists (0:r = 0)\n' >"$work/first.litmus"
    sed 's/first/last/' "$work/first.litmus" >"$work/last.litmus"
    write_long_test "$work/long.litmus"
    # A worker that is killed: its test is an error, the others are not touched.
    disturb KILL --format junit="$work/run.junit" --format tap="$work/run.tap"
    [ "$status" -eq 70 ]; verdict $? "a killed worker shows in the status (70, it was $status)"
    out_lines '"verdict":"ok"' 2
    out_has '"file":".*long.litmus".*"verdict":"error".*"reason":"its worker was ended by signal 9'
    err_has "long.litmus' is error: its worker was ended by signal 9"
    cp "$work/out" "$work/killed.jsonl"
    leaves 2 merge "$work/killed.jsonl"
    out_lines . 3
    leaves 70 report --format junit --format tap="$work/told.tap" "$work/killed.jsonl"
    same_report "$work/run.junit" "$work/out" "JUnit with a killed worker"
    same_report "$work/run.tap" "$work/told.tap" "TAP with a killed worker"
    leaves 70 report "$work/killed.jsonl"
    out_has '^! error      .*long.litmus: its worker was ended by signal 9'
    # One that does not keep to the time limit: it is stopped, its test unknown.
    disturb STOP --timeout 5
    [ "$status" -eq 3 ]; verdict $? "a worker that hangs shows in the status (3, it was $status)"
    out_lines '"verdict":"ok"' 2
    out_has '"test":"long".*"verdict":"unknown".*"doubt":"the time limit ran out"'
}

# A test alone has a worker as well: an interrupt ends its reports, and a run that is killed takes it along.
alone() {
    for interrupt in TERM:143 KILL:137; do
        timeout -k 5 180 "$CRASHLIT" check -e smt -m rc11 -p none --format junit "$work/long.litmus" \
            >"$work/out" 2>"$work/err" &
        run=$!
        await "the run goes on" has_program
        await "it has a worker" has_workers
        # shellcheck disable=SC2086 # it is one
        kill "-${interrupt%:*}" $program
        wait "$run"
        status=$?
        [ "$status" -eq "${interrupt#*:}" ]
        verdict $? "${interrupt%:*} ends a run of one test (it was $status)"
        # shellcheck disable=SC2086 # it is one
        await "its worker is gone" is_gone $workers
    done
}
# Nobody may have waited for it. Of no process at all it is not said.
is_gone() { [ $# -eq 1 ] && { ! [ -e "/proc/$1/status" ] || grep -qs "^State:.Z" "/proc/$1/status"; }; }

# No report of a run that was interrupted looks like a whole one.
reports_tell_of_it() { # status
    tail -n 1 "$work/cut.tap" | grep -q '^Bail out! the run was interrupted'
    verdict $? "TAP bails out"
    ! grep -q '^1\.\.' "$work/cut.tap"
    verdict $? "TAP has no plan"
    ! prove -e cat "$work/cut.tap" >/dev/null 2>&1
    verdict $? "prove fails"
    [ "$(grep -c '<testsuite ' "$work/cut.xml")" -eq 2 ] && # the first test, and the run
        grep -q '<testsuite name="crashlit" tests="1" failures="0" errors="1"' "$work/cut.xml" &&
        grep -q '<error message="the run was interrupted[^"]*" type="interrupt">' "$work/cut.xml"
    verdict $? "JUnit has an error of the run"
    grep -q '"executionSuccessful":false,"exitCode":'"$1"',.*"toolExecutionNotifications":.*interrupted' "$work/cut.sarif"
    verdict $? "SARIF has an execution that did not succeed"
    grep -q 'class="unexpected">the run was interrupted' "$work/cut.html" &&
        grep -q "exit status $1" "$work/cut.html"
    verdict $? "HTML tells of the interrupt"
}

# An interrupt loses nothing that was answered, and a later run takes it up.
interrupts() {
    for interrupt in TERM:143 HUP:129 QUIT:131; do
        disturb "${interrupt%:*}" --format tap="$work/cut.tap" --format junit="$work/cut.xml" \
            --format sarif="$work/cut.sarif" --format html="$work/cut.html"
        [ "$status" -eq "${interrupt#*:}" ]; verdict $? "${interrupt%:*} shows in the status (it was $status)"
        out_lines '"test":"first"' 1
        err_has 'interrupted; what was answered by then is printed'
        reports_tell_of_it "${interrupt#*:}"
    done
    disturb INT --format tap="$work/cut.tap" --format junit="$work/cut.xml" \
        --format sarif="$work/cut.sarif" --format html="$work/cut.html"
    [ "$status" -eq 130 ]; verdict $? "an interrupt shows in the status (130, it was $status)"
    out_lines '"test":"first"' 1
    err_has 'interrupted; what was answered by then is printed'
    reports_tell_of_it 130
    mv "$work/out" "$work/earlier.jsonl"
    leaves 0 check -e smt -m rc11 -p none --format json --resume "$work/earlier.jsonl" \
        "$work/first.litmus" "$work/last.litmus"
    out_lines . 1
    out_has '"test":"last"'
    cat "$work/out" >>"$work/earlier.jsonl"
    leaves 0 check -e smt -m rc11 -p none --format json --resume "$work/earlier.jsonl" \
        "$work/first.litmus" "$work/last.litmus"
    out_lines . 0
    # Other models, or no such file: nothing was answered yet.
    leaves 0 check -e smt -m sc -p none --format json --resume "$work/earlier.jsonl" "$work/first.litmus"
    out_lines . 1
    leaves 0 check --resume "$work/absent.jsonl" -m sc -p none "$work/first.litmus" "$work/last.litmus"
    # What was answered counts: it was not as expected.
    write_tests 1
    leaves 1 check --resume "$work/bad.jsonl" "$work/tests"
    out_has '^Summary: 0 as expected, 3 otherwise'
}

# What is asked again when a run over the three tests takes up another.
again() { # how many records there are, arguments
    records=$1
    shift
    leaves 0 check --format json "$@" "$work/tests"
    out_lines . "$records"
}

# An answer is taken up only where the same is asked: x is never 2 nor 3, so all is as expected.
questions() {
    write_tests 2
    again 3
    mv "$work/out" "$work/listed.jsonl"
    again 0 --resume "$work/listed.jsonl"
    again 3 --resume "$work/listed.jsonl" --crash end
    # A verdict alone is no answer where states are to be listed.
    again 0 --resume "$work/listed.jsonl" --decide
    again 3 --decide
    mv "$work/out" "$work/decided.jsonl"
    again 3 --resume "$work/decided.jsonl" --states
    again 3 --resume "$work/decided.jsonl" -e enum
    again 0 --resume "$work/decided.jsonl"
    again 0 --resume "$work/decided.jsonl" --decide
    # Both say the same, and the listing says more.
    leaves 0 merge "$work/listed.jsonl" "$work/decided.jsonl"
    out_lines '"crash_states"' 3
    leaves 0 merge "$work/decided.jsonl" "$work/listed.jsonl"
    out_lines '"crash_states"' 3
    out_lines . 3
    # The first verdict of a line is the test's, the second its condition's: they contradict others, but
    # for one that is not known, and then the record that knows it stands.
    sed 's/"verdict":"ok"/"verdict":"violated"/g' "$work/decided.jsonl" >"$work/other.jsonl"
    leaves 4 merge "$work/listed.jsonl" "$work/other.jsonl"
    err_has 'found two answers for .*c.litmus under hrf-direct + epoch by auto'
    sed 's/"verdict":"ok"/"verdict":"unknown"/g' "$work/listed.jsonl" >"$work/other.jsonl"
    leaves 0 merge "$work/other.jsonl" "$work/decided.jsonl"
    out_lines '"decided":true' 3
    # That a condition holds of nothing is an answer, which another one contradicts.
    sed 's/"verdict":"ok"/"verdict":"unknown"/;s/"verdict":"ok"/"verdict":"unknown","of_nothing":true/' "$work/listed.jsonl" >"$work/other.jsonl"
    leaves 4 merge "$work/other.jsonl" "$work/decided.jsonl"
    # Two whole listings have the same states; half a one, of a run that had too little time, has a doubt,
    # and contradicts no whole one.
    sed 's/"crash_states":\[[^]]*\]/"crash_states":[]/' "$work/listed.jsonl" >"$work/half.jsonl"
    leaves 4 merge "$work/half.jsonl" "$work/listed.jsonl"
    sed 's/}$/,"doubt":"the time limit ran out"}/' "$work/half.jsonl" >"$work/other.jsonl"
    leaves 0 merge "$work/other.jsonl" "$work/listed.jsonl"
    out_lines '"crash_states":\[{' 3
    # 2^13 states in product form: the digest tells whether sets are one, whatever their boxes.
    awk 'BEGIN {
        print "OPENCL product\n{"
        for (i = 0; i < 13; i++) print "nvm x" i " = 0;"
        print "}"
        for (i = 0; i < 13; i++) print "P" i " (global int* x" i ") { *x" i " = 1; }"
        print "crash exists (x0 = 1)" }' >"$work/product.litmus"
    leaves 0 check -e enum -m sc -p none --format json "$work/product.litmus"
    out_lines '"crash_states":{"count":8192,"digest":' 1
    cp "$work/out" "$work/product.jsonl"
    sed 's/"x0":\[0,1\]/"x0":[1,0]/' "$work/product.jsonl" >"$work/other.jsonl"
    leaves 0 merge "$work/product.jsonl" "$work/other.jsonl"
    sed 's/"count":8192,"digest":"/&0/' "$work/product.jsonl" >"$work/other.jsonl"
    leaves 4 merge "$work/product.jsonl" "$work/other.jsonl"
    # An edited test: other code, another text, another kind, one more, another name, another expectation.
    for edit in 's/\*x = 1/*x = 4/' 's/x = 2/x = 3/' 's/^crash //' '$a ~exists (x = 2)' 's/OPENCL b/OPENCL other/' \
        '$a expect hrf-direct + epoch : violated'; do
        sed -i "$edit" "$work/tests/b.litmus"
        leaves "$(case $edit in *expect*) echo 1 ;; *) echo 0 ;; esac)" \
            check --format json --resume "$work/listed.jsonl" "$work/tests"
        out_lines . 1
        out_lines '"file":"[^"]*b.litmus"' 1
        write_tests 2
    done
    echo 'no test' >"$work/tests/b.litmus"
    leaves 2 check --format json --resume "$work/listed.jsonl" "$work/tests"
    out_lines '"file":"[^"]*b.litmus".*"verdict":"error"' 1
    write_tests 2
    # No answer: time, memory or loops ran out. An answer that stands before or behind it counts.
    sed 's/"verdict":"ok"/"verdict":"unknown"/g' "$work/listed.jsonl" >"$work/unknown.jsonl"
    again 3 --resume "$work/unknown.jsonl"
    cat "$work/unknown.jsonl" "$work/listed.jsonl" "$work/unknown.jsonl" >"$work/both.jsonl"
    again 0 --resume "$work/both.jsonl"
    # All engines: rc11 + none has no machine, so two records are all that is wanted.
    leaves 0 check -e all -m rc11 -p none --format json "$work/first.litmus"
    out_lines . 2
    mv "$work/out" "$work/all.jsonl"
    leaves 0 check -e all -m rc11 -p none --format json --resume "$work/all.jsonl" "$work/first.litmus"
    out_lines . 0
    # The property that is judged in place of conditions.
    asking="check --format json -m hrf-direct -p epoch litmus/recovery/redo-log.litmus"
    # shellcheck disable=SC2086
    leaves 0 $asking --property idempotent-recovery
    mv "$work/out" "$work/property.jsonl"
    # shellcheck disable=SC2086
    leaves 0 $asking --property idempotent-recovery --resume "$work/property.jsonl"
    out_lines . 0
    # shellcheck disable=SC2086
    leaves 0 $asking --resume "$work/property.jsonl"
    out_lines . 1
}

# A test that uses a definition file, and a model: either may be edited, and each file that it includes.
edited_files() {
    mkdir -p "$work/edited"
    printf 'note(X) { __store{note}(X, 1); }\n' >"$work/edited/note.def"
    printf 'OPENCL u\nuses "note.def"\n{ nvm x = 0; }\nP0 (global int* x) { note(x); }\ncrash ~exists (x = 2)\n' \
        >"$work/edited/u.litmus"
    printf '"mine"\ninclude "part.cat"\n' >"$work/edited/mine.cat"
    printf 'let mine = po\n' >"$work/edited/part.cat"
    asking="check --format json -m sc -p $work/edited/mine.cat"
    # shellcheck disable=SC2086
    leaves 0 $asking "$work/edited/u.litmus"
    mv "$work/out" "$work/used.jsonl"
    resumes="$asking --resume $work/used.jsonl"
    # shellcheck disable=SC2086
    leaves 0 $resumes "$work/edited/u.litmus"
    out_lines . 0
    for file in note.def mine.cat part.cat u.litmus; do
        cp "$work/edited/$file" "$work/kept"
        echo >>"$work/edited/$file"
        # shellcheck disable=SC2086
        leaves 0 $resumes "$work/edited/u.litmus"
        out_lines . 1
        cp "$work/kept" "$work/edited/$file"
    done
    # A record that has no digest does not say what it is of; to others it is the same answer.
    sed 's/"model_digest":"[0-9a-f]*",//' "$work/used.jsonl" >"$work/older.jsonl"
    # shellcheck disable=SC2086
    leaves 0 $asking --resume "$work/older.jsonl" "$work/edited/u.litmus"
    out_lines . 1
    leaves 0 diff "$work/older.jsonl" "$work/used.jsonl"
    out_has 'Summary: 1 same, 0 changed'
    # Nor is a record of another build, or of one that is not said, this one's; to others it is the same answer.
    for edit in 's/"build":"[0-9a-f]*"/"build":"0000000000000000"/' 's/"build":"[0-9a-f]*",//' 's/"question_digest":"[0-9a-f]*",//'; do
        sed "$edit" "$work/used.jsonl" >"$work/older.jsonl"
        # shellcheck disable=SC2086
        leaves 0 $asking --resume "$work/older.jsonl" "$work/edited/u.litmus"
        out_lines . 1
        leaves 0 diff "$work/older.jsonl" "$work/used.jsonl"
        out_has 'Summary: 1 same, 0 changed'
    done
    # Other options ask another question; limits, workers and methods ask the same.
    for option in '--unroll 3' '--rounds 5' --recovery-crash '--crash end'; do
        # shellcheck disable=SC2086
        leaves 0 $resumes $option "$work/edited/u.litmus"
        out_lines . 1
    done
    # shellcheck disable=SC2086
    leaves 0 $resumes --timeout 9 --memory 900 -j 2 --thresholds least --no-symmetry "$work/edited/u.litmus"
    out_lines . 0
    # The machine's file, or a fault of it, is asked in a record of the machine alone.
    cp models/machines/bpfs.machine "$work/edited/own.machine"
    asking="check -f json -e all --machine $work/edited/own.machine -m hrf-direct -p buffered-epoch $work/edited/u.litmus"
    # shellcheck disable=SC2086
    "$CRASHLIT" $asking >"$work/used.jsonl"
    engines=$(wc -l <"$work/used.jsonl")
    # shellcheck disable=SC2086
    leaves 0 $asking --resume "$work/used.jsonl"
    out_lines . 0
    echo '# another text' >>"$work/edited/own.machine"
    # shellcheck disable=SC2086
    leaves 0 $asking --resume "$work/used.jsonl"
    out_lines . "$engines" # all engines of a pair are asked together
    out_lines '"engine":"machine"' 1
}

# One task of an array, as Slurm would start it.
# A run that is held to records: the program, the files of the models, and a machine's file and options, are those of
# the records, or nothing is answered. Tests may be others, and limits.
frozen() {
    mkdir -p "$work/frozen"
    printf 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash ~exists (x = 2)\n' >"$work/frozen/t.litmus"
    sed 's/OPENCL t/OPENCL new/; s/x = 2/x = 3/' "$work/frozen/t.litmus" >"$work/frozen/new.litmus"
    printf '"mine"\ninclude "part.cat"\n' >"$work/frozen/mine.cat"
    printf 'let mine = po\n' >"$work/frozen/part.cat"
    asking="check -f json -m sc -p $work/frozen/mine.cat"
    # shellcheck disable=SC2086
    leaves 0 $asking "$work/frozen/t.litmus"
    mv "$work/out" "$work/frozen/records.jsonl"
    held="$asking --frozen $work/frozen/records.jsonl"
    # shellcheck disable=SC2086
    leaves 0 $held -j 2 --timeout 9 "$work/frozen/t.litmus" "$work/frozen/new.litmus"
    out_lines '"verdict":"ok"' 2
    # shellcheck disable=SC2086
    leaves 0 $held --resume "$work/frozen/records.jsonl" "$work/frozen/t.litmus"
    out_lines . 0
    # Another text of the model, and another pair: no answer, and why, as of a model that cannot be loaded.
    echo '(* another *)' >>"$work/frozen/part.cat"
    # shellcheck disable=SC2086
    leaves 2 $held --format "junit=$work/frozen/junit.xml" "$work/frozen/t.litmus" "$work/frozen/new.litmus"
    out_lines '"engine":"","verdict":"error","expected":"ok","conditions":\[\],"reason":"not as frozen: the records have this model pair' 2
    err_has 'frozen/mine.cat is not as frozen: .* \[E-cli-frozen\]'
    [ "$(grep -c . "$work/err")" -eq 1 ] && [ "$(grep -c '<error ' "$work/frozen/junit.xml")" -eq 2 ]
    verdict $? "it is told once, and each case is an error"
    leaves 2 check -f json --frozen "$work/frozen/records.jsonl" -m sc -p epoch "$work/frozen/t.litmus"
    out_lines '"reason":"not as frozen: the records have no answer of this model pair"' 1
    # Another build, records that are none, of nothing, or cut off: nothing is asked, and no report takes the place of another.
    for edit in 's/"build":"[0-9a-f]*"/"build":"0000000000000000"/' 's/"build":"[0-9a-f]*",//' 's/.*/no record/' 's/\(.\{200\}\).*/\1/' d; do
        sed "$edit" "$work/frozen/records.jsonl" | tr -d '\n' >"$work/frozen/odd.jsonl"
        echo kept >"$work/frozen/kept.xml"
        leaves 2 check --frozen "$work/frozen/odd.jsonl" --format junit="$work/frozen/kept.xml" -f json "$work/frozen/t.litmus"
        [ ! -s "$work/out" ] && [ "$(cat "$work/frozen/kept.xml")" = kept ]
        verdict $? "records changed by $edit: nothing is asked"
    done
    leaves 2 check --frozen "$work/frozen/none.jsonl" "$work/frozen/t.litmus"
    # Two texts of one model pair, of which nobody knows which is meant, and that is told once: first with part.cat as it was, then as it is.
    # shellcheck disable=SC2086
    leaves 0 $asking "$work/frozen/t.litmus" "$work/frozen/new.litmus"
    cat "$work/frozen/records.jsonl" "$work/out" >"$work/frozen/both.jsonl"
    # shellcheck disable=SC2086
    leaves 2 $asking --frozen "$work/frozen/both.jsonl" "$work/frozen/t.litmus"
    out_lines . 0
    err_has "both.jsonl', line 2: found an answer by another text of sc + .*frozen/mine.cat than before, .* \[E-cli-frozen\]"
    [ "$(grep -c . "$work/err")" -eq 1 ]
    verdict $? "it is told once"
    # What a source is asked under: sc keeps no order of durability of its own, so its source allows all that t does.
    printf 'OPENCL r\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; *y = 1; }\ncrash refines "s.litmus" under sc + s.cat\nexpect sc + epoch : ok\n' >"$work/frozen/r.litmus"
    printf 'OPENCL s\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; *y = 1; }\n' >"$work/frozen/s.litmus"
    printf '"s"\nlet persist-before = 0\n' >"$work/frozen/s.cat"
    leaves 0 check -f json "$work/frozen/r.litmus"
    mv "$work/out" "$work/frozen/refines.jsonl"
    leaves 0 check -f json --frozen "$work/frozen/refines.jsonl" "$work/frozen/r.litmus"
    printf '"s"\nlet persist-before = po\n' >"$work/frozen/s.cat"
    leaves 2 check -f json --frozen "$work/frozen/refines.jsonl" "$work/frozen/r.litmus"
    out_lines "\"verdict\":\"error\",.*\"reason\":\"not as frozen: the records have the source's model pair sc + [^ ]*frozen/s.cat with another text or other options\"" 1
    sed -i 's/sc + s.cat/sc + none/' "$work/frozen/r.litmus"
    leaves 2 check -f json --frozen "$work/frozen/refines.jsonl" "$work/frozen/r.litmus"
    out_lines "\"reason\":\"not as frozen: the records have no answer of the source's model pair sc + none\"" 1
    # Its records have the machine: its file, its options, and another one.
    cp models/machines/bpfs.machine "$work/frozen/own.machine"
    asking="check -f json -e machine --machine $work/frozen/own.machine -m hrf-direct -p buffered-epoch $work/frozen/t.litmus"
    # shellcheck disable=SC2086
    "$CRASHLIT" $asking >"$work/frozen/machine.jsonl"
    held="$asking --frozen $work/frozen/machine.jsonl"
    # shellcheck disable=SC2086
    leaves 0 $held
    # shellcheck disable=SC2086
    leaves 2 $held --unroll 5
    # shellcheck disable=SC2086
    "$CRASHLIT" $asking --unroll 5 >>"$work/frozen/machine.jsonl"
    # shellcheck disable=SC2086
    leaves 2 $held
    err_has "line 2: found an answer by another text of [^ ]*own.machine than before, or with other options"
    sed -i 2d "$work/frozen/machine.jsonl"
    echo '# another text' >>"$work/frozen/own.machine"
    # shellcheck disable=SC2086
    leaves 2 $held
    out_lines '"reason":"not as frozen: the records have the machine [^ ]*own.machine with another text or other options"' 1
}

array_task() { # wanted status, task, first, last, how many, step, arguments
    wanted=$1
    SLURM_ARRAY_TASK_ID=$2 SLURM_ARRAY_TASK_MIN=$3 SLURM_ARRAY_TASK_MAX=$4 SLURM_ARRAY_TASK_COUNT=$5 \
        SLURM_ARRAY_TASK_STEP=$6
    export SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_COUNT \
        SLURM_ARRAY_TASK_STEP
    shift 6
    timeout 60 sh tools/slurm-array.sh "$work/parts" "$@" "$work/tests" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq "$wanted" ]
    verdict $? "the task leaves with $wanted (it was $status)"
}
part_lines() { # part, how many records
    [ "$(grep -c . "$work/parts/part-$1.jsonl")" -eq "$2" ]
    verdict $? "part $1 has $2 records"
}

# Three tests in two parts: a and c, and b.
array_tasks() {
    write_tests 2
    rm -rf "$work/parts"
    array_task 0 1 1 2 2 1
    [ ! -s "$work/err" ]
    verdict $? "a first attempt has nothing to tell"
    array_task 0 2 1 2 2 1
    part_lines 1.0 2
    part_lines 2.0 1
    # Submitted again, nothing is lost, and nothing is left to do.
    array_task 0 1 1 2 2 1
    part_lines 1.0 2
    part_lines 1.1 0
    # The third attempt has what the first two answered, and what none did.
    sed -i 1d "$work/parts/part-1.0.jsonl"
    array_task 0 1 1 2 2 1
    part_lines 1.2 1
    array_task 0 1 1 2 2 1
    part_lines 1.3 0
    # A killed attempt left a line unfinished.
    tail -n 1 "$work/parts/part-1.0.jsonl" | head -c 100 >"$work/parts/part-1.4.jsonl"
    array_task 0 1 1 2 2 1
    part_lines 1.5 0
    leaves 0 merge --manifest "$work/tests" "$work"/parts/part-*.jsonl
    out_lines . 3
    # A verdict is a result, a test that cannot be read a failure, which costs no other test its answer.
    write_tests 1
    array_task 0 2 1 2 2 1
    echo 'no test' >"$work/tests/a.litmus"
    array_task 2 1 1 2 2 1
    grep -q '"test":"c"' "$work/parts/part-1.6.jsonl"
    verdict $? "the other test is answered"
    write_tests 2
    # Tasks of no whole array from 0 or 1 on would have other shards.
    array_task 2 3 3 3 1 1
    err_has 'expected --array=1-N'
    array_task 2 1 1 3 2 2
    array_task 2 1 1 4 3 1
    array_task 0 0 0 1 2 1
    part_lines 0.0 2
}

# A model pair that cannot be loaded has a record, and the status of the run shows after it.
models_that_fail() {
    write_tests 2
    model=$work/broken.cat
    echo '"broken" let r = nothing' >"$model"
    leaves 2 check --format json -e all --format json="$work/file.jsonl" --format junit="$work/junit.xml" \
        -m "$model" "$work/tests"
    out_lines '"test":"[abc]".*"model":"[^"]*broken.cat","persistency":"epoch","engine":"","verdict":"error"' 3
    out_lines '"reason":"[^"]*nothing' 3
    out_lines . 3
    cmp -s "$work/out" "$work/file.jsonl"
    verdict $? "a report of JSON lines says the same"
    [ "$(grep -c 'tests="1" failures="0" errors="1"' "$work/junit.xml")" -eq 3 ]
    verdict $? "each is counted once"
    mv "$work/out" "$work/failed.jsonl"
    leaves 2 merge "$work/failed.jsonl"
    leaves 2 merge --manifest "$work/tests" "$work/failed.jsonl"
    out_lines . 3
    leaves 2 diff "$work/listed.jsonl" "$work/failed.jsonl"
    out_has '^new .*a.litmus under .*broken.cat + epoch: error$'
    leaves 2 diff "$work/failed.jsonl" "$work/failed.jsonl"
    # An answer under another pair is no answer, one under this pair is.
    leaves 2 merge "$work/failed.jsonl" "$work/listed.jsonl"
    out_lines . 6
    cp models/visibility/hrf-direct.cat "$model"
    leaves 0 check --format json -m "$model" --resume "$work/failed.jsonl" "$work/tests"
    out_lines . 3
    mv "$work/out" "$work/loaded.jsonl"
    leaves 0 merge --manifest "$work/tests" "$work/failed.jsonl" "$work/loaded.jsonl" "$work/listed.jsonl"
    out_lines . 6
}

# On a terminal a line tells how far the run is, and is gone when it ends. The long test stands for a
# run that takes more than a second.
progress() {
    if ! command -v script >/dev/null 2>&1; then
        echo "no terminal: script (bsdutils) is not there"
        return
    fi
    script -qc "'$CRASHLIT' check -e smt -m rc11 -p none --timeout 2 --format json '$work/first.litmus' \
        '$work/long.litmus' '$work/last.litmus' >'$work/out'" "$work/typescript" >/dev/null 2>&1 </dev/null
    tr '\r' '\n' <"$work/typescript" >"$work/lines"
    grep -q '^1 of 3 tests, .* a second, .* to go' "$work/lines"
    verdict $? "a line on a terminal tells how far the run is"
    out_lines . 3
    timeout 60 "$CRASHLIT" check "$work/first.litmus" "$work/last.litmus" >/dev/null 2>"$work/err"
    [ ! -s "$work/err" ]
    verdict $? "nothing is told where there is no terminal"
}

merging
not_of_the_run
cut_searches
owed
patterns
lists
policies
known_failures
statuses_of_records
blessing
cursing
choices
tags
limits_of_tests
quiet
differences
differences_elsewhere
deleted
retelling
disturbances
alone
interrupts
questions
edited_files
frozen
array_tasks
models_that_fail
progress
side_by_side
directions
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
