#!/bin/sh
# command.sh: the command itself: exit statuses, where its tests come from, sharding,
# models of the user's own, and output that cannot be written.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards
sample=tests/malformed/sample.litmus insert=litmus/spb/kv-insert.litmus
mkdir -p "$WORK/command"
work=$(cd "$WORK/command" && pwd)
. tests/corpus/cases.sh
steady() { sed 's/"seconds":[^,}]*//; s/"peak_kib":[^,}]*//'; }

write_tests() {
    body='{ nvm x = 0; } P0@wg 0 (global int* x) { *x = 1; }'
    printf 'OPENCL good\n%s\ncrash exists (x = 1)\n' "$body" >"$work/good.litmus"
    # x = 1 is durable in some crash state, so it is not forbidden: violated.
    printf 'OPENCL bad\n%s\ncrash ~exists (x = 1)\n' "$body" >"$work/bad.litmus"
    printf 'OPENCL broken\n{ nvm x = ; }\n' >"$work/broken.litmus"
    # Each crash in recovery adds one more: after the last round nothing is known of the next.
    printf 'OPENCL later\n%s\nrecovery restartable (global int* x) { int k = *x; *x = k + 1; }\n' "$body" >"$work/later.litmus"
    printf 'recovered ~exists (x = 99)\n' >>"$work/later.litmus"
    mkdir -p "$work/folder/deeper"
    cp "$work/good.litmus" "$work/folder/deeper/"
    cp "$work/bad.litmus" "$work/folder/"
    printf '# a comment\ngood.litmus\n\nfolder\n' >"$work/list"
}

statuses() {
    leaves 0 check "$work/good.litmus"
    leaves 0 "$work/good.litmus" # check is the default command
    leaves 1 check "$work/good.litmus" "$work/bad.litmus"
    leaves 2 check "$work/bad.litmus" "$work/broken.litmus"
    leaves 3 check "$work/later.litmus"
    leaves 3 check "$work/broken.litmus" "$work/later.litmus" "$work/bad.litmus"
    leaves 2 check
    leaves 2 nonsense
    leaves 0 --help
    out_has '--persistency'
    leaves 0 --version
    leaves 2 # nothing is asked
    out_has '^  crashlit explain FILE.litmus  '
    leaves 0 machines
    head -n 1 "$work/out" | grep -q '^nvw-fifo (default) hrf-direct + epoch '
    verdict $? "the default machine is first"
    leaves 0 models
    head -n 2 "$work/out" | grep -q '^visibility  hrf-direct (default) '
    verdict $? "so is the default visibility model, behind its family"
    grep -A 1 '^SPB: ' "$work/out" | grep -q '^persistency epoch (default) '
    verdict $? "and the default persistency model"
    out_lines '^Others$' 0 # each model names its family
    for model in models/*/*.cat; do
        out_has " $(basename "$model" .cat) "
    done
    # The same as records: one default of each kind, its family's name alone, and no text but with -v.
    leaves 0 models --format json
    out_lines '"default":true' 2
    out_lines '^{"schema":1,"name":"hrf-direct","title":"[^"]*","kind":"visibility","family":"HRF","heading":"HRF: scopes, [^"]*","default":true}$' 1
    out_lines '^{"schema":1,"name":"epoch","title":"[^"]*","kind":"persistency","family":"SPB","heading":"SPB: [^"]*","default":true}$' 1
    leaves 0 models -v --format json gpm # a model and a file of definitions
    out_lines '"files":\[{"name":"[^"]*","text":"' 2
    leaves 0 machines --format json
    out_lines '"default":true,"promises":\[{"visibility":"hrf-direct","persistency":"epoch"}\]}$' 1
    leaves 0 machines -v --format json ideal-sc
    out_lines '"default":false.*"text":".*"faults":\[' 1
    leaves 0 version --format json
    out_lines '^{"schema":1,"name":"crashlit","title":"","version":"[0-9.]*+[0-9a-z.]*","commit":\(null\|"[0-9a-f]\{40\}"\),"build":"[0-9a-f]\{16\}"}$' 1
}

# The conditions are another file's: on lines 2 and 3 of the answer are other things, so nothing leads there.
exercise_in_html() {
    cp "$work/bad.litmus" "$work/answer.litmus"
    printf 'OPENCL asked\n{ nvm x = 0; } P0@wg 0 (global int* x) { *x = 1; }\ncrash ~exists (x = 1)\n' >"$work/asked.litmus"
    leaves 1 check --exercise "$work/asked.litmus" --format html="$work/answer.html" "$work/answer.litmus"
    grep -q '<code>~exists (x=1)</code> <small></small>' "$work/answer.html"
    verdict $? "the condition of an exercise leads to no line of the answer"
    leaves 1 check --format html="$work/answer.html" "$work/answer.litmus"
    grep -q '<code>~exists (x=1)</code> <small><a href="#f0-L3">line 3</a></small>' "$work/answer.html"
    verdict $? "its own condition leads to its line"
}

# What lessons say, and how answers are judged, is what `make lessons` holds them to; here: by number and name, files that
# are there stay, one that cannot be written is told, and one file alone is judged.
lessons() {
    program=$(cd "$(dirname "$CRASHLIT")" && pwd)/crashlit
    in_folder() { # folder, wanted status, arguments
        (cd "$1" && shift 2 && timeout 60 "$program" lesson "$@") >"$work/out" 2>"$work/err" </dev/null
        status=$?
        [ "$status" -eq "$2" ]
        verdict $? "in $1 \`crashlit lesson $3 ${4:-}\` leaves with $2 (it was $status)"
    }
    folder=$work/lessons
    rm -rf "$folder" && mkdir -p "$folder"
    in_folder "$folder" 0 missing-barrier
    out_has '^# 1\. A missing barrier$'
    out_has '^lesson-1\.litmus is written: '
    out_has '^Change it, and ask: crashlit lesson 1 lesson-1\.litmus$'
    in_folder "$folder" 1 1 lesson-1.litmus # as it begins it is no answer
    out_has '^Lesson 1: not solved yet\.$'
    echo mine >"$folder/lesson-1.litmus"
    ln -s nowhere "$folder/mine.cat"
    in_folder "$folder" 0 1
    out_has '^lesson-1\.litmus is there already, and is left as it is\.$'
    in_folder "$folder" 0 15 # a link that leads nowhere is there, too
    out_has '^mine\.cat is there already, and is left as it is\.$'
    out_has '^lesson-15\.litmus is written: '
    [ "$(cat "$folder/lesson-1.litmus")" = mine ] && [ -L "$folder/mine.cat" ] && [ "$(find "$folder" -type f | wc -l)" -eq 2 ]
    verdict $? "what was there is left, and nothing but the start is written"
    in_folder "$folder" 1 15 lesson-15.litmus # under the model of the lesson, not the one that is there
    in_folder "$folder" 2 1 lesson-1.litmus # it cannot be read
    out_has '^Lesson 1: not solved yet\.$'
    printf 'OPENCL other\n{ nvm a = 0; }\nP0 { *a = 1; }\nexists (a = 1)\n' >"$folder/other.litmus"
    in_folder "$folder" 2 4 other.litmus # nothing of the lesson is in it: that is said once
    err_has "other.litmus:1:1: error: 'other' is another test than the exercise 'way-out' (lesson:4): it has no 'x'; an answer is "
    [ "$(grep -c error: "$work/err")" -eq 1 ]
    verdict $? "one error says all"
    out_has '^The test that its exercise begins with is written by: crashlit lesson 4$'
    in_folder "$folder" 2 99
    err_has "there is no lesson '99'; crashlit lesson lists them"
    in_folder "$folder" 2 one-side
    err_has "did you mean 'one-sided'?"
    in_folder "$folder" 2 1 'l*.litmus'
    err_has "lesson judges one file"
    in_folder "$folder" 2 1 .
    err_has 'of several: crashlit check --exercise lesson:1 -m hrf-direct -p epoch \.'
    in_folder /proc 2 1 # nobody may make a file there
    out_has '^# 1\. A missing barrier$'
    out_lines '^lesson-.* is written' 0
    err_has "cannot write 'lesson-1.litmus'"
    leaves 2 check --exercise lesson:99 "$work/good.litmus"
    err_has "the exercise 'lesson:99': there is no such lesson"
    leaves 2 check --exercise lesson:1 "$work/good.litmus" # it has other locations
    err_has "is another test than the exercise 'message' (lesson:1): it has no 'length'"
}

# P1 has no barrier and ends at the brace of line 9; the second stops at the wait of line 8.
who_does_not_come() {
    write() { # name, statement of line 8
        printf 'OPENCL %s\n{ nvm x = 0; atomic_int f = 0; }\nP0@wg 0 (global int* x) {\n  *x = 1;\n' "$1"
        printf '  p_barrier_wg;\n}\nP1@wg 0 (global atomic_int* f) {\n  %s\n}\n' "$2"
        printf 'crash ~exists (x = 1)\n'
    }
    write ended 'int r = f.load(mo_rlx, wg_scope);' >"$work/ended.litmus"
    write waits 'while (!f.load(mo_rlx, wg_scope));' >"$work/waits.litmus"
    for engine in enum smt machine; do
        leaves 1 check --format herd --engine "$engine" "$work/ended.litmus"
        out_has 'P0 waits in PB WG at line 5 and P1 ends without it, at line 9$'
        leaves 1 check --format herd --engine "$engine" "$work/waits.litmus"
        out_has 'P0 waits in PB WG at line 5 and P1 never arrives (it stops at line 8)$'
    done
}

# A file that cannot be read takes nothing away from the others.
other_tests_go_on() {
    leaves 2 check --format json "$work/broken.litmus" "$work/good.litmus" "$work/absent.litmus"
    out_lines '^{"schema":1,.*}$' 3
    out_lines . 3
    out_has '"test":"good"'
    # Those that cannot be read have records, too: without a test, with the first error.
    out_has '"file":".*broken.litmus".*"verdict":"error".*"reason":"found .;.'
    out_has '"file":".*absent.litmus".*"verdict":"error".*"reason":"cannot read'
    [ "$(grep -c ': error: ' "$work/err")" -eq 2 ]
    verdict $? "each of the two faults is reported"
}

# What prints a file of the user's commands the terminal nothing (ESC, octal 33) and turns no line round (U+202E).
odd_texts() {
    escapes=$(printf '\033[31m') turned=$(printf '\342\200\256')
    mkdir -p "$work/odd"
    printf '"t %s"\n(* %s *)\nacyclic po as x\n' "$escapes" "$turned" >"$work/odd/m.cat"
    cp "$(grep -l pipeline models/machines/*.machine | head -n 1)" "$work/odd/m.machine"
    cp models/mappings/spb-gpm.map "$work/odd/m.map"
    printf '# %s%s\n' "$escapes" "$turned" >>"$work/odd/m.machine"
    printf '// %s%s\n' "$escapes" "$turned" >>"$work/odd/m.map"
    printf 'OPENCL t\n"%s"\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; } // %s\ncrash exists (x = 1)\n' "$escapes" "$turned" >"$work/odd/t.litmus"
    for said in "models -v $work/odd/m.cat" "machines -v $work/odd/m.machine" "mappings -v $work/odd/m.map" \
        "map spb-gpm $work/odd/t.litmus" "check --dump-ast $work/odd/t.litmus" "explain $work/odd/t.litmus"; do
        # shellcheck disable=SC2086 # words of a command line
        timeout 60 "$CRASHLIT" $said >"$work/out" 2>&1 </dev/null
        status=$?
        [ "$status" -lt 2 ] && [ -s "$work/out" ] && ! grep -q -e "$(printf '\033')" -e "$turned" "$work/out"
        verdict $? "$said shows control characters as escapes (status $status)"
    done
    rm -r "$work/odd"
}

# Whatever bytes names have, a message keeps to its line and no control character gets out.
odd_names() {
    mkdir -p "$work/odd"
    for name in 'a\nb' 'c\033[31md' 'e\0377f'; do
        name=$(printf '%b' "$name")
        cp "$work/broken.litmus" "$work/odd/$name.litmus"
        cp "$work/bad.litmus" "$work/odd/$name.bad"
        cp models/visibility/sc.cat "$work/odd/$name.cat"
    done
    leaves 2 check "$work/odd" "$work/odd/$(printf 'absent\nfile')"
    # Of each broken test the message, the line and the caret; of the absent one the message.
    [ "$(wc -l <"$work/err")" -eq 10 ]
    verdict $? "messages of four names take ten lines"
    for name in 'a\\nb' 'c\\x1b\[31md' 'e\\xfff'; do
        grep -q "/odd/$name.litmus:2:11: error: found ';'" "$work/err"
        verdict $? "a message names $name"
    done
    grep -q "cannot read '.*/absent\\\\nfile'" "$work/err"
    verdict $? "a message names the absent file"
    leaves 1 check --format herd -p epoch -m "$work/odd/$(printf 'a\nb').cat" "$work/odd/$(printf 'c\033[31md').bad"
    out_has '^Models .*/odd/a\\nb.cat + epoch$'
    printf 'OPENCL t\033[2Jt\377\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n' >"$work/odd/t"
    leaves 0 check --format herd "$work/odd/t"
    out_has '^Test t\\x1b\[2Jt\\xff$'
    # In JSON lines names are what they are, but for what is no UTF-8; diff shows them.
    leaves 1 check --format json "$work/odd/$(printf 'a\nb').bad"
    out_has '"file":"[^"]*/odd/a\\u000ab.bad"'
    cp "$work/out" "$work/odd.jsonl"
    leaves 0 diff "$work/odd.jsonl" "$work/odd.jsonl"
    : >"$work/none.jsonl"
    leaves 2 diff "$work/odd.jsonl" "$work/none.jsonl"
    out_has '^gone .*/odd/a\\nb.bad under hrf-direct + epoch by auto: violated$'
    rm -r "$work/odd"
}

# What could not be read is counted, whatever it is: two lists, a folder that has no tests, a file.
unread() {
    mkdir -p "$work/empty"
    leaves 2 check --format "html=$work/unread.html" --format "json=$work/unread.jsonl" \
        "@$work/absent" "@$work/absent.too" "$work/empty" "$work/absent.litmus" "$work/good.litmus"
    out_has '^Summary: 1 as expected, 0 otherwise, 4 files with errors$'
    grep -q '<strong class="unexpected">4</strong> files with errors' "$work/unread.html"
    verdict $? "the page counts the same"
    # Standard output is the record that a file is.
    leaves 2 check --format json "@$work/absent" "$work/good.litmus" "$work/good.litmus"
    out_lines '"verdict":"error".*cannot read list' 1
    leaves 2 crosscheck "@$work/absent" "$work/good.litmus"
    out_has '^Summary: 1 agree, 0 disagree, 0 not compared, 1 files with errors$'
    leaves 2 check --resume "$work" "$work/good.litmus"
    out_has '^Summary: 1 as expected, 0 otherwise, 1 files with errors$'
    leaves 2 peers --expected "$work/absent.csv" "$work"
    out_has '^0 agree, 0 differ, 1 could not be read$'
}

inputs() {
    leaves 1 check --format json "$work/folder"
    out_lines '"test":"' 2
    leaves 1 check --format json "@$work/list"
    out_lines '"test":"' 3 # good, then the folder's two
    leaves 0 check "$sample" -p strict -m sc --format json
    out_lines '"model":"sc","persistency":"strict"' 1
    leaves 0 check --crash end --format json -m sc "$work/good.litmus"
    out_has '"crash":"end".*"crash_states":\[{"x":[01]'
}

shards() {
    for index in 0 1 2; do
        TEST_TOTAL_SHARDS=3 TEST_SHARD_INDEX=$index TEST_SHARD_STATUS_FILE=$work/sharded \
            timeout 60 "$CRASHLIT" check --format json litmus/spb 2>&1
    done | steady | sort >"$work/shards"
    "$CRASHLIT" check --format json litmus/spb | steady | sort | cmp - "$work/shards"
    verdict $? "a runner's three shards are the whole"
    [ -f "$work/sharded" ]
    verdict $? "the runner's status file is touched"
    TEST_TOTAL_SHARDS=1 TEST_SHARD_INDEX=0 TEST_SHARD_STATUS_FILE=$work/absent/file \
        timeout 60 "$CRASHLIT" check "$sample" >/dev/null 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'TEST_SHARD_STATUS_FILE names' "$work/err"
    verdict $? "a status file that cannot be written is an error"
}
# Tests against a source: statuses, by each engine; which records there are; where the source is read.
refining() {
    refines=litmus/refines limits=tests/corpus/refines source="litmus/refines/two-stores.litmus --under sc+strict"
    for engine in "enum" "smt" "all" "enum --decide" "smt --decide"; do
        # shellcheck disable=SC2086 # several words
        {
            # x is durable before y is stored.
            leaves 0 refines -e $engine $source "$refines/strict-clwb.litmus" --under sc+lin-wpq
            # y alone may leave its cache: one of the two tests.
            leaves 1 refines -e $engine -j 2 $source "$refines/strict-clwb.litmus" "$refines/epoch-cta.litmus" --under sc+lin-wpq
            out_lines '^The source, asked for that state:$' 1
            # Three iterations are more than are looked at; a race makes everything refine, which is no pass.
            leaves 3 refines -e $engine "$limits/counting.litmus" --under sc+strict "$limits/loop-unknown.litmus" --under sc+strict
            leaves 3 refines --format herd -e $engine "$limits/racy.litmus" --under hrf-direct+epoch "$refines/two-stores.litmus" --under sc+strict
            out_has '^Reason vacuous: the source is undefined (race), and everything refines that$'
            # What is undefined does not refine.
            leaves 1 refines -e $engine $source "$limits/racy.litmus" --under hrf-direct+epoch
        }
    done
    # What would mend it is tried against the same source. y may leave a cache before x is written back: epochs of one store
    # each have an order; x written back and fenced is in a queue that is durable; with one that is not the strict scheme
    # between the two stores does.
    # shellcheck disable=SC2086
    {
        leaves 1 refines $source "$refines/two-stores.litmus" --under sc+epoch
        out_has '^Advice: with this every condition holds$'
        out_lines '^  line 6: p_barrier_wi is added$' 1
        leaves 1 refines $source "$refines/epoch-cta.litmus" --under sc+lin-adr
        out_lines '^  line 6[:3]*: clwb(x) is added$' 1
        out_lines '^  line 7[:3]*: \(sfence\|membar\)() is added$' 1
        leaves 1 refines --format herd $source "$refines/epoch-cta.litmus" --under sc+lin-wpq
        out_lines '^  line 6[:3]*: clwb(x) is added$' 1
        out_lines '^  line 7[:3]*: three statements are added: sfence(); pcommit(); sfence()$' 1
    }
    # In what a mapping made: P1's epoch stores nothing before its fence, so x, which it has read, is not written back.
    leaves 1 refines litmus/mappings/seen-epoch.litmus --under sc+strict --map models/mappings/lin.map --under sc+lin-wpq
    out_lines '^  line 13: l2wb() is added$' 1
    out_has '^--- litmus/mappings/seen-epoch.litmus (mapped by lin.map)'
    # Each verdict there is derived in the test; two are unknown.
    for engine in enum smt "enum --decide" "smt --decide"; do
        # shellcheck disable=SC2086
        leaves 3 check -e $engine "$limits"
        out_has '^Summary: 6 as expected, 0 otherwise, 0 files with errors$'
    done
    # The machine's NVRAM takes x and y in any order: as sc + none has it, and not as sc + strict.
    machine="-e machine --machine ideal-sc"
    # shellcheck disable=SC2086
    {
        leaves 0 refines $machine "$refines/two-stores.litmus" --under sc+none "$refines/two-stores.litmus" --under sc+epoch
        leaves 1 refines $machine $source "$refines/two-stores.litmus" --under sc+epoch
    }
    out_lines '^The source, asked for that state:$' 0
    # What a mapping makes of the source: Lin's strict scheme keeps the order of each thread, under the models that it
    # promises; written back at a block's end, two stores have none. A mapping of one's own may lie anywhere.
    for map in lin models/mappings/lin.map; do
        leaves 0 refines --format herd litmus/mappings/fig2-strict.litmus --under sc+strict --map $map --under sc+lin-wpq
    done
    out_has '^Test fig2-strict Required$'
    leaves 1 refines -e smt --decide litmus/mappings/fig4-cta.litmus --under sc+strict --map lin --under sc+lin-wpq
    out_lines '^The source, asked for that state:$' 1
    # A record for the test, which its own conditions and expectations are no part of; an explanation of each of both.
    # shellcheck disable=SC2086
    for format in html junit tap; do # the source, and why it has no such state, stand in documents too
        leaves 1 refines --format $format $source "$refines/epoch-cta.litmus" --under sc+lin-wpq
        out_lines 'The source, asked for that state:' 1
        out_has 'Test two-stores, models sc + strict'
        leaves 0 refines --format $format $source "$refines/strict-clwb.litmus" --under sc+lin-wpq
        out_lines 'The source, asked for that state:' 0
    done
    # shellcheck disable=SC2086
    leaves 0 refines --format html $source "$refines/strict-clwb.litmus" --under sc+lin-wpq
    out_has 'Source states 3, of x, y'
    # kept[0] holds a value that no model gives: it stands in no state of either, and is not compared.
    leaves 0 refines --format json litmus/cuda/checkpoint.litmus --under sc+epoch litmus/cuda/checkpoint.litmus --under ptx+gpm
    out_lines '"locations":\["stamp\[0\]","done"\],"alone":\[\]' 1
    # shellcheck disable=SC2086
    leaves 1 refines --format json $source "$refines/epoch-cta.litmus" --under sc+lin-wpq
    out_lines '"verdict":"violated","expected":"ok"' 1
    out_lines '"refines":{"source":"[^"]*two-stores.litmus","model":"sc","persistency":"strict","states":3,"locations":\["x","y"\],"alone":\[\],"without_meaning":\[\],"found":\["sc","strict"\],"model_digest":"[0-9a-f]*"}' 1
    out_lines '^{"schema":1,"test":"epoch-cta".*"reachable":true' 1
    out_lines '^{"schema":1,"test":"two-stores".*"reachable":false' 1
    out_lines . 3
    # A source of the user's may lie anywhere, one that a test names not; what means nothing in the source is told.
    mkdir -p "$work/elsewhere" "$work/here"
    # A source is read without its conditions, so it may be the test itself, or name it; a folder and a pipe are none.
    printf '%s\n' 'OPENCL self' '{ nvm x = 0; }' 'P0 (global int* x) { *x = 1; }' 'crash refines "self.litmus" under sc + strict' >"$work/here/self.litmus"
    sed 's/"self/"back/' "$work/here/self.litmus" >"$work/here/there.litmus"
    sed 's/"self/"there/' "$work/here/self.litmus" >"$work/here/back.litmus"
    leaves 0 check -m sc -p strict "$work/here/self.litmus" "$work/here/there.litmus" "$work/here/back.litmus"
    mkdir -p "$work/here/folder.litmus"
    [ -p "$work/here/pipe.litmus" ] || mkfifo "$work/here/pipe.litmus"
    for none in folder pipe; do
        sed "s/\"self/\"$none/" "$work/here/self.litmus" >"$work/here/none.litmus"
        leaves 2 check -m sc -p strict "$work/here/none.litmus"
        err_has "cannot read the source '$none.litmus': is a"
    done
    rm -r "$work/here/folder.litmus" "$work/here/pipe.litmus"
    cp "$refines/strict-clwb.litmus" "$work/elsewhere/source.litmus"
    leaves 0 refines --format herd "$work/elsewhere/source.litmus" --under sc+none "$refines/two-stores.litmus" --under sc+none
    out_has '^Source without meaning: clwb, sfence, pcommit$'
    sed 's|two-stores|../elsewhere/source|; s/under.*/under sc + lin-wpq/; /^final/d; /^expect/d' \
        "$refines/strict-clwb.litmus" >"$work/here/test.litmus"
    leaves 2 check -m sc -p lin-wpq "$work/here/test.litmus"
    err_has 'is out of reach'
    leaves 0 check --allow-path "$work/elsewhere" -m sc -p lin-wpq "$work/here/test.litmus"
    # An edited source is asked again.
    cp "$refines/two-stores.litmus" "$refines/strict-clwb.litmus" "$work/here/"
    leaves 0 check --format json -m sc -p lin-wpq "$work/here/strict-clwb.litmus"
    cp "$work/out" "$work/refined.jsonl"
    leaves 0 check --resume "$work/refined.jsonl" --format json -m sc -p lin-wpq "$work/here/strict-clwb.litmus"
    [ ! -s "$work/out" ]
    verdict $? "what the earlier run answered is left out"
    sed -i 's/\*y = 1/*y = 2/' "$work/here/two-stores.litmus"
    leaves 1 check --resume "$work/refined.jsonl" --format json -m sc -p lin-wpq "$work/here/strict-clwb.litmus"
    out_lines '"verdict":"violated"' 1
    rm -r "$work/here" "$work/elsewhere"
}

# `models -v`: every built-in model with its own text, byte for byte, and what it includes.
model_sources() {
    for model in models/visibility/*.cat models/persistency/*.cat; do
        name=${model##*/} name=${name%.cat} file=builtin:${model#models/}
        leaves 0 models -v "$name"
        awk -v want="(* ---- $file ---- *)" '
            /^\(\* ---- .* ---- \*\)$/ { at = $0 == want; if (!at) held = ""; next }
            at { if (held != "") print substr(held, 2); held = "x" $0 }' "$work/out" >"$work/text"
        cmp -s "$work/text" "$model"
        verdict $? "models -v $name has the text of $model"
        for included in $(sed -n 's/^include "\(.*\)"$/\1/p' "$model"); do
            out_has "^  builtin:\([a-z]*/\)*$included\$"
        done
    done
    mkdir -p "$work/alone" # where no total-coherence.cat lies, which it includes
    cp models/visibility/tso.cat "$work/alone/mine.cat"
    leaves 0 models -v "$work/alone/mine.cat"
    out_has '^  builtin:total-coherence.cat$'
    out_has "^(\* ---- $work/alone/mine.cat ---- \*)\$"
    # What it declares, a line each kind, of what is included too.
    leaves 0 models -v litmus/tags/flush.cat
    for kind in 'F: sfence' 'CM: clwb' 'W: st_wt' 'RMW: swap_wt' 'LOC: board' 'THREAD: cpu'; do
        out_lines "^  instructions $kind\$" 1
    done
    out_lines '^  instructions' 6
    leaves 0 models -v epoch
    out_lines '^  instructions' 0
    leaves 0 models tso epoch
    out_lines '^[a-z]' 2
    # A file is a line, as a built-in is, and its text with -v. It is what it defines: a name of the contract makes it a
    # persistency model, of which no check is expected.
    printf 'mine "my own"\nlet persist-before = [W]; po; [W]\n' >"$work/alone/own.cat"
    printf 'let cycles = po\n' >"$work/alone/bare.cat"
    for format in text json tex; do
        leaves 0 models --format $format "$work/alone/own.cat"
        [ ! -s "$work/err" ]
        verdict $? "nothing is wrong with a persistency model without a check"
    done
    leaves 0 models "$work/alone/own.cat"
    out_lines '' 1
    out_has "^persistency $work/alone/own.cat *my own$"
    leaves 0 models -v "$work/alone/own.cat"
    out_has '^let persist-before'
    leaves 0 models --format json "$work/alone/own.cat"
    out_has '"title":"my own","kind":"persistency",'
    leaves 0 cite "$work/alone/own.cat"
    out_has "own.cat, a persistency model: my own$"
    leaves 0 models "$work/alone/bare.cat"
    out_has '^visibility '
    err_has 'has no check that can fail'
    # A file with errors is told so, whether it is listed or read.
    printf 'empty nowhere as none\n' >"$work/alone/wrong.cat"
    leaves 2 models "$work/alone/wrong.cat"
    err_has "unknown name 'nowhere'"
}

# What a persistency model says is in its file alone: a copy decides as the built-in
# one, and without its persist order the key may outlive the value.
own_models() {
    cp models/*.cat models/persistency/buffered-epoch.cat "$work"
    leaves 0 check --format json -m sc -p buffered-epoch "$insert"
    steady <"$work/out" | sed 's/"persistency":"[^"]*"//g' >"$work/built-in"
    leaves 0 check --format json -m sc -p "$work/buffered-epoch.cat" "$insert"
    steady <"$work/out" | sed 's/"persistency":"[^"]*"//g' | cmp - "$work/built-in"
    verdict $? "a copy of buffered-epoch.cat decides as the built-in one"
    sed 's/^let persist-before = .*/let persist-before = 0/' models/persistency/buffered-epoch.cat \
        >"$work/none.cat"
    leaves 1 check -m sc -p "$work/none.cat" "$insert"
    out_has 'violated'
}

# Two stores before two loads of what the other stores: both loads read 0 where stores wait, which the variant `tso` lets them
# do, and nothing else. Every command that names models heeds it, and a record of one is no answer under another.
variants() {
    own=tests/corpus/variants.cat ordered=litmus/refines/two-stores.litmus
    printf 'C waits\n{ x = 0; y = 0; }\nP0 (int* x, int* y) { *x = 1; int r = *y; }\n' >"$work/waits.litmus"
    printf 'P1 (int* x, int* y) { *y = 1; int r = *x; }\nexists (0:r = 0 /\\ 1:r = 0)\n' >>"$work/waits.litmus"
    cp "$own" "$work/named.cat"
    { cat "$work/waits.litmus" && echo "expect named.cat + none : violated"; } >"$work/names.litmus"
    for engine in enum smt all; do
        leaves 1 check -e $engine -m $own -p none "$work/waits.litmus"
        leaves 0 check -e $engine -m $own -p none --variant tso "$work/waits.litmus"
        leaves 1 check -e $engine --variant tso "$work/names.litmus"
    done
    leaves 0 check "$work/names.litmus"
    leaves 0 crosscheck -m $own -p none --variant tso "$work/waits.litmus"
    leaves 0 explain -m $own -p none "$work/waits.litmus"
    out_has '^Violated: no state '
    leaves 0 explain -m $own -p none --variant tso "$work/waits.litmus"
    out_has '^Holds: a state '
    echo waits.litmus,1 >"$work/known.csv"
    leaves 1 peers --expected "$work/known.csv" -m $own "$work"
    leaves 0 peers --expected "$work/known.csv" -m $own --variant tso "$work"
    leaves 0 compare --models $own+none,sc+none --variant tso "$work/waits.litmus"
    out_has 'waits  *ok 1  *\*violated 1'
    printf '"p"\nif "late" let persist-before = 0 else let persist-before = [W & NVM]; po; [W & NVM] end\n' >"$work/late.cat"
    leaves 0 refines "$ordered" --under sc+strict "$ordered" --under "sc+$work/late.cat"
    leaves 1 refines "$ordered" --under sc+strict "$ordered" --under "sc+$work/late.cat" --variant late
    leaves 0 distinguish sc+none "sc+$work/late.cat" --bound events=2
    leaves 1 distinguish sc+none "sc+$work/late.cat" --bound events=2 --variant late
    leaves 0 models "$work/late.cat" --variant late
    leaves 0 check -m $own -p none --variant tso,tos "$work/waits.litmus" "$work/waits.litmus"
    [ "$(grep -c "asks about the variant 'tos'; did you mean 'tso'?" "$work/err")" -eq 1 ]
    verdict $? "a name that nothing asks about is told once"
    leaves 1 check --format json -m $own -p none "$work/waits.litmus"
    mv "$work/out" "$work/without.jsonl"
    leaves 0 check --format json -m $own -p none --variant tso --resume "$work/without.jsonl" "$work/waits.litmus"
    out_lines '"verdict":"ok"' 1
    leaves 1 check --format json -m $own -p none --resume "$work/without.jsonl" "$work/waits.litmus"
    out_lines . 0
}

# A cycle of persist-before joins writes: two stores a, b, and persist-before = ...
joins() { # what it is, classes, is it warned of: 1 or 0
    printf '"p"\nlet persist-before = [W & NVM]; (%s); [W & NVM]\nlet persist-atomic = [W & NVM]; (%s); [W & NVM]\n' \
        "$1" "$2" >"$work/joins.cat"
    for engine in enum smt "enum --decide" "smt --decide"; do
        # shellcheck disable=SC2086
        leaves 0 check --format herd -e $engine -p "$work/joins.cat" "$work/joins.litmus"
        out_lines '^Warning persist-cycle: ' "$3"
        out_lines '^Flag' 0
    done
}
joined_writes() {
    printf 'OPENCL joins\n{ nvm a = 0; nvm b = 0; }\nP0 (global int* a, global int* b) {\n*a = 1;\n*b = 1;\n}\n' \
        >"$work/joins.litmus"
    echo 'crash exists (a = 1)' >>"$work/joins.litmus"
    joins 'po' 'id' 0                 # a before b alone
    joins 'po | po^-1' 'id' 1         # a needs b and b needs a
    joins 'po | po^-1' 'po | id' 0    # that is one class, and meant
    joins 'po^-1' 'po | id' 0         # of one class each needs the other anyway
    # Built-in pairs have their cycles from the papers: a documented one is not warned of; a file of
    # one's own that says the same is, at the built-in line that it includes.
    leaves 0 check -m ptx -p strict litmus/ptx/nvm-2+2w.litmus
    out_lines '^Warning\|^Flag' 0
    echo 'include "strict.cat"' >"$work/mine.cat"
    leaves 0 check --format herd -m ptx -p "$work/mine.cat" litmus/ptx/nvm-2+2w.litmus
    out_lines '^Warning persist-cycle: builtin:persistency/strict.cat:5:5: ' 1
}
# Nobody stores 41: each format says so beside the verdict, an expect line or not, and the status is as
# ever but where it is asked for. A state of values that are stored is none of its concern.
told_of_vacuous() {
    body='{ nvm key = 0; nvm val = 0; } P0 (global int* key, global int* val) { *val = 42; *key = 1; }'
    printf 'OPENCL typo\n%s\ncrash ~exists (key = 1 /\\ val = 41)\n' "$body" >"$work/typo.litmus"
    printf 'OPENCL kept\n%s\ncrash ~exists (key = 1 /\\ val = 41)\nexpect sc + epoch : ok\n' "$body" >"$work/kept.litmus"
    printf 'OPENCL fine\n%s\ncrash exists (key = 1 /\\ val = 42)\n' "$body" >"$work/fine.litmus"
    for test in typo kept; do
        for format in text herd json junit tap html dot svg sarif; do
            leaves 0 check --format $format "$work/$test.litmus"
            sed 's/<[^>]*>//g' "$work/out" | tr -s ' \n' ' ' >"$work/told" # svg breaks lines
            grep -q "no values that the program stores meet it (val is only ever 0 or 42)" "$work/told"
            verdict $? "$format tells that nobody stores it in $test"
        done
        out_has '"ruleId":"vacuous-condition",.*"kind":"informational"'
        out_lines suppressions 0
        leaves 1 check --fail-on-vacuous --format herd "$work/$test.litmus"
        out_has '^Summary: 1 as expected, 0 otherwise, 0 files with errors, 1 vacuous$'
    done
    # Nobody stores to flag, so P1 never comes to valid = 1, an expect line or not.
    printf 'OPENCL vain\n%s\n%s\n%s\ncrash ~exists (valid = 1 /\\ data = 0)\n' \
        '{ nvm data = 0; nvm valid = 0; atomic_int flag = 0; } P0@wg 0 (global int* data) { *data = 42; }' \
        'P1@wg 1 (global int* valid, global atomic_int* flag) {' 'while (flag.load() == 0); *valid = 1; }' >"$work/vain.litmus"
    { cat "$work/vain.litmus" && echo 'expect hrf-direct + epoch : ok'; } >"$work/seen.litmus"
    for test in vain seen; do
        for format in text herd json junit tap html dot svg sarif; do
            leaves 0 check --format $format "$work/$test.litmus"
            sed 's/<[^>]*>//g' "$work/out" | tr -s ' \n' ' ' >"$work/told"
            grep -q "P1 never gets past its loop at line 4: it waits for flag to be other than 0, and no work-item stores to flag" "$work/told"
            verdict $? "$format tells who waits for what in $test"
        done
        leaves 1 check --fail-on-vacuous "$work/$test.litmus"
        leaves 0 explain "$work/$test.litmus"
        out_has '^Remark vacuous: P1 never gets past its loop at line 4'
    done
    leaves 1 check --fail-on-vacuous "$work/vain.litmus" "$work/fine.litmus"
    out_has '^Summary: 2 as expected, 0 otherwise, 0 files with errors, 1 vacuous$'
    # That key is durable tells that val was read before, barrier or not; under strict no barrier orders.
    printf 'OPENCL weak\n%s\ncrash ~exists (key = 1 /\\ 0:r = 0)\n' \
        '{ nvm key = 0; nvm val = 0; } P0 (global int* key, global int* val) { *val = 42; p_barrier_wi; int r = *val; *key = 1; }' >"$work/weak.litmus"
    leaves 1 check --fail-on-vacuous -p epoch --format herd "$work/weak.litmus"
    out_has '^Remark vacuous: it holds without any barrier, fence and flush as well'
    leaves 0 check --fail-on-vacuous -p strict "$work/weak.litmus"
    leaves 1 check --fail-on-vacuous -p epoch -e smt --decide "$work/weak.litmus"
    echo 'expect hrf-direct + epoch : ok' >>"$work/weak.litmus"
    leaves 0 check --fail-on-vacuous "$work/weak.litmus"
    leaves 0 check --fail-on-vacuous "$work/fine.litmus"
    out_lines 'vacuous' 0
    leaves 1 check --fail-on-vacuous "$work/fine.litmus" "$work/kept.litmus"
    out_has "kept.litmus:3:1: crash ~exists (key=1 /.* val=41) is vacuous: no values"
    leaves 0 check --format json "$work/typo.litmus"
    cp "$work/out" "$work/typo.jsonl"
    leaves 0 check --resume "$work/typo.jsonl" "$work/typo.litmus"
    leaves 1 check --fail-on-vacuous --resume "$work/typo.jsonl" "$work/typo.litmus"
    leaves 0 explain "$work/typo.litmus"
    out_has '^Remark vacuous: no values that the program stores meet it'
}
# The warning in every format, with the name's place: line 2, behind "let ". Its advice is right: with
# the check no execution is left, as each has the cycle of a and b.
told_of_joined() {
    joins 'po | po^-1' 'id' 1
    for format in junit tap html dot svg; do
        leaves 0 check -p "$work/joins.cat" --format $format "$work/joins.litmus"
        sed 's/<[^>]*>//g' "$work/out" | tr -s '\n' ' ' >"$work/told" # svg breaks lines
        grep -q "arning persist-cycle: .*joins.cat:2:5: in some execution 'persist-before' has" "$work/told"
        verdict $? "$format warns of the cycle"
    done
    leaves 0 check -p "$work/joins.cat" --format json "$work/joins.litmus"
    out_has '"flags":\["persist-cycle"\],"warnings":\[{"name":"persist-cycle","file":".*joins.cat","line":2,"column":5,"message":"in'
    leaves 0 check -p "$work/joins.cat" --format sarif "$work/joins.litmus"
    out_has '^{"ruleId":"model-warning",.*"level":"warning",.*joins.litmus".*joins.cat","uriBaseId":"%SRCROOT%"},"region":{"startLine":2,"startColumn":5'
    out_lines suppressions 0
    sed -n "s/.*or exclude such executions by '\(.*\)'.*/\1/p" "$work/out" | head -n 1 >>"$work/joins.cat"
    leaves 1 check --format herd -p "$work/joins.cat" "$work/joins.litmus"
    out_lines '^Warning\|^Flag' 0
    out_has '^Reason no execution is consistent'
}

# Of the tags of `places`, flush.cat declares 'board as LOC, 'cpu as THREAD and 'sfence as F; nobody declares
# 'log and 'gpu. All formats name what is left.
told_of_meaning() {
    places=litmus/tags/places.litmus
    for format in text junit tap html dot svg; do
        leaves 0 check --format $format $places
        case $format in
        text | html) next=, ;;
        *) next='.*without meaning:' ;; # a line each
        esac
        sed 's/<[^>]*>//g' "$work/out" | tr -s '\n' ' ' >"$work/told" # svg breaks lines
        grep -q "ithout meaning\( in these models\)\{0,1\}: log$next gpu" "$work/told"
        verdict $? "$format names what has no meaning"
        leaves 1 check -m sc -p none --format $format $places
        sed 's/<[^>]*>//g' "$work/out" | tr -s '\n' ' ' >"$work/told"
        grep -q "ithout meaning\( in these models\)\{0,1\}: board$next log$next cpu$next sfence$next gpu" "$work/told"
        verdict $? "$format names all of it under a model without tags"
    done
    leaves 0 check --format json $places
    out_has '"without_meaning":\["log","gpu"\]'
    leaves 0 check --format sarif $places
    out_has '^{"ruleId":"without-meaning",.*"kind":"informational","level":"none"'
    out_has 'without meaning: log .*"startLine":3,"startColumn":48,'
    leaves 1 check -m sc -p none --format sarif $places
    out_has 'without meaning: sfence .*"startLine":7,"startColumn":3,'
    out_has 'without meaning: gpu .*"startLine":10,"startColumn":1,'
    leaves 0 explain $places
    out_has '^Without meaning: log, gpu$'
    leaves 0 explain --format json $places
    out_has '"without_meaning":\["log","gpu"\]'
    leaves 0 check --format herd litmus/tags/clwb-other.litmus
    out_lines '^Without meaning' 0
    # The tag of sfence on the store, which flush.cat declares for fences.
    printf '%s\n' 'OPENCL elsewhere' '{ nvm x = 0; }' 'P0 (global int* x) { __store{sfence}(x, 1); __fence{gpu}; }' 'exists (x = 1)' >"$work/elsewhere.litmus"
    leaves 0 check --format herd -m sc -p litmus/tags/flush.cat "$work/elsewhere.litmus"
    out_has '^Without meaning: sfence (has one on fences), gpu$'
    leaves 0 check -m sc -p litmus/tags/flush.cat --format json "$work/elsewhere.litmus"
    out_has '"without_meaning":\["sfence","gpu"\],"meaning_elsewhere":{"sfence":"fences"}'
    leaves 0 check -m sc -p litmus/tags/flush.cat --format html "$work/elsewhere.litmus"
    out_has 'Without meaning: sfence (has one on fences), gpu<'
    leaves 0 check -m sc -p litmus/tags/flush.cat --format tap "$work/elsewhere.litmus"
    out_has 'without meaning: sfence (has one on fences)$'
    # A host that the models take for a work-item of a GPU has a fix, and is nothing to models without the tag.
    leaves 0 check --format sarif tests/malformed/cli/mistake-host.litmus
    out_has '"deletedRegion":{"startLine":4,"startColumn":1,"endLine":4,"endColumn":3},"insertedContent":{"text":"P0{cpu}"}'
    leaves 0 place --repair -m ptx -p gpm tests/malformed/cli/mistake-host.litmus
    err_has ':4:1: warning: P0 launches or joins kernels '
    for command in 'compare --models sc+none,ptx+gpm' 'refines tests/malformed/cli/mistake-host.litmus --under ptx+gpm --under sc+none'; do
        # shellcheck disable=SC2086 # words
        leaves 0 $command tests/malformed/cli/mistake-host.litmus
        err_has ':4:1: warning: P0 launches or joins kernels '
        err_has ':9:1: warning: recovery P0 launches or joins kernels '
        [ "$(grep -c warning: "$work/err")" -eq 2 ]
        verdict $? "$command warns of each once"
    done
    # So it does of a source that several tests are held against, or one under several pairs, and of what reading it says.
    printf '%s\n' 'OPENCL from' '{ nvm x = 0; nvm y = 0; }' 'P0@dev 1 (global int* x) { launch 1; join 1; if (*x = 2) { } }' \
        'P1@wg 0, kr 1 (global int* y) { *y = 1; }' >"$work/from.litmus"
    for test in into-a into-b; do
        printf '%s\n' 'OPENCL into' '{ nvm x = 0; nvm y = 0; }' 'P0 (global int* x) { *x = 2; }' \
            'crash refines "from.litmus" under ptx + gpm' 'final refines "from.litmus" under ptx + lin-adr' >"$work/$test.litmus"
    done
    for command in 'check -m ptx -p gpm' "refines $work/from.litmus --under ptx+gpm --under ptx+gpm"; do
        # shellcheck disable=SC2086 # words
        timeout 600 "$CRASHLIT" $command "$work/into-a.litmus" "$work/into-b.litmus" >"$work/out" 2>"$work/err"
        err_has 'from.litmus:3:1: warning: P0 launches or joins kernels '
        err_has 'from.litmus:3:[0-9]*: warning: this condition assigns'
        [ "$(grep -c warning: "$work/err")" -eq 2 ]
        verdict $? "$command warns of the source once"
    done
    # With a second work-item of its kernel it may be one of the GPU, which launches a child: nothing is fixed unasked.
    sed 's/^P2/P4@wg 1 { }\n&/' tests/malformed/cli/mistake-host.litmus >"$work/child.litmus"
    leaves 0 check -m ptx -p gpm --format sarif "$work/child.litmus"
    out_has 'if it is of the host, write P0{cpu}, else have a host launch its kernel'
    out_lines '"startLine":4,"startColumn":1,"endLine":4,"endColumn":3},"insertedContent"' 0
    leaves 0 check -m ptx -p epoch tests/malformed/cli/mistake-host.litmus
    [ ! -s "$work/err" ]
    verdict $? "epoch knows no host"
}

# A property that has nothing to be asked of is no pass: sc says nowhere what a race is; and nothing says what recovery looks at.
properties_without_an_answer() {
    leaves 3 check -m sc -p none tests/corpus/race-no-word.litmus
    out_has '^Not known: '
    leaves 3 check --engine machine -m hrf-direct -p epoch litmus/properties/race-weak.litmus # no machine has a word on races
    out_has '^Not known: '
    leaves 3 check -m sc -p epoch tests/corpus/robust-unsaid.litmus
    out_has 'Not known: without a recovery the test says'
    leaves 3 check -m ptx -p gpm --property robust tests/malformed/ptx/opaque-recovery.litmus # what recovery leaves in x[0] is a float
    out_has "Not known: no model gives the value that is stored in 'x\[0\]'"
}

# P0's scope has not P1 (race-narrow); under epoch nothing orders the two stores, under strict each persists at once.
properties_compared() {
    leaves 0 compare --models ptx+none,ptx+strict litmus/properties/race-narrow.litmus
    out_has '^race-narrow *violated 1 *violated 1 *$'
    leaves 0 compare --models hrf-direct+strict,hrf-direct+epoch litmus/properties/robust-recovery.litmus
    out_has '^robust-recovery   ok [0-9]* *[*]violated [0-9]*$'
}

# Models that find coherence out by themselves give every test the states, final and crash, of those
# that take the tool's; but locks, retries, add-unless, operators, bounds-alone, log-tail, spin and ends-left, as what reads tell does not order two read-modify-writes
# of one write, and thin-air, where lists have no end.
states_under() { # model
    # Without what takes seconds each.
    find litmus -name '*.litmus' ! -path '*/locks/*' ! -path '*/retries/*' ! -path '*/thin-air/*' ! -name 'fig8*' ! -name flags-reset.litmus |
        sort >"$work/asked"
    "$CRASHLIT" check --states --format json --timeout-cpu 20 -m "$1" -p none "@$work/asked" 2>"$work/err" |
        sed 's/.*"test":"\([^"]*\)".*"final_states"/\1 "final_states"/; s/,"flags".*//; /^add-unless /d; /^operators /d; /^bounds-alone /d; /^log-tail /d; /^spin /d; /^ends-left /d'
}
own_coherence() {
    for pair in tests/corpus/own-sc.cat:sc tests/corpus/own-coherence.cat:tests/corpus/coherence.cat; do
        states_under "${pair%:*}" >"$work/own"
        states_under "${pair#*:}" >"$work/tool"
        [ "$(wc -l <"$work/own")" -gt 300 ] && cmp "$work/own" "$work/tool"
        verdict $? "${pair%:*} gives the states that ${pair#*:} gives"
    done
    leaves 0 crosscheck -m tests/corpus/own-sc.cat -p none litmus/c11
}

# The fields that docs/using/reports.md promises, on a test small enough to know: x = 1 may or may not
# be durable; P1's register and the pair that races are named by thread and line.
# 2^n states of x and one more with c, which is durable only when all of x is; x[0] is 1 or as said; without a barrier c is free: 2^(n+1).
stored_behind() { # n, barrier, x[0]
    printf '%s\n' 'OPENCL behind' "{ nvm x[$1]; nvm c = 0; }" 'P0 (global int* x, global int* c) {' \
        "  x[0] = ${3:-1}; for (int i = 1; i < $1; i++) { x[i] = 1; }" "  $2 *c = 1;" '}' 'crash forall (c = 1 => x[1] = 1)'
}

# Sets that are told as a product: in each format, from run to run, and as a source.
products() {
    file=$work/behind.litmus
    stored_behind 13 'p_barrier_wi;' >"$file"
    leaves 0 check --format json "$file"
    out_has '"crash_states":{"count":8193,"digest":"[0-9a-f]\{16\}","product":\[\[{"x\[0\]":\[0,1\],"x\[1\]":\[0,1\],.*,"c":\[0\]},{"x\[0\]":\[1\],.*,"c":\[1\]}\]\]},'
    out_has '"verdict":"ok","words":"[^"]*","positive":8193,"negative":0,'
    cp "$work/out" "$work/behind.jsonl"
    leaves 0 check --format html "$file"
    out_has '<summary>Crash states: 8193</summary><pre>{x\[0\]..x\[12\]} each 0 or 1; c=0: 8,192 states$'
    out_has '^{x\[0\]..x\[12\], c}=1;$'
    # As many with 2 in the place of 1, and 2^14 where c is free, half of which have c = 1 and a half of these x[1] = 0.
    stored_behind 13 'p_barrier_wi;' 2 >"$file"
    leaves 0 check --format json "$file"
    cp "$work/out" "$work/other.jsonl"
    leaves 0 diff "$work/behind.jsonl" "$work/other.jsonl"
    out_has '^  crash states: as many as before, 8193, but not the same$'
    sed 's/"digest":"[^"]*",//' "$work/behind.jsonl" >"$work/other.jsonl" # no list has one
    leaves 0 diff "$work/behind.jsonl" "$work/other.jsonl"
    out_has '^  crash states: as many as before, 8193, in another form$'
    stored_behind 13 '' >"$file"
    leaves 1 check --format json "$file"
    out_has '"verdict":"violated","words":"[^"]*","positive":12288,"negative":4096,"deciding_state":{"x\[0\]":'
    cp "$work/out" "$work/other.jsonl"
    leaves 1 diff "$work/behind.jsonl" "$work/other.jsonl"
    out_has '^  crash states: 16384, were 8193$'
    # What was only decided lists nothing that could be compared.
    leaves 1 check --decide --format json "$file"
    cp "$work/out" "$work/other.jsonl"
    leaves 1 diff "$work/behind.jsonl" "$work/other.jsonl"
    out_lines 'crash state' 0
    # What is in order refines what is free, 2^9 states, and not the other way about.
    stored_behind 8 '' >"$file"
    stored_behind 8 'p_barrier_wi;' >"$work/order.litmus"
    under="--under hrf-direct+epoch"
    # shellcheck disable=SC2086 # two words
    {
        leaves 0 refines --format herd "$file" $under "$work/order.litmus" $under
        out_has '^Source states 512, of x\[0\], '
        leaves 1 refines "$work/order.litmus" $under "$file" $under
        leaves 0 refines --format json "$file" $under "$work/order.litmus" $under
        out_has '"refines":{"source":"[^"]*behind.litmus","model":"hrf-direct","persistency":"epoch","states":512,'
    }
    # 2^70 states are more than a word counts.
    stored_behind 69 '' >"$file"
    leaves 1 check --format json "$file"
    out_has '"positive":"885443715538058477568","negative":"295147905179352825856",'
    out_has '"crash_states":{"count":"1180591620717411303424",'
    # Where one column is decided, and lists nothing, verdicts are compared, and which way the two differ is not known:
    # 2^200 states are one product, while the 202 under strict are too many to be listed one by one.
    stored_behind 200 'p_barrier_wi;' >"$work/order.litmus"
    leaves 3 compare --models hrf-direct+epoch,hrf-direct+strict "$work/order.litmus"
    out_has '^which of hrf-direct + epoch and hrf-direct + strict contains the other is not known; '
    leaves 0 compare --decide --models hrf-direct+epoch,hrf-direct+strict "$work/order.litmus"
    leaves 3 compare --models hrf-direct+epoch,hrf-direct+strict "$work/order.litmus"
    out_has '^behind  *ok 1606938044258990275541962092341162602522202993782792835301377  *ok *$'
    out_has '^Summary: 1 tests, 0 differ$'
    leaves 0 compare -e enum --models hrf-direct,sc "$file"
    out_has '^behind  *violated 1180591620717411303424  *violated 1180591620717411303424$'
}

# A name alone is completed by what the definition files of all tests name, else by the default: a test without one stands beside
# the other in one table.
compare_completes_names() {
    printf 'OPENCL own\nuses "cuda.def"\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n' >"$work/cuda.litmus"
    sed '/^uses/d' "$work/cuda.litmus" >"$work/plain.litmus"
    leaves 0 compare --models gpm,gpm-eadr "$work/cuda.litmus"
    out_has ' ptx + gpm  *ptx + gpm-eadr$'
    leaves 0 compare --models ptx,sc "$work/cuda.litmus"
    out_has ' ptx + gpm  *sc + gpm$'
    leaves 0 compare -m sc --models gpm,gpm-eadr "$work/cuda.litmus"
    out_has ' sc + gpm  *sc + gpm-eadr$'
    leaves 0 compare --models gpm,gpm-eadr "$work/cuda.litmus" "$work/plain.litmus"
    out_has ' hrf-direct + gpm  *hrf-direct + gpm-eadr$'
    # A file that cannot be read names nothing, wherever it stands: the other one's names go for all. Its row says that.
    for files in "$work/cuda.litmus $work/broken.litmus" "$work/broken.litmus $work/cuda.litmus"; do
        # shellcheck disable=SC2086 # two files
        leaves 2 compare --models gpm,gpm-eadr $files
        out_has ' ptx + gpm  *ptx + gpm-eadr$'
        out_has '^[^ ]*broken.litmus  *error  *error$'
    done
}

# Of several files, a folder, a list or a stream each test has a line; of one file, with -v, --states or a dump, all
# there is to say. x = 0 is a crash state whatever P0 does, so `~exists (x=0)` is violated.
a_line_each() {
    rm -rf "$work/lines"
    mkdir -p "$work/lines"
    printf 'OPENCL bad\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash ~exists (x=0)\n' >"$work/lines/bad.litmus"
    sed 's/bad/meant/; $a expect hrf-direct + epoch : violated\nexpect sc + strict : violated' "$work/lines/bad.litmus" \
        >"$work/lines/meant.litmus"
    why='crash ~exists (x=0) is violated by the crash state x=0'
    leaves 1 check "$work/lines"
    out_lines "^! violated   $work/lines/bad.litmus: $why (expected ok)\$" 1
    out_lines "^  violated   $work/lines/meant.litmus: $why (2 model pairs, as expected)\$" 1
    out_lines . 3
    out_has '^Summary: 2 as expected, 1 otherwise, 0 files with errors$'
    leaves 1 check "$work/lines/bad.litmus" "$work/lines/meant.litmus"
    out_lines . 3
    echo lines/bad.litmus >"$work/lines.list"
    leaves 1 check "@$work/lines.list"
    out_lines . 2
    timeout 60 "$CRASHLIT" check - <"$work/lines/bad.litmus" >"$work/out"
    out_lines '^! violated   -/0000001-bad.litmus: ' 1
    leaves 1 check --format herd "$work/lines/bad.litmus"
    out_lines '^\*>x=0;$' 1
    for more in -v --states --dump-ast; do
        leaves 1 check --format herd "$more" "$work/lines"
        out_lines '^Verdict ' 3
    done
    # What cannot be read, and a pair that is not there, have lines too; so has what was not judged.
    sed '/^crash/d' "$work/lines/bad.litmus" >"$work/lines/none.litmus"
    sed 's/sc + strict/sc + strange/' "$work/lines/meant.litmus" >"$work/lines/strange.litmus"
    echo OPENCL >"$work/lines/torn.litmus"
    leaves 2 check "$work/lines"
    out_lines "^  ok         $work/lines/none.litmus\$" 1
    out_lines "^    $work/lines/none.litmus:1:1: no conditions: nothing is judged" 1
    out_lines "^! mixed      $work/lines/strange.litmus: 1 violated, 1 error (2 model pairs, 1 not as expected)\$" 1
    out_lines '^    sc + strange: error: ' 1
    out_lines "^! error      $work/lines/torn.litmus: " 1
    err_has 'torn.litmus:.*: error: '
}

# Colours are for terminals, and for who asks. What stands in a test commands no terminal either way.
colours() {
    escape=$(printf '\033')
    printf 'OPENCL bad\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash ~exists (x=0)\n' >"$work/colour.litmus"
    leaves 1 check "$work/colour.litmus"
    ! grep -q "$escape" "$work/out"
    verdict $? "a pipe has no colours"
    leaves 1 check --format herd --color always "$work/colour.litmus"
    out_lines "^$escape\[1;33m\*>x=0;$escape\[0m\$" 1
    out_lines "^$escape\[1;31mNo$escape\[0m\$" 1
    NO_COLOR=1
    export NO_COLOR
    leaves 1 check --format herd --color always "$work/colour.litmus"
    out_lines "$escape" 4
    unset NO_COLOR
    leaves 1 check --format herd --color always --color never "$work/colour.litmus"
    out_lines "$escape" 0
    leaves 2 check --color sometimes "$work/colour.litmus"
    err_has '--color wants one of auto, always, never, found .sometimes'
    for format in json junit tap sarif html dot; do
        leaves 1 check --color always --format "$format" "$work/colour.litmus"
        out_lines "$escape" 0
    done
    sed "s/x = 0;/x = $escape[31m;/" "$work/colour.litmus" >"$work/colour2.litmus"
    leaves 2 check --format herd --color always "$work/colour2.litmus"
    sed "s/$escape\[[0-9;]*m//g" "$work/err" >"$work/out"
    out_lines "$escape" 0
    err_has "$escape\[1;31m: error:$escape\[0m "
}

records() {
    leaves 0 check --format json "$work/good.litmus"
    out_has '"conditions":\[{"kind":"crash","text":"exists (x=1)","verdict":"ok","words":"a crash can leave x=1","positive":1,"negative":1,"deciding":\[1\],"line":3,"column":1}\]'
    out_has '"final_states":\[{"x":1}\],"crash_states":\[{"x":0},{"x":1}\],"recovered_states":\[\]'
    out_has '"undefined":\[\],"flags":\[\],"warnings":\[\],"without_meaning":\[\],"asked":{"engine":"auto"},"text_digest":"[0-9a-f]\{16\}","test_digest":"[0-9a-f]\{16\}","model_digest":"[0-9a-f]\{16\}","question_digest":"[0-9a-f]\{16\}","build":"[0-9a-f]\{16\}","stats":{"events":2,'
    printf 'OPENCL race\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n' >"$work/race.litmus"
    printf 'P1 (global int* x) {\n  int r = *x;\n}\nexists (1:r = 1)\n' >>"$work/race.litmus"
    leaves 1 check --format json "$work/race.litmus"
    out_has '"verdict":"undefined","expected":"ok"'
    out_has '"final_states":\[{"1:r":0},{"1:r":1}\]'
    out_has '"undefined":\[{"kind":"race","events":\[{"thread":0,"line":3,"access":"W x","column":22},{"thread":1,"line":5,"access":"R x","column":11}\],"words":"race: P0.s W x at line 3 and P1.s R x at line 5"}\]'
}

# A loop that needs three rounds meets the bound of two; --unroll 4 decides it. The same
# output whatever the number of jobs.
bounds_and_jobs() {
    {
        printf 'OPENCL bound\n{ atomic_int x = 3; }\nP0 (global atomic_int* x) { int r = 1;\n'
        printf 'while (r > 0) { r = atomic_fetch_sub_explicit(x, 1, memory_order_relaxed); } }\n'
        printf 'exists (0:r = 0)\n'
    } >"$work/bound.litmus"
    leaves 3 check --format herd "$work/bound.litmus"
    out_has 'Reason the loop at line 4 met its unroll bound'
    leaves 0 check --unroll 4 "$work/bound.litmus"
    "$CRASHLIT" check -j 1 litmus >"$work/one" 2>&1
    "$CRASHLIT" check -j 4 litmus >"$work/four" 2>&1
    cmp "$work/one" "$work/four"
    verdict $? "-j 1 and -j 4 print the same"
}

# What a bound leaves open is named beside every verdict, `ok` too: the race in the third
# round is out of sight at the default bound, and found at 4.
doubts() {
    {
        printf 'OPENCL late\n{ nvm x = 0; atomic_int f = 0; }\n'
        printf 'P0@wg 0 (global int* x, global atomic_int* f) { int n = 0;\n'
        printf '  while (!f.load(mo_acq, dev_scope)) { n = n + 1; if (n == 3) { *x = 1; } } }\n'
        printf 'P1@wg 1 (global int* x, global atomic_int* f) { *x = 2; f.store(1, mo_rel, dev_scope); }\n'
        printf 'crash exists (x = 2)\n'
    } >"$work/late.litmus"
    leaves 0 check --format herd "$work/late.litmus"
    out_has '^Doubt the loop at line 4 met its unroll bound'
    leaves 0 check --format json "$work/late.litmus"
    out_has '"verdict":"ok".*"doubt":"the loop at line 4 met its unroll bound'
    leaves 1 check --format herd --unroll 4 "$work/late.litmus"
    out_has 'Verdict late undefined'
}

# Links and lists that lead back to themselves end; a list is seen from its own folder.
loops() {
    # How often a push fails that another work-item disturbs at will has no bound.
    sed 's/^final exists .*/final forall (next[1] != 1)/; /^expect/d' litmus/retries/busy.litmus >"$work/busy.litmus"
    leaves 3 check --format herd -m rc11 -p epoch "$work/busy.litmus"
    out_has '^Verdict busy unknown'
    # How often a transaction is aborted has none either. However often: the one that commits reads 0, and a machine,
    # which goes round without a bound, shows nothing else.
    sed '/^final\|^crash\|^expect/d' litmus/helper-warps/hw32-abort-in-loop.litmus >"$work/again.litmus"
    echo 'final forall (x = 1 /\ tries = 1) crash forall (x = tries /\ (x = 0 \/ x = 1))' >>"$work/again.litmus"
    for pair in 'chen-baseline' 'chen-helper' 'kiln'; do
        leaves 3 check --format herd -m sc -p $pair "$work/again.litmus"
        out_has '^Verdict hw32-abort-in-loop unknown'
        leaves 0 check --format herd -e machine -m sc -p $pair "$work/again.litmus"
        out_has '^Verdict hw32-abort-in-loop ok'
    done
    mkdir -p "$work/round"
    cp "$work/good.litmus" "$work/round/"
    ln -sfn . "$work/round/again"
    ln -sfn . "$work/round/once-more"
    leaves 0 check --format json "$work/round"
    out_lines '"test":"' 1
    printf '@round/list\n' >"$work/outer"
    printf 'good.litmus\n@list\n@../outer\n' >"$work/round/list"
    leaves 0 check --format json "@$work/outer"
    out_lines '"test":"' 1
}

# Every engine answers for itself, an expectation in brackets is for one of them: x = 1 is
# durable in some crash state for both, whatever a line claims of one.
engines() {
    leaves 0 check --engine smt --format json "$work/good.litmus"
    out_has '"engine":"smt".*"crash_states":\[{"x":0},{"x":1}\]'
    leaves 0 check --format herd --engine all "$work/good.litmus"
    out_lines '^Engines agree$' 1
    out_lines '^Test good' 1
    out_has '^Summary: 3 as expected, 0 otherwise'
    leaves 0 check -e all --format json "$work/good.litmus"
    out_lines . 3
    out_lines '"engine":"enum".*"verdict":"ok"' 1
    out_lines '"engine":"smt".*"verdict":"ok"' 1
    leaves 0 check --format herd -e all --decide "$work/good.litmus"
    out_lines '^Engines agree$' 1
    {
        cat "$work/good.litmus"
        printf 'expect sc + epoch : ok\nexpect sc + epoch [smt] : violated\n'
        printf 'expect sc + strict [smt] : ok\n'
    } >"$work/tagged.litmus"
    leaves 1 check --format herd -e all "$work/tagged.litmus"
    out_has '^Engine smt: verdict ok, expected violated$'
    out_has '^Summary: 3 as expected, 1 otherwise'
    leaves 1 check -e all --format json "$work/tagged.litmus"
    out_lines '"epoch","engine":"enum".*"expected":"ok"' 1
    out_lines '"epoch","engine":"smt".*"expected":"violated"' 1
    out_lines '"persistency":"strict"' 2 # the pair is named, so both are asked
    leaves 0 check -e enum --format json "$work/tagged.litmus"
    out_lines '"engine":"enum"' 1
}

# Crosscheck is about agreement: what is violated or not expected plays no part, and nothing
# is said about tests on which the engines agree.
crosschecks() {
    leaves 0 crosscheck "$work/good.litmus" "$work/bad.litmus"
    out_lines . 2
    out_has '^Machines: 2 contained, 0 outside, 0 undefined, 0 partly; of 4 crash states 0 never shown$'
    out_has '^Summary: 2 agree, 0 disagree, 0 not compared, 0 files with errors$'
    leaves 0 crosscheck -j 2 --engine all "$work/folder" "$work/tagged.litmus"
    out_has '^Summary: 4 agree, 0 disagree, 0 not compared, 0 files'
    leaves 2 crosscheck "$work/good.litmus" "$work/broken.litmus"
    out_has '^Summary: 1 agree, 0 disagree, 0 not compared, 1 files'
    # Neither engine lists 2^30 states in a moment: that is no agreement.
    leaves 3 crosscheck --timeout 1 "$work/large.litmus" "$work/good.litmus"
    out_has 'engines were not compared$'
    out_has '^  not compared: enum: the time limit ran out$'
    out_has '^Summary: 1 agree, 0 disagree, 1 not compared, 0 files'
    leaves 3 check --format herd -e all --timeout 0.2 "$work/large.litmus"
    out_has '^Engines were not compared$'
}

# Tests of standard input stand in no folder: what they use is named with --uses, or lies in a folder of -I; that it is not there is
# said once. A file of several tests is told apart from one that is wrong.
streams() {
    mkdir -p "$work/streamed"
    echo 'mark() { __fence{marked}; }' >"$work/streamed/mark.def"
    for i in 1 2 3; do
        printf 'OPENCL t%d\nuses "mark.def"\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; mark(); }\ncrash exists (x = 1)\n' $i
    done >"$work/streamed/tests"
    for command in check crosscheck explain "compare --models sc+none,sc+epoch"; do
        for given in "--uses $work/streamed/mark.def" "-I $work/streamed"; do
            # shellcheck disable=SC2086 # words
            "$CRASHLIT" $command $given - <"$work/streamed/tests" >"$work/out" 2>"$work/err"
            [ $? -ne 2 ] && ! grep -q 'error' "$work/err"
            verdict $? "$command reads a stream with $given"
        done
        # shellcheck disable=SC2086 # as above
        "$CRASHLIT" $command - <"$work/streamed/tests" >"$work/out" 2>"$work/err"
        [ $? -eq 2 ] && [ "$(grep -c "no definition file 'mark.def': .* --uses, or its folder with -I" "$work/err")" -eq 1 ]
        verdict $? "$command says once what a stream lacks"
    done
    "$CRASHLIT" explain -m sc -p none --uses "$work/streamed/mark.def" - <"$work/streamed/tests" >"$work/out" 2>"$work/err"
    out_lines '^Holds' 3
    cp "$work/streamed/tests" "$work/streamed/several.litmus"
    leaves 2 check -I "$work/streamed" "$work/streamed/several.litmus"
    err_has 'several.litmus:6:1: error: found a second test, expected one in a file; .*< FILE'
    [ "$(grep -c error "$work/err")" -eq 1 ]
    verdict $? "nothing more is said of it"
}

# What to cite: the tool as CITATION.cff has it, and what the files of models and machines name; an entry of BibTeX
# once, whatever names stand around it.
cited() {
    leaves 0 cite
    out_has "^    The authors of crashlit: $(sed -n 's/^title: "\(.*\)"$/\1/p' CITATION.cff)\. Version $(sed -n 's/^version: //p' CITATION.cff)"
    grep -q '^  - name: "The authors of crashlit"$' CITATION.cff
    verdict $? "the authors are those of CITATION.cff"
    leaves 0 cite epoch gpm sc
    out_lines '^    Dibakar Gope, Sooraj Puthoor, Arkaprava Basu and Mitesh Meswani: ' 2 # sc has its barriers
    out_lines '^gpm, a ' 2                                                              # a model and a machine
    out_lines '^  digest [0-9a-f]\{16\} of ' 4
    for name in $("$CRASHLIT" models --format json | grep -v '"kind":"definitions"' | sed 's/.*"name":"\([^"]*\)".*/\1/') \
        $("$CRASHLIT" machines --format json | sed 's/.*"name":"\([^"]*\)","title.*/\1/'); do
        "$CRASHLIT" cite "$name" >"$work/out" && ! grep -q 'no paper' "$work/out"
        verdict $? "$name names what it is after"
    done
    printf '"@misc{x} nobody"\nlet hb = po\n' >"$work/a@b{.cat"
    printf 'own "after\n POPL 2020"\n(* as (TOPLAS\n * 1988) has it *)\nlet hb = po\n' >"$work/own.cat"
    leaves 0 cite "$work/a@b{.cat"
    out_has "^    its files name no paper that is known here; a comment line 'cite: AUTHORS: TITLE. VENUE, YEAR.' names one$"
    leaves 0 cite --format bibtex "$work/a@b{.cat" "$work/own.cat" px86
    out_lines '@' 4 # the tool, Raad once, Shasha, and Khyzha, whom the machine names
    out_lines '^@article{raad2020persistency,$' 1
    # What a file says behind "cite:", each text once; an entry of its own in BibTeX, where signs of TeX are none.
    printf 'own "mine"\n(* cite: A. Uthor and B. Orrow: 50%% of {BBB} (really). HPCA, 2021. *)\n(* cite: A second\n * cite: A second\n no cite: here *)\nlet hb = po\n' >"$work/said.cat"
    printf '# cite: The third (2022)\nmachine = pipeline\npromises = sc + epoch\nstage L2 per device order any merge\ndurable\non p_barrier : meet ; drain own L2 ; await\n' >"$work/said.machine"
    leaves 0 cite "$work/said.cat" "$work/said.machine"
    out_lines '^    A. Uthor and B. Orrow: 50% of {BBB} (really). HPCA, 2021.$' 1
    out_lines '^    A second$' 1
    out_lines '^    The third (2022)$' 1
    out_lines ' here' 0
    leaves 0 cite --format bibtex "$work/said.cat" "$work/said.cat"
    out_lines '@misc{said-[12],$' 2
    out_has '^  note = {A. Uthor and B. Orrow: 50\\% of .*BBB.* (really). HPCA, 2021.}$'
    leaves 2 cite epcoh
    leaves 2 cite "$work/absent.machine"
}

# Machines: chosen by the pair, by name and by file; asked where they promise something; held to the
# model, which a faulty one does not keep to; and what they have done traced.
machines() {
    leaves 0 machines
    out_has '^nvw-fifo (default) hrf-direct + epoch  *NVW-FIFOs'
    leaves 0 machines -v nvw-fifo
    out_has '^machine *= nvw-fifo'
    out_has '^  no-stall '
    leaves 0 check --format herd -e machine litmus/spb/def1.litmus
    out_lines '^Machine ' 3 # one of each pair that is promised
    out_lines '^Machine bpfs$' 1
    leaves 0 check --format herd -e machine --machine nvw-fifo-small litmus/spb/def1.litmus
    out_lines '^Machine ' 1
    printf '# Own.\nmachine = nvw-fifo\nunits = 1\n' >"$work/own.machine"
    leaves 0 check --format herd -e machine --machine "$work/own.machine" litmus/spb/def1.litmus
    out_has "^Machine $work/own.machine"
    leaves 0 machines -v "$work/own.machine" # as a built-in of the same lines would be listed
    out_has "^$work/own.machine  *hrf-direct + epoch  *Own$"
    out_has '^units = 1$'
    out_has '^  no-stall '
    printf 'machine = pipeline\npromises = sc + none\nstage C per system order any\ndurable' >"$work/pipe.machine"
    leaves 0 machines -v "$work/pipe.machine"
    out_has '^  | C: per system, order any |$'
    printf 'OPENCL own\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x = 1)\n' >"$work/own.litmus"
    leaves 0 crosscheck --machine "$work/pipe.machine" "$work/own.litmus" # under the pair that it promises
    out_has '^Machines: 1 contained'
    leaves 0 check --format herd -e all --machine "$work/pipe.machine" "$work/own.litmus"
    out_has '^Models sc + none$'
    # A file names the models that it promises from its own folder, and of tests is asked about these, whatever is labelled.
    mkdir -p "$work/apart"
    printf '"none, by another name"\n' >"$work/apart/own.cat"
    printf 'machine = pipeline\npromises = sc + own.cat\nstage C per system order any\ndurable' >"$work/apart/own.machine"
    { cat "$work/own.litmus"; printf 'expect sc + ./own.cat : ok\nexpect sc + strict [machine] : violated\n'; } >"$work/apart/own.litmus"
    leaves 0 check --format herd -e machine --machine "$work/apart/own.machine" "$work/apart/own.litmus"
    out_lines '^Models ' 1
    out_has "^Models sc + $work/apart/own.cat$"
    leaves 0 crosscheck --machine "$work/apart/own.machine" "$work/apart/own.litmus"
    out_has '^Machines: 1 contained'
    printf 'pragma own {\n promises sc + ./own.cat under sc + ../own.cat;\n at end : p_barrier_wi;\n}\n' >"$work/own.map"
    leaves 0 mappings -v "$work/own.map" # a promise names models by their paths
    out_has '^      promises sc + ./own.cat under sc + ../own.cat$'
    # A test that expects nothing of a machine is not asked, unless a pair is named.
    leaves 0 check -e machine litmus/c11/lb-rlx.litmus litmus/spb/def1.litmus
    out_has '^  not asked  litmus/c11/lb-rlx.litmus: no expectation'
    leaves 0 check --format herd -v -e machine litmus/c11/lb-rlx.litmus litmus/spb/def1.litmus
    out_has '^Test lb-rlx: not asked'
    out_has ', 1 not asked$'
    leaves 0 check -e machine --format json litmus/c11/lb-rlx.litmus litmus/spb/def1.litmus
    out_lines '"test":"lb-rlx"' 0
    leaves 3 check --format herd -v -e machine --max-states 5 "$work/bad.litmus" litmus/spb/kv-insert.litmus
    out_has '^Doubt there are more states than are kept'
    # All engines: racy-scope is undefined, which is no disagreement; its line for the machine is kept.
    leaves 0 check --format herd -v -e all -m hrf-direct -p epoch litmus/spb/racy-scope.litmus litmus/spb/def1.litmus
    out_has '^  machine nvw-fifo: not compared: undefined$'
    out_has '^  machine nvw-fifo: every state is allowed; never shown: 0 of 3 crash states'
    leaves 0 check -e all -m sc -p strict litmus/spb/def1.litmus # promised by nobody
    out_lines 'machine' 0
    leaves 0 check -e all --format json -m hrf-direct -p epoch litmus/spb/def1-other-wi.litmus
    out_has '"engine":"machine","machine":"nvw-fifo","containment":"contained","never_shown":{"crash_states":1,"final_states":0}'
    leaves 0 crosscheck -v -e machine litmus/spb/def1-other-wi.litmus
    out_has '^  machine nvw-fifo: every state is allowed; never shown: 1 of 4 crash states'
    # The shortest run: x written, a marker that stalls nobody, y written, evicted twice, durable.
    leaves 4 crosscheck -e machine --fault no-stall litmus/spb/def1.litmus
    out_has '^  machine nvw-fifo with no-stall: shows states not allowed'
    out_has '^  crash state of machine only: x=0; y=1;$'
    out_has '^  6 NVRAM .* y=1 is durable '
    leaves 4 check -e all --decide --fault no-stall -m hrf-direct -p epoch litmus/spb/def1.litmus
    out_has 'enum says ok, machine says violated'
    # x = 1 and y = 1 are 12 steps away (tests/unit/test_mach_trace.c); y = 1 alone is never shown.
    leaves 0 trace --state y=1 litmus/spb/def1.litmus
    out_has '^Crash after 12 steps: x=1; y=1;$'
    leaves 1 trace --state 'y=1, x=0' litmus/spb/def1.litmus
    leaves 1 trace --state 'x=0; y=1;' litmus/spb/def1.litmus # as states are printed
    out_has '^Never: '
    leaves 1 trace --state x=7 litmus/spb/racy-scope.litmus # a race; nobody writes 7
    out_has "^hrf-direct + epoch, which it promises, says that the test is undefined$"
    # Of a forall a state that breaks it is looked for: where none does, it holds.
    printf 'OPENCL f\n{ x = 0; }\nP0 (global int* x) { int r = 1; *x = r; }\nfinal forall (0:r = 1)\n' >"$work/holds.litmus"
    leaves 1 trace "$work/holds.litmus"
    out_has '^Never: no state breaks it: the machine shows none that does in any of its [0-9]* states$'
    out_has ' allows none, either$'
    out_lines 'does not show it' 0
    leaves 3 trace --max-states 3 --state y=1 litmus/spb/def1.litmus
    out_has '^Unknown: '
    leaves 0 trace --condition 2 --format json litmus/spb/def1.litmus
    out_lines '^{"schema":1,.*"condition":2,.*"answer":"found".*"state":{"x":1,"y":0}' 1
    # y first is against definition (1), which all that promise epoch keep to.
    leaves 1 trace --condition 1 litmus/spb/def1.litmus
    out_has '^hrf-direct + epoch, which it promises, forbids it, too$'
    out_has '^Nor does any other built-in machine that promises the same$'
    # A block of bpfs-small has both words, so what is in NVRAM is of both; bpfs stores twice, and writes key on alone, twice.
    leaves 1 trace --machine bpfs-small litmus/spb/kv-insert-bare.litmus
    out_has '^Shown by bpfs, which promises hrf-direct + buffered-epoch as well, after 4 steps$'
    out_has '^hrf-direct + buffered-epoch, which it promises, allows it$'
    leaves 1 trace --machine bpfs-small --format json litmus/spb/kv-insert-bare.litmus
    out_has '"promised":{"model":"hrf-direct","persistency":"buffered-epoch","answer":"allowed"},"elsewhere"'
    out_has '"elsewhere":{"machine":"bpfs","model":"hrf-direct","persistency":"buffered-epoch","steps":4,"known":true}'
}

# Without --machine a test runs on what promises a pair that it is asked about, and the first line says so. P0 stores rec, passes
# a fence and stores head: its three steps. head then leaves the GPU past the caches of the host (bypass HOST not by cpu), and is durable with step 4, before rec.
a_trace_runs_on_the_machine_of_the_test() {
    local body='{ nvm rec = 0; nvm head = 0; }\nP0 (global int* rec, global int* head) { *rec = 7; __threadfence(); *head = 1; }\ncrash ~exists (head = 1 /\\ rec = 0)\n'
    printf "OPENCL own\nuses \"cuda.def\"\n$body" >"$work/cuda.litmus"
    leaves 0 trace "$work/cuda.litmus" # its pair is nobody's, its persistency that of gpm
    out_has '^Trace own on gpm, which promises sc + gpm$'
    out_has '^No built-in machine promises ptx + gpm, named by cuda.def; this one has its persistency$'
    out_has '^Crash after 4 steps: rec=0; head=1;$'
    leaves 0 trace --format json "$work/cuda.litmus"
    out_has '"machine":"gpm","promises":{"model":"sc","persistency":"gpm"},"asked":{"model":"ptx","persistency":"gpm"},"crash"'
    leaves 1 check -e machine "$work/cuda.litmus" # the engine is asked of the same machine
    out_has '^Test own, models sc + gpm, machine gpm\.$'
    # A fence of the system waits until rec is durable, for the model as well.
    sed 's/__threadfence/&_system/' "$work/cuda.litmus" >"$work/cuda-system.litmus"
    leaves 1 trace "$work/cuda-system.litmus"
    out_has '^ptx + gpm, which the test is asked about, forbids it, too$'
    # A fault is one of the same machine's: it is gpm's fence that awaits no more, so that head overtakes rec, which is under way.
    leaves 0 trace --fault await-passes "$work/cuda-system.litmus"
    out_has '^Trace own on gpm with await-passes, which promises sc + gpm$'
    leaves 2 trace --fault no-stall "$work/cuda-system.litmus" # a persist barrier's
    err_has "gpm cannot have the fault 'no-stall'"
    out_lines . 0
    leaves 0 trace --machine nvw-fifo "$work/cuda.litmus" # a machine that is named is the one that runs
    out_has '^Trace own on nvw-fifo$'
    out_lines 'promises' 0
    # expect lines name pairs, too: the usual machine if it promises one of them, else the first that does.
    sed 's/^uses.*//; s/__threadfence/p_barrier_wi/' "$work/cuda.litmus" >"$work/usual.litmus"
    leaves 1 trace "$work/usual.litmus"
    out_has '^Trace own on nvw-fifo, which promises hrf-direct + epoch$'
    { cat "$work/usual.litmus"; printf 'expect sc + strict : ok\nexpect hrf-direct + buffered-epoch : ok\n'; } >"$work/second.litmus"
    leaves 1 trace "$work/second.litmus"
    out_has '^Trace own on bpfs, which promises hrf-direct + buffered-epoch$'
    { cat "$work/second.litmus"; printf 'expect hrf-direct + epoch : ok\n'; } >"$work/third.litmus"
    leaves 1 trace "$work/third.litmus"
    out_has '^Trace own on nvw-fifo, which promises hrf-direct + epoch$'
    { cat "$work/usual.litmus"; printf 'expect sc + none : ok\n'; } >"$work/nobody.litmus"
    leaves 1 trace "$work/nobody.litmus"
    out_has '^Trace own on nvw-fifo, which promises hrf-direct + epoch$'
    out_has '^No built-in machine promises sc + none; this one is of other models: name another with --machine$'
    # A model of a file is not asked beside a run: what is told is of the pair that the machine promises.
    printf 'free "nothing ordered"\nlet persist-before = 0\n' >"$work/free.cat"
    { cat "$work/usual.litmus"; printf 'expect sc + free.cat : violated\n'; } >"$work/own.litmus"
    leaves 1 trace "$work/own.litmus"
    out_has '^hrf-direct + epoch, which it promises, forbids it, too$'
}

# What is asked is said once, or twice the same; of how it is run or told the last word counts; folders, files and variants gather.
# Nobody sees the test that --launch makes: no line of it is told, nor a fix at one.
launches() {
    flag='hand_over_block<<<2, 1>>>(u32 data, u32 flag, u32 out)' again='hand_over_block<<<2, 1>>>(data, flag, out)'
    # The fence is of the block, and the other block reads: flag.cu, lines 20 and 27.
    leaves 1 check --launch "$flag" litmus/cuda/flag.ptx
    out_has "^Violated: race: P0's W data (flag.cu:20) and P1's R data (flag.cu:27)$"
    out_lines 'line [0-9]' 0
    leaves 1 check --launch "$flag" --launch "$again" litmus/cuda/flag.ptx # P0 is the host
    out_has "^Violated: race: P1's W data (flag.cu:20) in launch 1 and P2's R data$"
    leaves 1 check -f json --launch "$flag" litmus/cuda/flag.ptx
    out_has '"file":"litmus/cuda/flag.ptx","line":0,"model"'
    out_has '{"thread":0,"line":0,"access":"W data (flag.cu:20)","source":{"file":"litmus/cuda/flag.cu","line":20,'
    out_lines '"column":[0-9]*},{"thread"' 0
    out_has '"text":"race",.*"line":null,"column":null},{"kind":"property","text":"divergence"'
    leaves 1 check -f sarif --launch "$flag" litmus/cuda/flag.ptx
    # Each result stands at a line, the property's as well, without which viewers show none.
    out_lines '"message":.*"locations":\[{"physicalLocation":{"artifactLocation":{"uri":"litmus/cuda/flag.cu","uriBaseId":"%SRCROOT%"},"region":{"startLine":20,' 2
    out_lines 'launched here' 0
    # A kernel may be called by a word of the language; each block writes its own entry.
    for word in atomic crash if; do
        sed "s/append(/$word(/; s/append_param/${word}_param/g" litmus/cuda/log.ptx >"$work/$word.ptx"
        leaves 0 check --launch "$word<<<2, 1>>>(nvm u32 log[4], 7)" "$work/$word.ptx"
    done
    leaves 2 check --launch 'hand<<<2, 1>>>(u32 x)' litmus/cuda/flag.ptx
    err_has "^--launch: error: no file of this test has a kernel 'hand';"
    leaves 2 check --messages json --launch 'hand<<<2, 1>>>(u32 x)' litmus/cuda/flag.ptx
    err_has "\"file\":null}$"
    # One element is there, of which the second word is another one.
    leaves 1 check -f json --launch 'append<<<1, 1>>>(u32 x[1], 7)' litmus/cuda/log.ptx
    out_has '"line":0,"access":"access out of bounds (log.cu:11)","source":{"file":"litmus/cuda/log.cu","line":11,'
    # Without places of the source, those of the code: the loop's event is in line 11.
    { printf '.version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .pred %%p<2>;\n.reg .b32 %%r<4>;\n'
      printf '.reg .b64 %%d<4>;\nld.param.u64 %%d1, [a];\nL:\natom.global.add.u32 %%r1, [%%d1], 1;\n'
      printf 'setp.ne.u32 %%p1, %%r1, 1000;\n@%%p1 bra L;\nret;\n}\n'; } >"$work/loop.ptx"
    leaves 3 check --launch 'k<<<1, 1>>>(u32 x)' "$work/loop.ptx"
    out_has '^Not known: the loop at loop.ptx:11 met its unroll bound'
    # An option has no place for what a test observes.
    leaves 3 check --property robust --launch 'append<<<2, 1>>>(nvm u32 log[4], 7)' litmus/cuda/log.ptx
    out_has '^Not known: without a recovery a test says what is looked at: begin with what$'
    out_has "^  --print-launch writes, and add 'observe x, y;' (property robust).$"
    leaves 2 check --print-launch --launch 'append<<<2, 1>>>(nvm u32 log[4], 7)' "$work/none.ptx"
    err_has "cannot read '$work/none.ptx': No such file or directory; the compiler writes it: nvcc"
    out_lines 'append' 0
    # The user names the file, so a link may lead to it; what it names is looked for beside the link.
    ln -sf "$PWD/litmus/cuda/log.ptx" "$work/link.ptx"
    leaves 0 check --launch 'append_block<<<2, 1>>>(u32 x[4], 7)' "$work/link.ptx"
}

an_option_that_stands_twice() {
    leaves 2 check -p epoch -p strict litmus/spb/def1.litmus
    leaves 0 check -p epoch -p epoch -m sc litmus/spb/def1.litmus
    leaves 0 check --timeout 1 --timeout 60 --format json --format text --jobs 1 --jobs 2 --unroll 1 --unroll 2 -I litmus -I models litmus/spb/def1.litmus
    out_has '^Holds: '
}

# A doubt about what a machine has not names the tag and its place: line 7 of both has the first instruction with one.
a_machine_says_what_it_lacks() {
    leaves 3 check --format herd -e machine --machine nvw-fifo -m sc -p gpm litmus/gpm/gpm01-persist-orders.litmus
    out_has "^Doubt an instruction whose tag the model gives a meaning to ('gpm_persist'), of P0 at line 7, is not encoded"
    leaves 3 check --format herd -e machine --machine nvw-fifo -m sc -p lin-adr litmus/lin/fig2b.litmus
    out_has "^Doubt cache maintenance ('clwb'), of P0 at line 7, is not encoded"
}

# Limits of the shell, of which nobody learns when a process is ended by their signal: 64 KiB of stack, files of one block.
limits_of_the_shell() {
    (ulimit -s 64 && "$CRASHLIT" check "$work/good.litmus" >/dev/null 2>"$work/err")
    [ $? -eq 2 ] && grep -q 'the stack is limited to 64 KiB, expected 256 at least' "$work/err"
    verdict $? "too small a stack is told"
    (ulimit -f 1 && "$CRASHLIT" check --format "html=$work/limited.html" "$work/good.litmus" >/dev/null 2>"$work/err")
    [ $? -eq 2 ] && grep -q "cannot write '.*/limited.html': File too large" "$work/err" && [ ! -e "$work/limited.html" ]
    verdict $? "a report that is too large is told"
}

# What is looked at before and beside the search of executions would take minutes, and ages, here.
long_before_search() {
    # Paths of up to 100 rounds, each of which relies on what all before it read: whether some path
    # writes that was asked anew for each path, and each write of each other path.
    printf '%s\n' 'OPENCL rounds' '{ nvm x = 1; nvm log[2]; nvm tail = 0; }' \
        'P0@wg 0 (global int* x, global int* log, global int* tail) {' \
        '  int m = *tail; for (int i = m; i > 0; i--) { *x = log[i - 1]; } *tail = 0; }' \
        'P1@wg 0 (global int* tail) { *tail = 3; }' 'exists (x = 1)' >"$work/rounds.litmus"
    leaves 3 check --format herd -e enum --unroll 100 --timeout 20 "$work/rounds.litmus"
    out_has "^Doubt P0, at line 3, has more control-flow paths than are looked at$"
    # Each value stored is 2^11 times the one that is read: around the cycle it depends on itself in
    # 2^44 ways, too many to see that 2^44 * v = v has the solution 0 alone.
    awk 'BEGIN {
        print "C around\n{ atomic_int x0 = 0; atomic_int x1 = 0; atomic_int x2 = 0; atomic_int x3 = 0; }"
        for (t = 0; t < 4; t++) {
            from = "x" t; to = "x" (t + 1) % 4
            print "P" t " (atomic_int* " from ", atomic_int* " to ") {" \
                " int r = atomic_load_explicit(" from ", memory_order_relaxed);" \
                " for (int i = 0; i < 11; i++) { r = r + r; }" \
                " atomic_store_explicit(" to ", r, memory_order_relaxed); }"
        }
        print "exists (x0 = 7)"
    }' >"$work/around.litmus"
    leaves 3 check --format herd -e enum -m tests/unit/anything.cat -p none "$work/around.litmus"
    out_has "^Doubt a read may justify itself"
    # Powers of 61, as bits, of which Z3 makes circuits when a part of the formula is set apart.
    awk 'BEGIN {
        print "OPENCL powers\n{ x = 0; y = 0; }"
        for (i = 0; i < 60; i++) power = power " * s"
        for (t = 0; t < 2; t++)
            print "P" t "@wg " t " (global int* x, global int* y) { int s = 1;" \
                " for (int i = 0; i < 6; i++) { int r = *x; s = s + r * i;" \
                " if (s" power " == i) { while (*x == s); *y = i; } } }"
        print "exists (y = 1)"
    }' >"$work/powers.litmus"
    for limit in timeout timeout-cpu; do
        leaves 3 check --format herd -e smt --$limit 2 "$work/powers.litmus"
        out_has "^Doubt the time limit ran out"
    done
}

# A path that stands for many runs is cut off for its length before each of them would be; where it is,
# so is the run that is shown: a = 3 is stored in the first round, sel being 0.
cut_off() {
    printf '%s\n' 'OPENCL long' '{ nvm a = 0; nvm b = 0; nvm sel = 0; }' \
        'P0@wg 0 (global int* a, global int* b, global int* sel) {' \
        '  for (int step = 1; step |= 2; step++) {' \
        '    int t = 1 - *sel; if (t) { *a = step; } else { *b = step; } p_barrier_wi; *sel = t; } }' \
        'crash exists (a = 3 /\ b = 0)' >"$work/cut.litmus"
    leaves 0 check -e smt --decide "$work/cut.litmus"
    # b = 3 is stored behind a barrier behind a = 3. Of what has no end, some beginning is enough.
    printf '%s\n' 'OPENCL endless' '{ nvm a = 0; nvm b = 0; }' 'P0@wg 0 (global int* a, global int* b) {' \
        '  for (int step = 1; step |= 2; step++) { *a = step; p_barrier_wi; *b = step; p_barrier_wi; } }' \
        'crash ~exists (a = 0 /\ b = 3)' >"$work/endless.litmus"
    sed 's/~exists (a = 0 .*/exists (a = 3 \/\\ b = 0)/' "$work/endless.litmus" >"$work/begun.litmus"
    for engine in enum smt; do
        leaves 3 check --format herd -e $engine --timeout 20 "$work/endless.litmus"
        out_has '^Doubt a run is longer'
        leaves 0 check -e $engine --timeout 20 "$work/begun.litmus"
    done
    # The first store alone, a barrier before the next. Smt does not order 600 writes, enum has no room for
    # relations of five times 4,000 events.
    printf '%s\n' 'OPENCL many' '{ nvm a = 0; }' 'P0@wg 0 (global int* a) {' \
        '  for (int i = 1; i <= 600; i++) { *a = i; p_barrier_wi; } }' 'crash exists (a = 1)' >"$work/many.litmus"
    leaves 0 check -e smt --decide "$work/many.litmus"
    awk 'BEGIN { print "OPENCL wide\n{ nvm a[5]; }"
        for (t = 0; t < 5; t++) print "P" t "@wg 0 (global int* a) {" \
            " for (int i = 1; i <= 2000; i++) { a[" t "] = i; p_barrier_wi; } }"
        print "crash exists (a[0] = 1 /\\ a[1] = 0)" }' >"$work/wide.litmus"
    leaves 0 check -e enum --decide "$work/wide.litmus"
}

limits() {
    "$CRASHLIT" check --format json "$work/good.litmus" >"$work/one.jsonl"
    awk -v family=sb -v n=30 -f tests/bench/families.awk >"$work/large.litmus"
    leaves 3 check -e enum --timeout 0.2 "$work/large.litmus"
    out_has '^Not known: the time limit ran out'
    leaves 3 check -e enum --timeout-cpu 0.2 "$work/large.litmus"
    out_has '^Not known: the time limit ran out'
    leaves 3 check -e enum --timeout-cpu 600 --timeout 0.2 "$work/large.litmus"
    out_has '^Not known: the time limit ran out'
    # Z3 takes more than a megabyte before it has read anything.
    leaves 3 check -e smt --memory 1 "$work/good.litmus"
    out_has "memory limit was met"
    # What is too little to decide by is too little to list by.
    leaves 3 check -e smt --decide --memory 1 "$work/good.litmus"
    out_has "memory limit was met"
    out_lines 'were not listed' 0
    leaves 2 check -e smt --memory 0 "$work/good.litmus"
    leaves 0 check -e smt --memory 4096 "$work/good.litmus"
    # A formula over 960 accesses takes minutes to write down: the limit counts from the start.
    write_long_test "$work/long.litmus"
    leaves 3 check --format herd -e smt --timeout 0.5 -m rc11 -p none "$work/long.litmus"
    out_has "^Doubt the time limit ran out"
    printf 'let com = rf | co | fr\nacyclic po & loc | com\n%s\n' \
        'undefined_unless acyclic po | rf as cycle' >"$work/cycle.cat"
    leaves 0 crosscheck -m "$work/cycle.cat" -p none litmus/c11/lb-rlx.litmus
    a_machine_says_what_it_lacks
    limits_of_the_shell
    long_before_search
    cut_off
    # Nothing that went wrong may look like success.
    if [ -w /dev/full ]; then full_disk; fi
}

# What is printed is told to be lost, by each command that prints: a few bytes, which are written at the
# end alone, more than a buffer holds, and a document.
full_disk() {
    for command in "check '$work/good.litmus'" "check --dump-ir litmus/spb" "--version" "models -v" \
        "check --format junit '$work/good.litmus'" "check --format svg '$work/good.litmus'" \
        "compare --models epoch,strict '$work/good.litmus'" "merge '$work/one.jsonl'"; do
        eval "timeout 60 \"\$CRASHLIT\" $command" >/dev/full 2>"$work/err"
        status=$?
        [ "$status" -eq 2 ] && [ "$(grep -c 'error: cannot write to standard output: No space left' "$work/err")" -eq 1 ]
        verdict $? "\`crashlit $command\` tells of a full disk, with status 2 (it was $status)"
    done
    timeout 60 "$CRASHLIT" check "$work/later.litmus" >/dev/full 2>"$work/err"
    [ $? -eq 3 ]
    verdict $? "what is not known weighs more than a full disk"
}

# Whatever the system gives, the solver answers or there is no memory, which is said.
exhausted() {
    for kib in 36000 40000 44000 48000 52000 56000 60000 64000 70000 80000; do
        (ulimit -v $kib && exec "$CRASHLIT" check --engine smt -p epoch --timeout 60 "$insert") \
            >"$work/out" 2>"$work/err"
        status=$?
        [ $status -ne 127 ] || continue # not enough to load the program
        # The loader has words of its own where a thread begins.
        [ $status -eq 0 ] || { [ $status -eq 70 ] && grep -q 'out of memory\|cannot allocate memory' "$work/err"; } ||
            { [ $status -eq 3 ] && grep -q 'no thread could be started' "$work/out"; }
        verdict $? "with $kib KiB there is an answer or a reason (status $status)"
    done
}

dumps() {
    leaves 0 check --dump-ast --dump-ir --dump-exec -m sc -p epoch "$insert"
    cp "$work/out" "$work/dump"
    leaves 0 check --dump-ast --dump-ir --dump-exec -m sc -p epoch "$insert"
    cmp "$work/out" "$work/dump"
    verdict $? "dumps are the same every time"
    out_has 'persist-before'
    out_has 'kv-insert'
    leaves 0 check --dump-ast --dump-ir --dump-exec -m sc -p epoch --format json "$insert"
    out_lines . 1 # JSON lines and nothing else
}

# Without crash statements points mean anywhere. Before a persist barrier nothing orders the two writes of
# kv-insert-bare, so the four combinations of durable and lost are four crash states.
no_crash_points() {
    bare=litmus/spb/kv-insert-bare.litmus
    for engine in enum smt machine; do
        leaves 0 check --format herd --crash points -e $engine "$bare"
        out_has '^Crash states 4$'
        leaves 0 check --crash points --decide -e $engine "$bare"
    done
    leaves 0 crosscheck --crash points "$bare"
    leaves 0 trace --crash points "$bare"
    out_has 'key=1; val=0'
    leaves 0 explain --crash points -p epoch "$bare"
    out_has '^Violated: a state '
    # Recovery starts on x = 0 and x = 1, crashes after its write or not, and adds one each time.
    sed 's/^recovered.*/recovered exists (x = 3)/' "$work/later.litmus" >"$work/counts.litmus"
    leaves 0 check --crash points --recovery-crash "$work/counts.litmus"
}

# Two conditions on which a loop's bound leaves a doubt, and one that a state breaks all the same: P0 writes 1.
one_violated() {
    printf 'OPENCL mixed\n{ x = 0; atomic_int y = 0; }\nP0 (global int* x, global atomic_int* y) {\n' >"$work/mixed.litmus"
    printf '  *x = 1;\n  while (!y.load(mo_rlx, wg_scope)) { *x = 1; }\n}\nP1 (global atomic_int* y) { y.store(1, mo_rlx, wg_scope); }\n' >>"$work/mixed.litmus"
    printf 'exists (x = 2)\nforall (x = 1)\n~exists (x = 1)\n' >>"$work/mixed.litmus"
    for option in --crash=anywhere --decide; do
        leaves 1 check --format herd $option -m hrf-direct-relaxed -p none "$work/mixed.litmus"
        out_lines '^Unknown$' 2
        out_lines '^No$' 1
        out_has '^Doubt the loop at line 5 met its unroll bound'
        out_has '^Verdict mixed violated, expected ok$'
    done
    leaves 1 check --format junit -m hrf-direct-relaxed -p none "$work/mixed.litmus"
    out_has ' failures="1" errors="0" '
    out_has 'is unknown: the loop at line 5 met its unroll bound'
}

# x is never 5, so no crash statement is reached, and what holds of all crash states holds of none; an author
# who expects ok has it, with the reason beside it.
nothing_there() {
    body='{ nvm x = 0; }\nP0 (global int* x) { if (*x == 5) { crash; } *x = 1; }\ncrash forall (x = 9)'
    printf 'OPENCL none\n%b\n' "$body" >"$work/none.litmus"
    printf 'OPENCL meant\n%b\nexpect hrf-direct + epoch : ok\n' "$body" >"$work/meant.litmus"
    printf 'OPENCL unrecovered\n%b\nrecovery (global int* x) { *x = 9; }\n' "${body%crash*}" >"$work/unrecovered.litmus"
    why='vacuous: no execution comes to where the crash may be'
    for engine in enum smt machine; do
        for option in --memory=900 --decide; do
            leaves 3 check --format herd $option -e $engine "$work/none.litmus"
            out_has "^Reason $why"
            leaves 0 check --format herd $option -e $engine "$work/meant.litmus"
            out_has "^Reason $why"
            out_has '^Ok$'
        done
    done
    leaves 0 crosscheck --decide "$work/none.litmus"
    leaves 3 explain "$work/none.litmus"
    out_has "^So the condition is not known: $why"
    leaves 0 explain "$work/meant.litmus"
    out_has "^So the condition holds of nothing, as the test expects: $why"
    leaves 3 explain -f json "$work/none.litmus"
    out_has "\"reason\":\"$why"
    leaves 3 compare --models epoch,strict "$work/none.litmus"
    out_has '^none .* unknown 0'
    for format in text herd json junit tap sarif html dot; do
        leaves 3 check -f $format "$work/none.litmus"
        out_has "${why#vacuous: }"
        leaves 0 check -f $format "$work/meant.litmus"
        out_has "${why#vacuous: }"
    done
    for command in check explain; do # whose lines wrap
        leaves 3 $command -f svg "$work/none.litmus"
        out_has 'vacuous: no'
    done
    # What asks for a state in vain says why there is none.
    sed 's/forall/exists/' "$work/none.litmus" >"$work/vain.litmus"
    for format in text herd json junit tap sarif html; do
        leaves 1 check -f $format "$work/vain.litmus"
        out_has "${why#vacuous: }"
        out_lines "$why" 0
    done
    for option in text json; do
        leaves 0 explain -f $option "$work/vain.litmus"
        out_has "${why#vacuous: }"
    done
    leaves 3 check --format herd --property 'recovers-to x = 9' "$work/unrecovered.litmus"
    out_has "^Reason $why"
    leaves 3 check --format herd --property idempotent-recovery "$work/unrecovered.litmus"
    out_has "^Reason $why"
}

# A run that asks nothing, or compares nothing, says so, with a status other than 0. No machine promises sc + strict.
nothing_asked() {
    printf 'OPENCL unpromised\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n' >"$work/unpromised.litmus"
    echo 'expect sc + strict : ok' >>"$work/unpromised.litmus"
    mkdir -p "$work/unpromised"
    cp "$work/unpromised.litmus" "$work/unpromised/a.litmus"
    cp "$work/unpromised.litmus" "$work/unpromised/b.litmus"
    for tests in "$work/unpromised.litmus" "$work/unpromised"; do
        leaves 2 check -e machine "$tests"
        err_has 'nothing was asked: no test expects anything of the machine'
        out_has ' not asked'
        leaves 2 crosscheck -e machine "$tests"
        err_has 'nothing was asked'
    done
    leaves 2 check -e machine -f json --format junit="$work/silent.xml" "$work/unpromised"
    out_lines '"file":"crashlit".*"verdict":"error".*"reason":"nothing was asked' 1
    grep -q '<error message="nothing was asked' "$work/silent.xml"
    verdict $? "JUnit tells of it"
    # One that is asked is enough, or an answer of an earlier run.
    leaves 0 check -e machine "$work/unpromised" "$work/good.litmus"
    leaves 0 check -e machine -m hrf-direct -p epoch "$work/unpromised"
    : >"$work/table.csv"
    printf '\n  \n' >"$work/blank.csv"
    for table in table blank; do
        leaves 2 peers --expected "$work/$table.csv" "$work"
        err_has "$table.csv' has no answers"
    done
    printf 'good.litmus,1\n' >"$work/table.csv"
    leaves 0 peers --expected "$work/table.csv" "$work"
    # Definition files are for peers and compare, too.
    printf 'seen(X) atomic_load_explicit(X, memory_order_relaxed)\n' >"$work/seen.def"
    printf 'C used\n{ }\nP0 (atomic_int* x) { int r = seen(x); }\nforall (0:r = 0)\n' >"$work/used.litmus"
    printf 'used.litmus,1\n' >"$work/used.csv"
    leaves 0 peers --uses "$work/seen.def" --expected "$work/used.csv" "$work"
    leaves 0 compare --uses "$work/seen.def" --models sc+none,tso+none "$work/used.litmus"
    # A model that means fences by the tag of a read-modify-write is not asked: the answer is open.
    leaves 3 compare --models tests/malformed/cli/fence-meant.cat+none,sc+none tests/malformed/cli/fence-tag.litmus
    out_has 'fence-tag, tests.* is not known: the model means fences by a tag'
    # To other tools what holds of nothing holds.
    printf 'none.litmus,1\n' >"$work/table.csv"
    leaves 0 peers --expected "$work/table.csv" "$work"
    # More shards than tests is no fault, but said.
    leaves 0 check --shard 3/3 "$work/unpromised"
    err_has 'shard 3 of 3 has no tests: there are 2 in all'
    leaves 0 compare --models epoch,strict --shard 3/3 "$work/unpromised"
    err_has 'shard 3 of 3 has no tests'
    leaves 2 explain --condition 2 "$work/good.litmus"
    grep -v '^crash' "$work/good.litmus" >"$work/unasked.litmus"
    leaves 2 explain "$work/unasked.litmus"
    err_has 'has no conditions, so there is nothing to explain'
    leaves 2 trace --condition 2 "$work/good.litmus"
    mkdir -p "$work/empty"
    : >"$work/empty.list"
    leaves 2 check "$work/empty"
    leaves 2 crosscheck "$work/empty"
    leaves 2 check "@$work/empty.list"
}

# Standard output that is closed: nothing that was meant for it is in a report, and the run does not pass.
closed_output() {
    "$CRASHLIT" -f junit="$work/closed.xml" "$work/good.litmus" >&- 2>/dev/null
    closed="$? $(head -c 5 "$work/closed.xml")"
    "$CRASHLIT" -f junit="$work/closed.xml" "$work/good.litmus" <&- >/dev/null 2>&-
    closed="$closed, $? $(head -c 5 "$work/closed.xml")"
    [ "$closed" = '2 <?xml, 0 <?xml' ]
    verdict $? "standard streams that are closed: '$closed'"
}

# A test without conditions says in every format that nothing is judged, unless a line expects its verdict.
# Where no line says what is expected, what orders stores is tried apart from its test, where there are no registers. The wait
# names the token of the flush of x, and a barrier of one arrival (n is 1) makes its own stores durable: y is behind x in both.
apart_from_registers() {
    mkdir -p "$work/apart"
    cp examples/mechanisms/async/async.def examples/mechanisms/async/async.cat "$work/apart"
    printf 'OPENCL t\nuses "async.def"\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; int t = tpersist(x); await_token(t); *y = 1; }\n%s\n' \
        'crash ~exists (y = 1 /\ x = 0)' >"$work/apart/token.litmus"
    printf 'OPENCL b\n{ nvm x = 0; nvm y = 0; nvm n = 1; }\nP0 (global int* x, global int* y, global int* n) { *x = 1; p_barrier(wg_scope, 1, *n); *y = 1; }\n%s\n' \
        'crash ~exists (y = 1 /\ x = 0)' >"$work/apart/barrier.litmus"
    for engine in enum smt; do
        leaves 0 check -e $engine -m sc -p "$work/apart/async.cat" "$work/apart/token.litmus"
    done
    leaves 0 check -e enum "$work/apart/barrier.litmus"
    # For the solver a number that is read is one path each, up to the most work-items that there can be.
    leaves 3 check -e smt "$work/apart/barrier.litmus"
    out_has '^Not known: P0, at line 3, has more control-flow paths than are looked at$'
}

no_conditions() {
    body='{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }'
    printf 'OPENCL bare\n%b\n' "$body" >"$work/bare.litmus"
    printf 'OPENCL expected\n%b\nexpect hrf-direct + epoch : ok\n' "$body" >"$work/expected.litmus"
    for format in text herd json junit tap sarif html svg dot; do
        leaves 0 check -f $format "$work/bare.litmus"
        out_has 'no conditions: nothing is judged'
        leaves 0 check -f $format "$work/expected.litmus"
        out_lines 'no conditions:' 0
    done
    leaves 0 compare --models epoch,strict "$work/bare.litmus" "$work/good.litmus"
    out_has '^Summary: 2 tests, 0 differ, 1 without conditions$'
}

# Which command takes which option, by what each does with it: models are asked about tests by check,
# crosscheck, explain, place, compare, peers and refines (which has model pairs of its own, by --under), machines by all
# of these that have an engine for it and by trace; cat files are named by tests (merge reads those of its manifest) and by models; only what hands
# files to workers has jobs, and compare its shards besides; lsp asks as place does, of texts it is sent. Each other pair is refused by name.
options_of_commands() {
    naming='check crosscheck explain place compare peers bless'
    asking="$naming refines"
    serving="$asking lsp"
    "$CRASHLIT" help --words >"$work/commands"
    serving_files=$(grep -vx lsp "$work/commands" | tr '\n' ' ')
    for command in $(cat "$work/commands"); do
        "$CRASHLIT" help "$command" >"$work/page.$command"
    done
    while read -r option value takers; do
        [ "$value" != - ] || value=
        while read -r command; do
            timeout 60 "$CRASHLIT" "$command" "--$option" ${value:+"$value"} --help >"$work/out" 2>"$work/err" </dev/null
            takes=1 listed=1 wanted=1
            grep -q "^crashlit: error: $command takes no --$option[:;]" "$work/err" || takes=0
            ! grep -q -e "^  \(-., \)\{0,1\}--$option\( \|$\)" "$work/page.$command" || listed=0
            case " $takers " in *" $command "* | ' every ') wanted=0 ;; esac
            [ "$takes $listed" = "$wanted $wanted" ]
            verdict $? "crashlit $command --$option: is it taken, and on the page? $takes $listed, expected $wanted (0 is yes)"
        done <"$work/commands"
    done <<END
model sc $naming lsp distinguish lattice mutate review hw
persistency epoch $naming lsp distinguish mutate review
under sc+epoch refines
map lin refines distinguish
uses sbrp $serving mutate trace review distinguish lattice generate hw
variant tso $serving distinguish lattice mutate generate models review hw
include tests $serving distinguish lattice mutate trace generate merge models cite map mappings review hw
allow-path tests $serving distinguish lattice mutate trace generate merge models cite map mappings list review hw
engine smt check bless crosscheck compare peers refines distinguish lattice mutate review hw
machine bpfs check bless crosscheck compare trace refines
fault no-stall check bless crosscheck compare trace refines
max-states 9 check bless crosscheck compare trace refines mutate
machine-threads 2 check bless crosscheck compare trace refines
no-reduction - check bless crosscheck compare refines
no-symmetry - check crosscheck compare refines
thresholds least check crosscheck compare refines
launch k<<<1,1>>>() check crosscheck explain hw
volatile weak check crosscheck explain
print-launch - check
crash end $serving mutate trace review
unroll 3 $serving mutate review
recovery-crash - $serving mutate review
rounds 3 $serving mutate review
decide - check crosscheck compare refines
states - check compare refines lesson
cases - explain
warn-wide - check
certify certificates check
certified - check
explain - check
fail-on-warnings - check report merge
fail-on-vacuous - check report merge
property race check crosscheck explain peers
condition 1 explain trace
state x=1 trace
narrow - place
repair - place
kinds p_barrier place
cheapest - place
weights a place
all - place distinguish
output a/ place generate distinguish hw
to ptx hw
device emulated hw
seed 3 hw
launches 3 hw
weak - hw
forget fences hw
comprehensive sc+epoch generate
name mine generate
bound events=3 generate distinguish lattice mutate review
vocabulary spb generate distinguish lattice mutate review
dialect PTX generate
shape MP generate
shape-from PodWW generate
size 4 generate
threads 2 generate
expect sc+none generate
total 3 place distinguish lattice
fail-under 80 mutate
models sc,tso compare
expected a.csv peers
defined - distinguish lattice
from 0:0:0 distinguish
format text check explain place trace compare refines distinguish lattice mutate generate report merge diff models machines version review list cite
jobs 2 check bless crosscheck explain trace refines generate distinguish lattice mutate review hw
timeout 3 $serving trace lesson generate distinguish lattice mutate review hw
timeout-cpu 3 check bless crosscheck explain trace compare peers mutate refines review
limits a check crosscheck explain trace refines bless mutate review
memory 900 $serving trace lesson generate distinguish lattice mutate list review hw
exercise f.litmus check explain
shard 1/2 check bless crosscheck explain trace compare refines distinguish lattice generate list
filter a check bless crosscheck explain trace compare refines merge list mutate review hw
exclude a check bless crosscheck explain trace compare refines merge list mutate review hw
unknown ok check refines report merge
known a.jsonl check refines report merge
gone a diff
quiet - check
dry-run - bless
layout screen check refines explain place compare distinguish lattice trace
executions none check refines explain
resume a.jsonl check distinguish lattice generate
frozen a.jsonl check
cache a check
manifest . merge
verbose - check crosscheck models machines mappings trace version list mutate
dump-ast - check crosscheck explain trace refines
dump-ir - check crosscheck explain refines
dump-exec - check crosscheck compare peers refines
color never every
messages json $serving_files
words - help
help - every
version - every
END
    "$CRASHLIT" --help | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' >"$work/named"
    [ "$(sort -u "$work/named" | wc -l)" -eq 94 ] && [ "$(wc -l <"$work/named")" -eq 94 ]
    verdict $? "the overview has these 94 options, each once"
}

# The command may stand behind options; help is of the command that is named.
words_in_any_order() {
    leaves 0 --timeout 60 explain -m sc "$insert" -p epoch
    out_has '^Test kv-insert, models sc + epoch$'
    leaves 0 --format json check -m sc -p epoch "$insert"
    out_lines '^{"schema":1' 1
    mkdir -p "$work/words"
    cp "$work/good.litmus" "$work/words/explain"
    program=$(cd "$(dirname "$CRASHLIT")" && pwd)/crashlit
    for words in "check --format herd explain" "--format herd ./explain" "--format herd -m sc -- explain"; do
        # shellcheck disable=SC2086
        (cd "$work/words" && "$program" $words) | grep -q '^Test good Allowed'
        verdict $? "crashlit $words reads a file that is called as a command"
    done
    (cd "$work/words" && "$program" -m sc explain explain) | grep -q '^Condition 1'
    verdict $? "behind the command it is a file, too"
    for page in "explain --help" "help explain" "--timeout 3 --help explain" "explain -h file"; do
        # shellcheck disable=SC2086
        leaves 0 $page
        out_has '^crashlit explain \[options\] FILE|DIR|@LIST \.\.\.$'
        out_has '^  --condition N  .*(1 to 1000000)$'
        out_has '^Exit status: 0 everything is explained, 3 some answer is unknown, 4 engines disagree; 2 '
        out_lines '--engine' 0
    done
    # Each row of the table of messages has a text of its own; of a beginning all, up to a '-'.
    leaves 0 help E-lit-lost E-machine
    out_has '^E-lit-lost$'
    out_has '^    .*crash condition names volatile memory'
    out_lines '^E-machine-' "$(grep -c '^DIAG' src/base/diag_machine.def)"
    leaves 0 help E
    out_lines '^E-' "$(cat src/base/diag_*.def | grep -c '^DIAG(')"
    leaves 0 --help "$insert"
    out_has '^  crashlit explain \[options\] FILE'
    leaves 0 version
    cp "$work/out" "$work/version"
    leaves 0 --version -v
    out_lines . 5
    out_has '^solver: [1-9]'
    out_lines '^commit: \([0-9a-f]\{40\}\|not known, .*\)$' 1
    out_lines '^sources: [0-9a-f]\{16\}$' 1
    head -1 "$work/out" | cmp -s - "$work/version"
    verdict $? "crashlit version is crashlit --version"
    # A runner's shards are of no concern to what has none.
    TEST_TOTAL_SHARDS=x TEST_SHARD_INDEX=9 timeout 60 "$CRASHLIT" models >/dev/null 2>&1
    verdict $? "models reads no shards of a runner"
}

# A library that is none stands for one that is not there: enumerations do without, and what needs
# the solver is in doubt. Every pair of kv-insert is decided by enum, so its status there is 0.
without_solver() {
    mkdir -p "$work/no-solver"
    for name in $(cd / && ls usr/lib/*/libz3.so.* usr/lib/libz3.so.* 2>/dev/null); do
        echo none >"$work/no-solver/${name##*/}"
    done
    LD_LIBRARY_PATH=$work/no-solver
    export LD_LIBRARY_PATH
    leaves 0 check "$insert"
    leaves 3 check --format herd -e smt "$insert"
    out_has '^Doubt the solver Z3 could not be loaded'
    leaves 0 explain --condition 1 "$insert"
    out_has "^Holds: no state .* it; it was not found why: the solver Z3 could not be loaded"
    leaves 3 check -e all -j 2 "$insert"
    leaves 0 --version
    leaves 0 --version -v
    out_has '^solver: none, what needs it is unknown: .*libz3'
    unset LD_LIBRARY_PATH
    leaves 0 check -e smt "$insert"
}

# One that is cut off, at its head or behind it, a pipe and a folder of its name: each is told, and none ends or holds the process.
broken_solver() {
    solver=$(cd / && ls usr/lib/*/libz3.so.* usr/lib/libz3.so.* 2>/dev/null | head -n 1)
    broken=$work/broken-solver/${solver##*/}
    [ -n "$solver" ] || return 0
    mkdir -p "$work/broken-solver"
    LD_LIBRARY_PATH=$work/nowhere:$work/broken-solver
    export LD_LIBRARY_PATH
    for size in 20 64 1000 1000000 pipe folder; do
        rm -rf "$broken"
        case $size in
        pipe) mkfifo "$broken" ;;
        folder) mkdir "$broken" ;;
        *) head -c "$size" "/$solver" >"$broken" ;;
        esac
        leaves 0 --version -v
        out_has '^solver: none, what needs it is unknown: .*libz3'
    done
    leaves 3 check --format herd -e smt "$insert"
    out_has '^Doubt the solver Z3 could not be loaded'
    rm -rf "$broken"
    unset LD_LIBRARY_PATH
}

write_tests
statuses
without_solver
broken_solver
options_of_commands
words_in_any_order
no_crash_points
one_violated
nothing_there
nothing_asked
no_conditions
closed_output
exercise_in_html
lessons
who_does_not_come
other_tests_go_on
odd_texts
odd_names
unread
inputs
shards
refining
model_sources
own_models
variants
own_coherence
joined_writes
told_of_joined
told_of_vacuous
told_of_meaning
products
a_line_each
colours
records
bounds_and_jobs
doubts
loops
limits
[ -n "${MEMORY_UNBOUNDED:-}" ] || exhausted
engines
crosschecks
cited
machines
compare_completes_names
streams
properties_without_an_answer
properties_compared
launches
apart_from_registers
an_option_that_stands_twice
a_trace_runs_on_the_machine_of_the_test
dumps
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
