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
    for vocabulary in $("$CRASHLIT" help --words generate vocabulary | grep -v /); do
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
    err_has "cannot write into '.*/no/such/folder/': No such file or directory"
    leaves 2 generate --bound events=2,barriers=1,events=3
    err_has '^crashlit: error: --bound: found events= twice, expected it once '
    leaves 2 generate --bound memory=nvm,memory=volatile
    err_has "found memory= twice, expected it once, with its words joined by ':'"
    leaves 2 generate -j 2 --shape 'PodWW Rfe Crash'
    err_has '^crashlit: error: --jobs is of what engines are asked'
    leaves 2 generate --shard 1/2 --shape 'PodWW Rfe Crash'
    err_has '^crashlit: error: --shard is of all programs up to a bound'
    leaves 2 generate --shard 1/2
    err_has '^crashlit: error: --shard wants --format json'
    leaves 2 check --format herd -
    err_has 'standard input has no test'
    printf 'OPENCL one\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x = 1)\nOPENCL two\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x = 0)\n' |
        "$CRASHLIT" check --format herd -v - >"$work/out" 2>"$work/err"
    [ $? -eq 1 ]
    verdict $? "of two tests of standard input one differs"
    out_has '^Verdict one ok, expected ok'
    out_has '^Verdict two violated, expected ok'
    # A test of the stream is called by its place there, in records and in messages.
    printf 'OPENCL one\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x = 1)\nOPENCL two\n{ x = 0; }\nP0 (global int* x) { *x = 1 }\nexists (x = 0)\n' >"$work/stream"
    "$CRASHLIT" check --format json - <"$work/stream" >"$work/out" 2>"$work/err"
    out_has '"file":"-/0000001-one.litmus"'
    out_has '"file":"-/0000002-two.litmus"'
    err_has "^-/0000002-two.litmus:3:29: error: found '}'"
    "$CRASHLIT" compare --models sc+epoch,sc+none --format json - <"$work/stream" >"$work/out" 2>"$work/err"
    out_has '"file":"-/0000001-one.litmus"'
    # So what was answered of a stream can be taken up.
    "$CRASHLIT" check --format json - <"$work/stream" >"$work/first" 2>"$work/err"
    "$CRASHLIT" check --format json --resume "$work/first" - <"$work/stream" >"$work/out" 2>"$work/err"
    out_lines '"file":"-/0000001-one.litmus"' 0
}

# Parts of a suite put together, and a run that was killed and taken up, make the suite that one run makes.
resumed() {
    "$CRASHLIT" generate --comprehensive sc+epoch --bound events=3,barriers=2 2>/dev/null >"$work/stream"
    for part in 1 2; do
        "$CRASHLIT" generate --comprehensive sc+epoch --bound events=3,barriers=2 --format json --shard $part/2 2>/dev/null >"$work/part-$part"
    done
    leaves 2 merge "$work/part-2"
    err_has 'part 1 of 2 did not come to its end'
    leaves 0 merge "$work/part-2" "$work/part-1"
    cp "$work/out" "$work/merged"
    leaves 0 generate --resume "$work/merged" --comprehensive sc+epoch --bound events=3,barriers=2
    cmp -s "$work/out" "$work/stream"
    verdict $? "two parts are the whole"
    "$CRASHLIT" generate --comprehensive sc+epoch --bound events=3,barriers=2 --format json 2>/dev/null >"$work/killed" &
    process=$!
    await 'some units are done' test -s "$work/killed"
    kill -KILL "$process"
    wait "$process" 2>/dev/null
    ! grep -q '"ended"' "$work/killed"
    verdict $? "the run was killed before its end, with $(wc -l <"$work/killed") units done"
    leaves 0 generate --resume "$work/killed" --comprehensive sc+epoch --bound events=3,barriers=2 -o "$work/taken-up"
    cat "$work/taken-up"/*.litmus | cmp -s - "$work/stream"
    verdict $? "what was killed and taken up is the suite"
    sed 's/"body"/"text"/' "$work/part-1" | grep '"text"' >"$work/hostile"
    leaves 2 generate --resume "$work/hostile" --comprehensive sc+epoch --bound events=3,barriers=2
    err_has 'that is none of this search'
}

names_of() { ls "$1" | tr '\n' ' '; }
# What is written is read, whatever its size: 5 MiB of it are comments here.
long_list() {
    leaves 0 generate --shape 'PodWW Rfe Crash' -o "$work/long"
    { head -n 1 "$work/long/MANIFEST"; awk 'BEGIN { for (i = 0; i < 100000; i++) print "# 0123456789012345678901234567890123456789012345678" }'
      sed 1d "$work/long/MANIFEST"; } >"$work/manifest"
    mv "$work/manifest" "$work/long/MANIFEST"
    "$CRASHLIT" check "@$work/long/MANIFEST" >"$work/out" 2>"$work/err"
    out_has 'long/PodWW+Rfe+Crash.litmus'
    leaves 0 generate --shape 'PodWW Rfe Crash' -o "$work/long"
    [ "$(names_of "$work/long")" = 'MANIFEST PodWW+Rfe+Crash.litmus ' ] && [ "$(wc -c <"$work/long/MANIFEST")" -lt 10000 ]
    verdict $? "the next suite takes the place of that one"
}

# A folder is looked at before the work; a suite takes the place of the one that is there, and leaves other files. A
# list that is not ours, or whose lines lead elsewhere, costs no file.
folders() {
    mkdir -p "$work/suite" "$work/others"
    printf 'OPENCL mine\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x = 1)\n' >"$work/suite/mine.litmus"
    leaves 0 generate --comprehensive sc+strict --bound events=2,barriers=0 -o "$work/suite"
    leaves 0 check "@$work/suite/MANIFEST"
    out_has '^Summary: 6 as expected, 0 otherwise'
    leaves 0 generate --shape 'PodWW Rfe Crash' -o "$work/suite"
    err_has "6 tests of the suite that was in '.*/suite/' are removed"
    [ "$(names_of "$work/suite")" = 'MANIFEST PodWW+Rfe+Crash.litmus mine.litmus ' ]
    verdict $? "what is left: $(names_of "$work/suite")"
    printf '# crashlit generate\n../others/kept.litmus\n.litmus\n# with ../others/kept.litmus\n# with MANIFEST\nPodWW+Rfe+Crash.litmus\n' >"$work/suite/MANIFEST"
    : >"$work/others/kept.litmus"
    leaves 0 generate --shape 'PodWW Rfe Crash' -o "$work/suite"
    [ -e "$work/others/kept.litmus" ]
    verdict $? "a list removes nothing elsewhere"
    [ -e "$work/suite/MANIFEST" ]
    verdict $? "nor itself"
    echo mine >"$work/others/MANIFEST"
    leaves 2 generate --shape 'PodWW Rfe Crash' -o "$work/others"
    err_has "is no list of tests of 'crashlit generate'"
    [ "$(cat "$work/others/MANIFEST")" = mine ]
    verdict $? "and it stays"
    # A model that cannot be loaded makes no suite, and removes none.
    leaves 2 generate --comprehensive sc+nothing --bound events=2,barriers=0 -o "$work/suite"
    [ -e "$work/suite/PodWW+Rfe+Crash.litmus" ]
    verdict $? "the suite that is there stays"
    for words in '--comprehensive sc+strict' '--shape PodWW+Rfe+Crash'; do
        # shellcheck disable=SC2086 # an option and its value
        leaves 2 generate $words -o "$work/suite/mine.litmus"
        [ "$(grep -c 'Not a directory' "$work/err")" -eq 1 ]
        verdict $? "which is said once"
    done
}

# A file that no list of ours names stays, and then nothing is written: no test, no list, and of a list that is there
# each byte stays. By hand: the suite's tests are sc-strict-000001 to 6, and the cycle's is PodWW+Rfe+Crash.
stays() { # file, its folder's names, arguments
    kept=$1 names=$2
    shift 2
    leaves 2 "$@"
    err_has "'$kept' is there, and no MANIFEST beside it names it; .*: name another folder, or remove the file"
    [ "$(cat "$kept")" = mine ] && [ "$(names_of "${kept%/*}")" = "$names" ]
    verdict $? "$kept stays, and nothing is beside it: $(names_of "${kept%/*}")"
}
foreign() {
    rm -rf "$work/foreign" && mkdir -p "$work/foreign"
    suite='generate --comprehensive sc+strict --bound events=2,barriers=0'
    echo mine >"$work/foreign/sc-strict-000003.litmus"
    # shellcheck disable=SC2086 # words of a command line
    stays "$work/foreign/sc-strict-000003.litmus" 'sc-strict-000003.litmus ' $suite -o "$work/foreign"
    # Called otherwise the suite meets nobody; made again it takes its own place.
    for again in 1 2; do
        # shellcheck disable=SC2086
        leaves 0 $suite --name own -o "$work/foreign"
    done
    [ "$(names_of "$work/foreign" | wc -w)" -eq 8 ]
    verdict $? "six tests, a list and who was there (run $again times): $(names_of "$work/foreign")"
    echo mine >"$work/foreign/PodWW+Rfe+Crash.litmus"
    cp "$work/foreign/MANIFEST" "$work/list"
    stays "$work/foreign/PodWW+Rfe+Crash.litmus" "$(names_of "$work/foreign")" \
        generate --shape 'PodWW Rfe Crash' -o "$work/foreign"
    cmp -s "$work/foreign/MANIFEST" "$work/list"
    verdict $? "the list that was there is as it was"
    # Options may stand before the command.
    for again in 1 2; do
        leaves 0 --name own generate --comprehensive sc+strict --bound events=2,barriers=0 -o "$work/foreign"
        leaves 0 -o "$work/options" generate --shape 'PodWW Rfe Crash'
        head -n 1 "$work/options/MANIFEST" | grep -q '^# crashlit generate -o .*/options --shape '
        verdict $? "the list begins with the command (run $again times): $(head -n 1 "$work/options/MANIFEST")"
    done
    # A link counts as what it is, a name in a folder, wherever it leads.
    rm -rf "$work/linked" && mkdir -p "$work/linked"
    ln -s "$work/none" "$work/linked/PodWW+Rfe+Crash.litmus"
    leaves 2 generate --shape 'PodWW Rfe Crash' -o "$work/linked"
    [ "$(names_of "$work/linked")" = 'PodWW+Rfe+Crash.litmus ' ]
    verdict $? "a link that leads nowhere is written over by nobody"
}

# No fence is an access, and a program has one: of fences alone there is none.
of_nothing() {
    leaves 3 generate --comprehensive sc+epoch --bound families=fence,events=2 -o "$work/nothing"
    err_has '^0 tests: there is no program up to the bound, so nothing was looked at$'
    [ ! -e "$work/nothing" ]
    verdict $? "of nothing no folder is made"
    leaves 3 generate --bound families=fence,events=2
    err_has '^0 tests: there is no program up to the bound, so nothing was looked at$'
    # Two accesses that another work-item comes before: each leads to one that is not there.
    leaves 2 generate --shape-from Fre --size 2
    err_has 'found words of which no cycle of that size can be made'
    # A model that looks at an instruction of its own, which the vocabulary that is named has not: its tests need it.
    printf 'mine "an instruction of its own"\ninstructions F['"'"'mine]\nlet NVW = W & NVM\nlet durable-before = [NVW]; po; [MINE]; po; [NVW]\n' >"$work/mine.cat"
    leaves 3 generate --vocabulary spb --comprehensive "sc+$work/mine.cat" --bound events=2
    err_has 'there may be others: sc + .*mine.cat looks at the instruction tag .*, which no program of the vocabulary has$'
    # Else programs have it. By hand: two writes of two locations with it between, of one work-item, are one minimal test: the
    # second has executed and the first is not durable.
    leaves 0 generate --comprehensive "sc+$work/mine.cat" --bound events=2,barriers=1,memory=nvm,locations=2
    out_has '^  __fence{mine};$'
    "$CRASHLIT" generate --comprehensive "sc+$work/mine.cat" --bound events=2,barriers=1,memory=nvm -o "$work/mine" 2>/dev/null
    grep -q ' x\* y\* | P0: st x; mine; st y$' "$work/mine/MANIFEST"
    verdict $? "the fence of its own has a minimal test"
}

# What --expect says of a file; the same for any number of jobs.
expected() {
    rm -rf "$work/shapes" "$work/shapes-2"
    mkdir -p "$work/shapes" "$work/shapes-2"
    for folder in shapes shapes-2; do
        cp models/persistency/none.cat "$work/$folder/own.cat"
    done
    cp models/persistency/strict.cat "$work/other.cat" && cp models/collective.cat "$work"
    for folder in shapes shapes-2; do
        leaves 0 generate -j "$([ $folder = shapes ] && echo 1 || echo 2)" --shape-from 'Pod** Rfe Crash' --size 3 -o "$work/$folder" \
            --expect "sc+strict,sc+$work/$folder/own.cat,sc+$work/other.cat"
    done
    # Behind the write that was lost nothing reads it; strict orders both.
    for line in '^expect sc + strict : ok$' '^expect sc + ./own.cat : violated$' "^// sc + $work/other.cat : ok$"; do
        grep -q -e "$line" "$work/shapes/PodWW+Rfe+Crash.litmus"
        verdict $? "the test says $line"
    done
    leaves 0 check "@$work/shapes/MANIFEST"
    for file in "$work/shapes"/*.litmus; do
        cmp -s "$file" "$work/shapes-2/${file##*/}"
        verdict $? "${file##*/} is the same by two jobs"
    done
}

# Every program up to small bounds, by all engines (all of it in `make exhaustive`).
every_program() {
    sh tests/corpus/exhaustive.sh "$EXHAUSTIVE" "$ORACLE" few >"$work/out" 2>&1
    verdict $? "engines agree on every program up to small bounds"
    sum=$(tail -n 1 "$work/out")
    echo "every program up to small bounds: $sum"
    passed=$((passed + ${sum%% passed,*}))
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

# Verdicts of tests in litmus/generated that were derived by hand, under their own models and others.
by_hand() {
    while IFS='|' read -r file models expected _; do
        case $file in '#'*) continue ;; esac
        # shellcheck disable=SC2086 # words
        set -- $file $models $expected
        found=$("$CRASHLIT" check --format herd -m "$2" -p "$3" "litmus/generated/$1.litmus" 2>&1 | sed -n 's/^Verdict [^ ]* \([a-z]*\).*/\1/p')
        [ "$found" = "$4" ]
        verdict $? "$1 under $2 + $3 is $4 by hand (found: $found)"
    done <tests/corpus/generated.list
}

# By hand: the two inserts of kv-insert each have x = 1 and a barrier inside; chain-three has three work-items, and no
# generated test of two has its chain.
subsumed() {
    python3 tests/corpus/subsumed.py litmus/generated litmus/spb sc+strict sc+epoch sc+buffered-epoch \
        hrf-direct+strict hrf-direct+epoch hrf-direct+buffered-epoch >"$work/subsumed"
    diff litmus/generated/subsumed.txt "$work/subsumed"
    verdict $? "which generated tests are inside tests of litmus/spb is as subsumed.txt says"
    grep -A 60 '^## hrf-direct + epoch' "$work/subsumed" >"$work/section"
    grep -q '^kv-insert: hrf-direct-epoch:[0-9]* hrf-direct-epoch:[0-9]*$' "$work/section"
    verdict $? "both claims of kv-insert have a generated test inside"
    grep -q '^chain-three: -; beyond: 3 work-items' "$work/section"
    verdict $? "chain-three has none, for its three work-items"
    # Elements of arrays are locations: the hash table is kv-insert twice. Arms of a branch tell what was read:
    # z = 1 shows that P2 acquired what P0 released behind its barrier. n = 2 takes both additions; who made n = 1
    # is not told.
    grep -q '^hash-table: hrf-direct-epoch:[0-9]* hrf-direct-epoch:[0-9]*$' "$work/section"
    verdict $? "both claims of hash-table have one, as kv-insert has"
    grep -q '^persist-through-fr: hrf-direct-epoch-atomics:[0-9]*$' "$work/section"
    verdict $? "persist-through-fr has the release behind a barrier inside"
    grep -q '^rmw-count: - hrf-direct-epoch:[0-9]* hrf-direct-epoch:[0-9]* -; ' "$work/section"
    verdict $? "rmw-count has a barrier inside where both have added"
    # Each of two work-items has two barriers in each of three turns, and the first claim alone is of writes of one work-item.
    grep -q '^btree-alg1-kr-loop: hrf-direct-epoch:[0-9]* - - -; beyond: 5 accesses, 12 barriers, scope kr$' "$work/section"
    verdict $? "a loop is unrolled"
    ! grep 'beyond: nothing\|: ?' "$work/subsumed"
    verdict $? "all are read, and what has no generated test inside is beyond the bound"
}

# A name is of one test, in all of litmus/generated; --name keeps suites of one pair apart.
names() {
    find litmus/generated -name '*.litmus' | sed 's,.*/,,' | sort | uniq -d >"$work/twice"
    is_none "$work/twice"
    verdict $? "no two generated tests share a name: $(head -n 3 "$work/twice")"
    leaves 0 generate --comprehensive sc+epoch --bound events=2,barriers=1 --name own_1 -o "$work/own"
    out_none=$(sed -n 's/^OPENCL //p' "$work"/own/*.litmus | grep -vc '^own_1-00000[1-7]$')
    [ "$out_none" = 0 ] && [ "$(grep -c '^own_1-' "$work/own/MANIFEST")" = 7 ]
    verdict $? "--name names the tests, in files and in the list"
    command=$(sed -n '1s/^# crashlit //p' "$work/own/MANIFEST")
    # shellcheck disable=SC2086 # words of a command line
    leaves 0 $command -o "$work/again"
    diff -r "$work/own" "$work/again"
    verdict $? "and the list has the command that makes them again"
    for name in '' 'a b' ../x x.y "$(printf '%065d' 0)"; do
        leaves 2 generate --comprehensive sc+epoch --name "$name"
        err_has "^crashlit: error: --name: found '.*', expected 1 to 64 letters"
    done
    leaves 2 generate --shape 'PodWW Rfe PodRR Fre' --name x
}
is_none() { [ ! -s "$1" ]; }

suites
names
by_hand
subsumed
listings
files
faults
resumed
folders
long_list
foreign
of_nothing
expected
every_program
temporaries
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
