#!/bin/sh
# narrow.sh: `crashlit place` as a command: what it is asked, what it says, and what it writes. Whether
# its answers are right is tests/corpus/place_verify.c's affair, and that of tests/unit.
set -u
mkdir -p "$WORK/narrow"
work=$(cd "$WORK/narrow" && pwd)
. tests/corpus/cases.sh

bare=litmus/spb/kv-insert-bare.litmus insert=litmus/spb/kv-insert.litmus

write_tests() {
    cat >"$work/holes.litmus" <<'END'
OPENCL holes
{ nvm x = 0; nvm y = 0; }
P0@wg 0 (global int* x, global int* y) { *x = 1;
  ?{ p_barrier(?s); }
  *y = 1; }
crash ~exists (y = 1 /\ x = 0)
END
    # The second condition asks for the state that the first one forbids.
    sed '$a crash exists (y = 1 /\\ x = 0)' "$work/holes.litmus" >"$work/clash.litmus"
    sed 's/?{ p_barrier(?s); }/p_barrier_wg;/' "$work/holes.litmus" >"$work/wide.litmus"
    cat >"$work/two.litmus" <<'END'
OPENCL two
"either barrier will do: of x and y as of x and z"
{ nvm x = 0; nvm y = 0; v = 0; }
P0@wg 0 (global int* x, global int* y, global int* v) {
  *x = 1;
  ?first{ p_barrier_wi; }
  *v = 1;
  ?second{ p_barrier_wg; }
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
}

# A persist barrier between x and y is needed (semantics.md), and one of the work-item will do.
holes() {
    leaves 0 place "$work/holes.litmus"
    out_has '^  line 4: there$'
    out_has '^  ?s: wi$'
    out_has '^    without it: .* is violated: .*y=1'
    out_has '^+  p_barrier(wi_scope);$'
    out_has '^Minimal fillings: 1, all there are$'
    leaves 1 place "$work/clash.litmus"
    out_has '^These cannot be met together:$'
    out_has '^No filling will do$'
    leaves 2 check "$work/holes.litmus"
    err_has 'crashlit place'
    leaves 2 place "$insert"
    err_has 'leaves nothing open: --narrow asks'
    # What no filling can have is a mistake; what can be there beside another is none: `s` is declared by the first.
    sed 's/?second{ p_barrier_wg; }/?second{ p_barrier_wg oops; }/' "$work/two.litmus" >"$work/oops.litmus"
    leaves 2 place "$work/oops.litmus"
    err_has "oops.litmus:.*: error: found 'oops'"
    sed 's/?second{ p_barrier_wg; }/?{ int s = 1; } ?{ *v = s; }/' "$work/two.litmus" >"$work/beside.litmus"
    leaves 0 place "$work/beside.litmus"
    # Nothing to narrow is an answer: one filling, which is the test.
    leaves 0 place --narrow -m hrf-direct -p strict "$bare"
    out_has '^No barrier, fence or atomic access could be otherwise$'
    out_has '^Filling 1: as it is, so nothing is to be changed$'
    out_has '^Minimal fillings: 1, all there are$'
    leaves 0 place --narrow -f sarif -m hrf-direct -p strict "$bare"
    out_lines '"ruleId"' 0
    for aim in narrow repair; do
        leaves 2 place --$aim "$work/holes.litmus"
        err_has "holes.litmus:4:3: error: found a hole, where --$aim expects .*: leave --$aim away"
    done
}

# Both barriers of the insert are needed under epoch, and neither under strict, which orders by program order.
narrow() {
    leaves 0 place --narrow -m sc -p epoch "$insert"
    out_has '^Filling 1: as it is, so nothing is to be changed$'
    out_lines 'p_barrier_wi is needed$' 2
    leaves 0 place --narrow -m sc -p strict "$insert"
    out_lines 'p_barrier_wi can be left out$' 2
    leaves 0 place --narrow -m hrf-direct -p epoch "$work/wide.litmus"
    out_has '^  line 4: p_barrier_wi suffices for p_barrier_wg$'
    # Violated as it is.
    leaves 1 place --narrow -m sc -p none "$insert"
    out_has '^Nothing is narrowed, as the test does not hold as it stands: .*violated'
    out_has '^  --repair asks what would mend it$'
}

# Pairs without an expectation of ok are those to be repaired: kv-insert-bare has eight; under strict it is ok.
repair() {
    leaves 0 place --repair "$bare"
    out_lines '^Test kv-insert-bare, models' 8
    out_lines '^  line 6: p_barrier_wi is added$' 8
    out_lines ' + strict$' 0
    leaves 0 place --repair --kinds p_barrier_wg -m sc -p epoch "$bare"
    out_has '^  line 6: p_barrier_wg is added$'
    # Each word between the commas has to be one; and where nothing is added there are no kinds.
    for kinds in '' ' ' 'fence,' ',fence' 'p_barrier,,fence'; do
        leaves 2 place --repair --kinds "$kinds" "$bare"
        err_has "kinds wants p_barrier, fence, barrier or statements, with commas between, found '$kinds'"
    done
    leaves 0 place --repair --kinds 'atomic_thread_fence(mo_sc, dev_scope), p_barrier_wi' -m sc -p epoch "$bare"
    leaves 2 place --narrow --kinds p_barrier "$work/wide.litmus"
    err_has 'narrow adds nothing: leave one away'
    leaves 2 place --kinds p_barrier "$work/holes.litmus"
    err_has 'kinds says what may stand in a ?slot, and there is none'
    leaves 2 place --repair --kinds 'p_barrier_wi, p_barrer_wg' -m sc -p epoch "$bare"
    err_has "names 'p_barrer_wg', which can stand nowhere: .*did you mean 'p_barrier_wg'"
}

# A statement weighs 1000 and what its scope does: 1 and 4. With these weights the wide one is the cheaper.
cheapest() {
    printf '# the other way round\nwi 100 # dear\nstatement 0\np_barrier_wg 3\n' >"$work/weights"
    leaves 0 place "$work/two.litmus"
    out_has '^Minimal fillings: 2, all'
    leaves 0 place --cheapest "$work/two.litmus"
    out_has '^Filling [12], weight 1001$'
    out_lines '^Filling' 1
    out_has '^1 more, which weigh more$'
    leaves 0 place --cheapest --weights "$work/weights" "$work/two.litmus"
    out_has '^Filling [12], weight 3$'
    out_has '^  ?second: there$'
    leaves 2 place --weights "$work/weights" "$work/two.litmus"
    err_has 'add --cheapest'
    printf 'wi\n' >"$work/weights"
    leaves 2 place --cheapest --weights "$work/weights" "$work/two.litmus"
    err_has 'weights:1:1: error: expected a word and its weight'
    leaves 2 place --narrow --repair "$insert"
    err_has 'leave one away'
    # wg and cta are one scope, in line 4 and line 2; no instruction is called sfense, but atomic_store is one.
    printf 'wg 1\n  cta 2\nsfense 3\np_barrier_wg 4\natomic_store 5\np_barrier_wg 6\n' >"$work/weights"
    leaves 2 place --cheapest --weights "$work/weights" "$work/two.litmus"
    err_has "weights:2:3: error: 'cta' is weighed a second time: line 1 says"
    err_has "weights:6:1: error: 'p_barrier_wg' is weighed a second time: line 4 says"
    printf 'sfense 3\np_barrier_wq 4\natomic_store 5\n' >"$work/weights"
    leaves 0 place --cheapest --weights "$work/weights" "$work/two.litmus"
    err_has "weights:1:1: warning: 'sfense' weighs nothing here: .*; did you mean 'fence'?"
    err_has "weights:2:1: warning: 'p_barrier_wq' weighs nothing here"
    ! grep -q atomic_store "$work/err"
    verdict $? "the name of an instruction that is not there is known"
}

# The printed difference, applied, makes of the files what -o writes. Changes far apart and close together, a line that
# is gone, one that is added, a last line without a line end that changes or stays; CR LF, also behind a byte order mark
# and with a last line without an end; a definition file; names
# with a blank, a quote, and beyond ASCII.
write_differences() { # folder
    mkdir -p "$1"
    awk 'BEGIN { print "OPENCL far\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\nP0 (global int* x, global int* y, global int* z) { p_barrier_wg;"
                 print "*x = 1;\np_barrier_wg;\n*y = 1;"
                 for (i = 0; i < 9; i++) print ""
                 print "p_barrier_wg;\n*z = 1;"
                 for (i = 0; i < 5; i++) print ""
                 printf "}\ncrash ~exists ((y = 1 /\\ x = 0) \\/ (z = 1 /\\ y = 0))" }' >"$1/far.litmus"
    cp "$bare" "$1/bare one.litmus"
    cp "$work/wide.litmus" "$1/$(printf 'w\303\251"\t.litmus')"
    printf 'OPENCL last\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1;\np_barrier_wg; } crash ~exists (x = 2)' >"$1/last.litmus"
    sed 's/$/\r/' "$bare" >"$1/cr.litmus"
    { printf '\357\273\277'; cat "$1/last.litmus"; } | awk 'NR > 1 { printf "\r\n" } { printf "%s", $0 }' >"$1/cr-last.litmus"
    cp "$work/open.litmus" "$work/open.def" "$1/"
}
applied() { # reader, option, file; in a folder of its own
    rm -rf "$work/again"
    write_differences "$work/again"
    cp -r "$work/again" "$work/patched"
    (
        cd "$work/again" || exit 1
        # shellcheck disable=SC2086
        "$program" place $2 -m hrf-direct -p epoch -o whole "$3" >difference || exit 1
        case $1 in
        patch) patch -s -p0 <difference ;;
        git) GIT_CEILING_DIRECTORIES=$work git apply -p0 difference ;;
        esac || exit 1
        for made in whole/*; do cmp "$made" "${made#whole/}" || exit 1; done
        changed=$3
        [ "$3" != open.litmus ] || changed=open.def
        # Its hunks are those of diff, which leaves out a count of 1.
        diff -u "../patched/$changed" "$changed" | sed '1,2d; /^@@/s/\([-+][0-9]*\) /\1,1 /g' >hunks
        awk '/^@@ / { inside = 1 } /^  confirmed by/ { inside = 0 } inside' difference | cmp - hunks || exit 1
        ! cmp -s "$changed" "../patched/$changed" && [ -e "whole/$changed" ]
    ) >"$work/out" 2>&1
    verdict $? "$1 makes of '$3' what place $2 -o writes"
    rm -rf "$work/again" "$work/patched"
}
differences() {
    program=$(cd "$(dirname "$CRASHLIT")" && pwd)/$(basename "$CRASHLIT")
    for reader in git patch; do
        applied $reader --narrow far.litmus
        applied $reader --repair 'bare one.litmus'
        applied $reader --narrow "$(printf 'w\303\251"\t.litmus')"
        applied $reader --narrow last.litmus
        applied $reader --repair cr.litmus
        applied $reader --narrow cr-last.litmus
        applied $reader '' open.litmus
    done
    # An editor that applies a fix of SARIF writes what it inserts as it stands.
    sed 's/$/\r/' "$bare" >"$work/cr.litmus"
    leaves 0 place --repair -m hrf-direct -p epoch --format sarif "$work/cr.litmus"
    out_has '"text":"  p_barrier_wi;\\u000d\\u000a"'
}

# What is written is what is printed, and a test that is ok.
written() {
    rm -rf "$work/folder"
    leaves 0 place -o "$work/folder" "$work/two.litmus"
    leaves 0 "$work/folder"
    out_has '^Summary: 2 as expected'
    leaves 0 place --narrow -o "$work/folder/" "$work/wide.litmus"
    grep -q '^  p_barrier_wi;$' "$work/folder/wide.litmus"
    verdict $? "a narrowed test is written"
    leaves 2 place --narrow -o "$work/wide.litmus/" "$work/wide.litmus"
    err_has 'cannot write into'
}

# Files get what is printed with the same format; none takes the place of an input.
formats_in_files() {
    for format in json sarif svg html; do
        leaves 0 place --narrow --format $format "$work/wide.litmus"
        cp "$work/out" "$work/printed"
        leaves 0 place --narrow --format $format="$work/file" "$work/wide.litmus"
        out_has '^Minimal fillings: '
        sed "s|=$work/file||" "$work/file" | cmp -s - "$work/printed" # but for the command line, which some have
        verdict $? "place --format $format=FILE writes what is printed"
    done
    cp "$work/wide.litmus" "$work/kept.litmus"
    leaves 2 place --narrow --format html="$work/kept.litmus" "$work/kept.litmus"
    err_has "kept.litmus': it is an input; nothing is written"
    cmp -s "$work/wide.litmus" "$work/kept.litmus"
    verdict $? "an input stays"
    leaves 2 place --narrow --format svg="$work/folder/" "$work/wide.litmus"
    err_has 'names a folder; place answers in one file'
}

# A filled test of an input's name, by whatever path: it stays, and so does all else in the folder.
inputs_stay() {
    mkdir -p "$work/inputs"
    cp "$work/two.litmus" "$work/inputs/two.litmus"
    for folder in "$work/inputs" "$work/inputs/../inputs/"; do
        leaves 2 place --all -o "$folder" "$work/inputs/two.litmus"
        err_has "two.litmus': it is an input; nothing is written"
    done
    cmp -s "$work/two.litmus" "$work/inputs/two.litmus" && [ "$(ls "$work/inputs")" = two.litmus ]
    verdict $? "an input and its folder stay"
}

# A row that is added stands on the line of the next one: which of two barriers alike is there depends on both
# choices, and thread scope suffices.
alike() {
    leaves 0 place --repair --all -m ptx -p buffered-epoch litmus/ptx/kv-bar-writer.litmus
    out_has '^Minimal fillings: [0-9]*, all there are$'
    out_has '^+.*| pbar.thread ;'
}

# 1000 slots: reading the values of each takes longer than there is, and their product is no number. The
# time is that of the whole, confirmation by every engine included.
wide() {
    awk 'BEGIN { print "OPENCL wide\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) {\n*x = 1;"
                 for (i = 0; i < 1000; i++) print "?slot;"
                 print "*y = 1;\n}\ncrash ~exists (y = 1 /\\ x = 0)" }' >"$work/slots.litmus"
    leaves 3 place --total 2 --timeout 1 -f json "$work/slots.litmus"
    python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["total"] is None' "$work/out"
    verdict $? "no number of fillings is null"
    # A crash point behind a loop that nobody ends: no filling has a crash state, and its reason is said once.
    printf 'OPENCL stuck\n{ nvm x = 0; atomic_int f = 0; }\nP0 { *x = 1; while (!f.load()); ?slot; crash; }\ncrash ~exists (x = 2)\n' >"$work/stuck.litmus"
    leaves 1 place -m sc -p epoch "$work/stuck.litmus"
    out_has '^  ~exists (x=2) is vacuous: no execution comes to where the crash may be'
    # Which limit ended it is said, and what raises it; nobody has to know of it beforehand.
    leaves 3 place --total 1 "$work/slots.litmus"
    out_has '^No filling found so far; the time of the whole question, 1 s, ran out (--total SECONDS gives it more)$'
    leaves 0 place --help
    grep -A 1 '^ *--total SECONDS' "$work/out" | grep -q '^ *(default 60)$'
    verdict $? "there is a limit if none is given"
    awk 'BEGIN { print "OPENCL words\n{ nvm x = 0; }\nP0 (global int* x) {\n?slot in {*x = 0"
                 for (i = 1; i < 100000; i++) print ", *x = " i
                 print "};\n}\ncrash exists (x = 1)" }' >"$work/words.litmus"
    leaves 2 place "$work/words.litmus"
    err_has 'found 100000 words in the limits of a hole, and 256 are the most'
}

json() {
    leaves 0 place --narrow -f json -m hrf-direct -p epoch "$work/wide.litmus"
    out_lines . 1
    python3 - "$work/out" <<'END'
import json, sys
answer = json.load(open(sys.argv[1]))
choice, = answer["choices"]
filling, = answer["fillings"]
assert choice["values"] == ["left out", "p_barrier_wi", "p_barrier_wg"] and choice["present"] == 2, choice
assert filling["values"] == [1] and filling["steps"][0]["value"] == 0, filling
assert filling["changes"][0]["before"] == "  p_barrier_wg;" and filling["changes"][0]["after"] == "  p_barrier_wi;"
assert answer["complete"] and answer["total"] == 3 and answer["minimal"] == 1
END
    verdict $? "the object has the answer"
}

# A fix applied as an editor does it, from the last place to the first, is what -o writes.
sarif() {
    cat >"$work/apply.py" <<'END'
import json, sys
run, = json.load(open(sys.argv[1]))["runs"]
result, = run["results"]
assert result["ruleId"] == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == sys.argv[2], result
change, = result["fixes"][0]["artifactChanges"]
text = open(change["artifactLocation"]["uri"].replace("file://", "")).read()
starts = [0]
for line in text.splitlines(True):
    starts.append(starts[-1] + len(line))
for replacement in reversed(change["replacements"]):
    region = replacement["deletedRegion"]
    begin = starts[region["startLine"] - 1] + region["startColumn"] - 1
    end = starts[region["endLine"] - 1] + region["endColumn"] - 1
    text = text[:begin] + replacement.get("insertedContent", {"text": ""})["text"] + text[end:]
sys.stdout.write(text)
END
    rm -rf "$work/fixed"
    for call in "wider-than-needed --narrow -m hrf-direct -p strict $work/wide.litmus" \
        "wider-than-needed --narrow -m hrf-direct -p epoch $work/wide.litmus" \
        "missing-order --repair -m sc -p epoch $bare" "left-open -m hrf-direct -p epoch $work/holes.litmus"; do
        rule=${call%% *}
        # shellcheck disable=SC2086
        leaves 0 place -f sarif -o "$work/fixed" ${call#* }
        python3 "$work/apply.py" "$work/out" "$rule" >"$work/applied"
        cmp -s "$work/applied" "$work/fixed/$(basename "${call##* }")"
        verdict $? "the fix of crashlit place ${call#* } makes what is written"
        case $call in *epoch*wide.litmus) cp "$work/applied" "$work/fixed/wide-epoch.litmus" ;; esac
    done
    leaves 0 place --narrow -f sarif -m sc -p epoch "$insert"
    out_lines '"ruleId"' 0
    leaves 1 place -f sarif "$work/clash.litmus"
    out_has '"ruleId":"no-filling"'
}

# Two files with one hole: the scope has to suit both, and in the second the work-items meet.
together() {
    cat >"$work/other.litmus" <<'END'
OPENCL other
{ nvm x = 0; nvm y = 0; }
P0@sg 0, wg 0 (global int* x) { *x = 1; sync_barrier_wg; p_barrier(?s); }
P1@sg 1, wg 0 (global int* y) { sync_barrier_wg; p_barrier(?s); *y = 1; }
crash ~exists (y = 1 /\ x = 0)
END
    leaves 0 place -m hrf-direct -p epoch "$work/holes.litmus" "$work/other.litmus"
    out_has '^  ?s: wg$'
    out_has "^--- $work/other.litmus\$"
}

# Definition files beside the test are found, and what is open in them is filled. Without the barrier, or with
# work-item scope for both in one, nothing is different: wi is the least scope.
definitions() {
    echo 'PERSIST { p_barrier_wi; }' >"$work/own.def"
    echo 'PERSIST { p_barrier(?s); }' >"$work/open.def"
    cat >"$work/own.litmus" <<'END'
OPENCL own
uses "own.def"
{ nvm data = 0; nvm flag = 0; }
P0 (global int* data, global int* flag) { *data = 1;
  ?{ PERSIST; }
  *flag = 1; }
crash ~exists (flag = 1 /\ data = 0)
END
    sed 's/own\.def/open.def/; s/?{ PERSIST; }/PERSIST;/' "$work/own.litmus" >"$work/open.litmus"
    leaves 0 place -m hrf-direct -p epoch "$work/own.litmus"
    out_has '^  line 5: there$'
    leaves 0 place -m hrf-direct -p epoch "$work/open.litmus"
    out_has '^  ?s: wi$'
    out_has "^--- $work/open.def\$"
    out_has '^+PERSIST { p_barrier(wi_scope); }$'
    # The file is written beside its test, and for a further pair both lie in a folder of their own.
    rm -rf "$work/definitions"
    { cat "$work/open.litmus"; echo 'expect hrf-direct + epoch : ok'; echo 'expect sc + epoch : ok'; } >"$work/pairs.litmus"
    leaves 0 place -o "$work/definitions" "$work/pairs.litmus"
    out_has "^  goes to $work/definitions/pairs.litmus, $work/definitions/open.def\$"
    out_has "^  goes to $work/definitions/2/pairs.litmus, $work/definitions/2/open.def\$"
    grep -q '^PERSIST { p_barrier(wi_scope); }$' "$work/definitions/open.def" &&
        cmp -s "$work/definitions/open.def" "$work/definitions/2/open.def"
    verdict $? "the definition file is written, filled"
    leaves 0 "$work/definitions/pairs.litmus" "$work/definitions/2/pairs.litmus"
    out_has '^Summary: 4 as expected, 0 otherwise'
    leaves 2 place -o "$work" "$work/pairs.litmus"
    err_has "open.def': it is an input; nothing is written"
    grep -q '?s' "$work/open.def" && [ ! -e "$work/2" ]
    verdict $? "the definition file that was read stays, and nothing else is written"
    # It is found below the folder that is written as it was below that of its test.
    mkdir -p "$work/below"
    cp "$work/open.def" "$work/below/deep.def"
    sed 's/open\.def/below\/deep.def/' "$work/open.litmus" >"$work/deep.litmus"
    leaves 0 place -m hrf-direct -p epoch -o "$work/deeply" "$work/deep.litmus"
    [ -f "$work/deeply/deep.litmus" ] && [ -f "$work/deeply/below/deep.def" ] && ! grep -q '[?]' "$work/deeply/below/deep.def"
    verdict $? "a definition file of a folder below is written there, filled"
    leaves 0 check -m hrf-direct -p epoch "$work/deeply/deep.litmus"
    # Beside a test of another folder it would not be found by that name.
    sed 's/open\.def/deep.def/; s/^OPENCL open$/OPENCL beside/' "$work/open.litmus" >"$work/below/beside.litmus"
    leaves 2 place -m hrf-direct -p epoch -o "$work/never" "$work/deep.litmus" "$work/below/beside.litmus"
    err_has "deep.def', which is changed, beside the tests, and a test names it with a folder"
    [ ! -e "$work/never" ]
    verdict $? "nothing is written where it would not be found"
}

# A recovery that goes to and fro: from some crash state it never completes (semantics.md).
messages() {
    cat >"$work/livelock.litmus" <<'END'
OPENCL livelock
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; ?{ p_barrier_wi; } *y = 1; }
recovery restartable (global int* x, global int* y) { int r = *x; while (r == 1) { r = *x; } *y = 2; }
recovered ~exists (y = 7)
END
    leaves 1 place -m hrf-direct -p epoch "$work/livelock.litmus"
    out_has 'is livelock: from some crash state recovery never completes$'
    # Every test of a question is named, and whose file is whose.
    rm -rf "$work/named"
    leaves 0 place -m hrf-direct -p epoch -o "$work/named" "$work/holes.litmus" "$work/other.litmus"
    out_has '^Tests holes and other, models hrf-direct + epoch$'
    out_has "^  goes to $work/named/holes.litmus, $work/named/other.litmus\$"
    leaves 0 place -f json -m hrf-direct -p epoch -o "$work/named/" "$work/holes.litmus" "$work/other.litmus"
    out_has '"tests":\["holes","other"\]'
    out_has '"written":\[".*/named/holes.litmus",".*/named/other.litmus"\]'
}

# Of p_barrier_wg in one work-item the work-item's scope is enough under epoch; under strict nothing is needed, which
# orders by program order. Of two barriers alike in effect one is enough: either.
warnings() {
    leaves 0 check --format herd --warn-wide -m hrf-direct -p epoch "$work/wide.litmus"
    out_has "^Warning .*/wide.litmus:4:3: p_barrier_wg at line 4 is wider than needed: p_barrier_wi suffices \[W-wider-than-needed\]\$"
    leaves 0 check --format herd --warn-wide -m hrf-direct -p strict "$work/wide.litmus"
    out_has "^Warning .*/wide.litmus:4:3: p_barrier_wg at line 4 is redundant: it can be left out \[W-redundant\]\$"
    leaves 0 check --format herd --warn-wide --fail-on-warnings -m sc -p epoch "$insert"
    out_lines '^\(Warning\|Doubt\|Remark\) ' 0
    leaves 1 check --warn-wide --fail-on-warnings -m hrf-direct -p epoch "$work/wide.litmus"
    sed 's/?first{ \(.*;\) }/\1/; s/?second{ \(.*;\) }/\1/' "$work/two.litmus" >"$work/both.litmus"
    leaves 0 check --format herd --warn-wide -m hrf-direct -p epoch "$work/both.litmus"
    out_has '^Remark this is one of 2 ways to need less: place --narrow shows all$'
    out_lines '^Warning ' 2
    # Other answers come first: violated, no condition, unknown.
    leaves 0 check --warn-wide -f json -m sc -p epoch "$bare" # as it is expected to be
    out_has '"warnings":\[\],"narrowest":{"asked":false,"reason":"the verdict is not ok"}'
    sed '/^crash/d' "$work/wide.litmus" >"$work/nothing.litmus"
    leaves 0 check --warn-wide -f json -m sc -p epoch "$work/nothing.litmus"
    out_has '"narrowest":{"asked":false,"reason":"there are no conditions"}'
    leaves 0 check -f json -m sc -p epoch "$work/wide.litmus"
    out_lines narrowest 0
    leaves 2 check --warn-wide -e machine -m hrf-direct -p epoch "$work/wide.litmus"
    err_has 'leave --engine machine away'
    # Each engine is asked, the warning is there once.
    leaves 0 check --format herd --warn-wide -e all -m hrf-direct -p epoch "$work/wide.litmus"
    out_lines '^Warning ' 1
    leaves 0 check --warn-wide -m hrf-direct -p epoch "$bare" "$work/wide.litmus" "$work/both.litmus" "$insert"
    cp "$work/out" "$work/alone"
    leaves 0 check --warn-wide -j 2 -m hrf-direct -p epoch "$bare" "$work/wide.litmus" "$work/both.litmus" "$insert"
    cmp -s "$work/out" "$work/alone"
    verdict $? "with two workers it is the same"
}

# A record of a run that did not ask is none of what is asked now; one that has the answer is, with its warnings.
warnings_resumed() {
    asked="-m hrf-direct -p epoch $work/wide.litmus"
    # shellcheck disable=SC2086
    "$CRASHLIT" check -f json $asked >"$work/plain.jsonl" && "$CRASHLIT" check --warn-wide -f json $asked >"$work/warned.jsonl"
    for call in "1 0 plain --warn-wide" "0 0 warned --warn-wide" "0 1 warned --warn-wide --fail-on-warnings" "0 0 warned"; do
        # shellcheck disable=SC2086
        set -- $call
        lines=$1 wanted_status=$2 file=$3
        shift 3
        # shellcheck disable=SC2086
        leaves "$wanted_status" check -f json --resume "$work/$file.jsonl" "$@" $asked
        out_lines . "$lines"
    done
}

# 100 barriers, each of which is needed: their number of narrower versions, each checked, is more than a second's work.
# What was not tried is no pass, and asked again by who takes the run up.
warnings_in_time() {
    awk 'BEGIN { n = 100; print "OPENCL many\n{ nvm x[" n "]; }\nP0 (global int* x) {"
                 for (i = 0; i < n; i++) print "x[" i "] = 1; p_barrier_dev;"
                 printf "}\ncrash ~exists (x[0] = 0 /\\ x[1] = 1"
                 for (i = 1; i < n - 1; i++) printf " \\/ x[" i "] = 0 /\\ x[" i + 1 "] = 1"
                 print ")" }' >"$work/many.litmus"
    leaves 0 check --format herd --decide --warn-wide --timeout 1 "$work/many.litmus"
    out_has '^Doubt whether less would do is not known: the time limit ran out$'
    out_has '^Verdict many ok, expected ok$'
    leaves 3 check --decide --warn-wide --fail-on-warnings --timeout 1 -f json "$work/many.litmus"
    out_has '"complete":false,"limit":"the time limit ran out"[,}]'
    cp "$work/out" "$work/many.jsonl"
    leaves 0 check --decide --warn-wide --timeout 1 -f json --resume "$work/many.jsonl" "$work/many.litmus"
    out_lines . 1
}

# A fix applied is a test that is ok and has no such warning; other documents have it as their remarks.
warnings_in_reports() {
    leaves 0 check --warn-wide -m hrf-direct -p epoch -f "sarif=$work/warned.sarif" -f "junit=$work/warned.xml" -f "html=$work/warned.html" \
        -f tap -f "svg=$work/warned.svg" "$work/wide.litmus"
    out_has '^# .*wide.litmus:4:3: p_barrier_wg at line 4 is wider than needed: p_barrier_wi suffices$'
    out_has '^ok 1 '
    mkdir -p "$work/mended"
    python3 "$work/apply.py" "$work/warned.sarif" wider-than-needed >"$work/mended/wide.litmus"
    cmp -s "$work/mended/wide.litmus" "$work/fixed/wide-epoch.litmus"
    verdict $? "the fix of the warning is what place makes"
    leaves 0 check --warn-wide --fail-on-warnings -m hrf-direct -p epoch "$work/mended/wide.litmus"
    for report in warned.xml warned.html warned.svg; do
        grep -q 'p_barrier_wg at line 4 is wider than needed' "$work/$report"
        verdict $? "$report has the warning"
    done
    { cat "$work/wide.litmus"; echo 'expect hrf-direct + epoch : ok'; } >"$work/expected.litmus"
    leaves 0 check --warn-wide -f sarif "$work/expected.litmus"
    grep -q '"ruleId":"wider-than-needed".*"level":"warning"' "$work/out" && ! grep -q suppressions "$work/out"
    verdict $? "an expectation of ok suppresses no warning"
}

# In front of `*b = 1`, and behind the meeting in P0, a barrier of the kernel: both are of kernel 0, which no header
# says. Or one of the work-item in front of the meeting. Work-groups apart bring nobody together, and neither does the
# device more than the kernel.
meetings() {
    cat >"$work/apart.litmus" <<'END'
OPENCL apart
{ nvm a = 0; nvm b = 0; }
P0@wg 0 (global int* a) { *a = 1;
  sync_barrier_kr; }
P1@wg 1 (global int* b) { sync_barrier_kr;
  *b = 1; }
crash ~exists (b = 1 /\ a = 0)
crash exists (b = 1)
END
    leaves 0 place --repair -m hrf-direct -p epoch "$work/apart.litmus"
    out_lines '^  line .*: p_barrier_kr is added$' 2
    out_has '^Minimal fillings: 2, all there are$'
    # Nothing, wi, wg or kr at each of six places.
    out_has ' of 4096 fillings checked'
    # Of one kernel each they meet at no scope but the device's, which is offered beside those of the headers.
    sed 's/@wg 0/@kr 0/; s/@wg 1/@kr 1/; s/sync_barrier_kr;//' "$work/apart.litmus" >"$work/kernels.litmus"
    leaves 0 place --repair -f json -m hrf-direct -p epoch "$work/kernels.litmus"
    out_has '"values":\["left out","p_barrier_wi","p_barrier_kr","p_barrier_dev"\]'
}

# Under lin-wpq a line is durable behind a write-back, an sfence, a pcommit, and an sfence (lin.cat's `posted`, and then
# `drained`): three statements between clwb(x) and the store to y, where one at each point is two too few. membar is an
# sfence besides. Under lin-adr the write-back and the sfence are enough.
several() {
    fences='sfence(), membar(), pcommit()'
    cat >"$work/posted.litmus" <<'END'
C posted
uses "lin.def"
{ nvm x = 0; nvm y = 0; }
P0 (int* x, int* y) {
  *x = 1;
  clwb(x);
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
    leaves 0 place --repair --kinds "$fences" -m sc -p lin-wpq "$work/posted.litmus"
    out_has '^  line 7: three statements are added: sfence(); pcommit(); sfence()$'
    out_has '^  line 7: three statements are added: membar(); pcommit(); membar()$'
    out_has '^    with sfence(); pcommit(): .* is violated: x=0, y=1$'
    out_has '^    with pcommit(); sfence(): .* is violated: x=0, y=1$'
    out_lines '^    with' 4
    out_has '^With one statement at each point none will do; with several:$'
    out_has '^Minimal fillings: 2, all there are$'
    # Each has a line of its own, in the difference and in what is written.
    out_has '^@@ -4,6 +4,9 @@$'
    out_lines '^+  sfence();$' 2
    out_lines '^+  pcommit();$' 2
    leaves 0 place --repair -o "$work/drained/" --kinds "$fences" -m sc -p lin-wpq "$work/posted.litmus"
    sed '/^  clwb/a\  sfence();\n  pcommit();\n  sfence();' "$work/posted.litmus" | cmp -s - "$work/drained/posted.litmus"
    verdict $? "what is written has the three statements"
    leaves 0 place --repair --kinds "$fences" -m sc -p lin-adr "$work/posted.litmus"
    out_has '^  line 7: sfence() is added$'
    out_lines 'several' 0
    # A statement weighs 1000, and three weigh 3000; or what the name weighs.
    leaves 0 place --repair --cheapest --kinds "$fences" -m sc -p lin-wpq "$work/posted.litmus"
    out_lines '^Filling [12], weight 3000$' 2
    printf 'sfence 5\npcommit 7\n' >"$work/weights"
    leaves 0 place --repair --cheapest --weights "$work/weights" --kinds "$fences" -m sc -p lin-wpq "$work/posted.litmus"
    out_has '^Filling 1, weight 17$'
    leaves 0 place --repair -f json --kinds "$fences" -m sc -p lin-wpq "$work/posted.litmus"
    out_has '"several":"minimal","minimal":2,"complete":true'
    # What writes x back is not there, and --kinds offers none.
    sed '/clwb/d' "$work/posted.litmus" >"$work/bare.litmus"
    leaves 1 place --repair --kinds 'sfence(), pcommit()' -m sc -p lin-wpq "$work/bare.litmus"
    out_has '^No filling will do, nor with several statements at one point$'
    leaves 1 place --repair -f json --kinds 'sfence(), pcommit()' -m sc -p lin-wpq "$work/bare.litmus"
    out_has '"several":"none","minimal":0'
    # W x po PB WI po W y: persist barriers are added where a model knows them, also beside a definition file's fences.
    leaves 0 place --repair -m sc -p epoch "$work/bare.litmus"
    out_has '^  line .*: p_barrier_wi is added$'
    # lin-adr.cat has no rule with PCOMMIT: no row has it. gpm-window.cat has one with GPM_PERSIST_BEGIN.
    leaves 1 place --repair --kinds 'sfence(), pcommit()' -m sc -p lin-adr "$work/bare.litmus"
    out_has '^No filling will do$'
    leaves 0 place --repair --kinds 'sfence(), pcommit()' -m sc -p lin-adr "$work/posted.litmus"
    sed 's/lin.def/gpm.def/; s/exists (y = 1 .*/exists (x = 1)/' "$work/bare.litmus" >"$work/begun.litmus"
    leaves 1 place --repair --kinds 'gpm_persist_begin(), gpm_persist()' -m sc -p gpm-window "$work/begun.litmus"
    out_has '^No filling will do, nor with several statements at one point$'
    # Of one kind, or of kinds one of which is the wider one, there is no row.
    leaves 1 place --repair --kinds "sfence()" -m sc -p lin-wpq "$work/posted.litmus"
    out_has '^No filling will do$'
    # A row of a table for each.
    cat >"$work/table.litmus" <<'END'
PTX table
uses "lin.def"
{ nvm x = 0; nvm y = 0; }
 P0@cta 0       | P1@cta 0      ;
 st.weak x, 1   | ld.weak r0, y ;
 clwb x         |               ;
 st.weak y, 1   |               ;
crash ~exists (y = 1 /\ x = 0)
END
    leaves 0 place --repair --kinds 'sfence, pcommit' -o "$work/drained/" -m ptx -p lin-wpq "$work/table.litmus"
    out_has '^  line 7:2: three statements are added: sfence; pcommit; sfence$'
    out_lines '^+ sfence | ;$' 2
    out_has '^Minimal fillings: 1, all there are$'
    leaves 0 check -m ptx -p lin-wpq "$work/drained/table.litmus"
}

# Too many fillings to go through, and two changes that will do: each block's store has to be durable before the ticket that says so,
# and under gpm a fence of the system alone makes it. One of the two changed leaves the other block's store (the first two lines of reasons).
few_changes() {
    { printf 'OPENCL two\nuses "cuda.def"\n{ nvm a = 0; nvm b = 0; nvm head = 0; ticket = 0; }\n'
        for block in 0 1; do
            printf 'P%d@wg %d (global int* a, global int* b, global int* ticket, global int* head) {\n' $block $block
            printf '  int s = atomicAdd(ticket, 1);\n  *%s = 5;\n  __threadfence();\n' "$(echo a b | cut -d' ' -f$((block + 1)))"
            printf '  while (atomicAdd(head, 0) != s);\n  atomicExch(head, s + 1);\n}\n'
        done
        echo 'crash ~exists (head = 2 /\ (a = 0 \/ b = 0))'; } >"$work/tickets.litmus"
    # Some seconds do, and all fillings take hours: a slow machine has more.
    for total in 5 50 500; do
        leaves 3 place --repair --total "$total" "$work/tickets.litmus"
        grep -q '^  confirmed by enum and smt$' "$work/out" && break
    done
    out_has '^  line 7: __threadfence_system() in place of __threadfence()$'
    out_has '^  line 14: __threadfence_system() in place of __threadfence()$'
    out_has '^  confirmed by enum and smt$'
    out_has "^Minimal fillings: 1 so far, and none has fewer changes; the time of the whole question, $total s, ran out "
}

# Of five and five barriers of the kernel, with stores between, each way to have as many in P0 as in P1 has an execution of
# its own in which x is durable: (10 over 5) = 252 questions, where 1024 are the fillings. Those with more in one of them
# have no execution that ends. P1's barriers in a branch that is not taken are none, and those in a loop are two.
rendezvous() {
    for number in 1 2 3 4 5; do echo "  ?{ p_barrier_kr; } *v = $number;"; done >"$work/places"
    { printf 'OPENCL met\n{ nvm x = 0; nvm y = 0; v = 0; w = 0; }\nP0@wg 0 (global int* x, global int* v) {\n  *x = 1;\n'
        cat "$work/places"
        printf '}\nP1@wg 1 (global int* y, global int* w) {\n'
        sed 's/v = /w = /' "$work/places"
        printf '  *y = 1;\n}\ncrash ~exists (x = 1)\ncrash exists (y = 1)\n'; } >"$work/met.litmus"
    leaves 1 place -m hrf-direct -p epoch "$work/met.litmus"
    out_has '^252 of 1024 fillings checked'
    cat >"$work/twice.litmus" <<'END'
OPENCL twice
{ nvm x = 0; nvm y = 0; }
P0@wg 0 (global int* x) {
  *x = 1;
  ?{ sync_barrier_kr; }
  ?{ sync_barrier_kr; }
}
P1@wg 1 (global int* y) { for (int i = 0; i < 2; i++) { sync_barrier_kr; } }
crash exists (x = 1)
END
    leaves 0 place -m hrf-direct -p epoch "$work/twice.litmus"
    out_lines '^  line [56]: there$' 2
    sed 's/for (.*i++)/if (*y)/' "$work/twice.litmus" >"$work/never.litmus"
    leaves 0 place -m hrf-direct -p epoch "$work/never.litmus"
    out_lines '^  line [56]: left out$' 2
    # Two that stand there, and one at most: no filling is in balance, and one is asked about for the reason.
    sed 's/^P0.*/P0@wg 0 (global int* x) {/; s/ for (.*$/ sync_barrier_kr; *y = 1; sync_barrier_kr; }/; 6d' "$work/twice.litmus" >"$work/missed.litmus"
    leaves 1 place -m hrf-direct -p epoch "$work/missed.litmus"
    out_has '^  undefined: barrier-divergence: P1 waits in B KR at line 7 and P0 never arrives$'
    out_has '^1 of 2 fillings checked'
}

# The order of a spin lock is needed as it is: P1's copy is older otherwise. When there is no time to look for less, the
# test is not said to have no filling.
no_time() {
    leaves 0 place --narrow -m hrf-direct -p epoch litmus/locks/cas-4.litmus
    out_has '^Minimal fillings: 1, all there are$'
    leaves 3 place --narrow --total 0.001 -m hrf-direct -p epoch litmus/locks/cas-4.litmus
    out_has '^Nothing is changed, as it is not known whether the test holds as it stands: .*the time of the whole question, 0.001 s, ran out\|^No smaller filling found so far, and as it is the test will do'
}

# Whatever one writes does where nothing is asked: that is no answer, in no format. What is undefined is asked of each
# test: two work-items write x unordered (hrf: a race), which an order or a barrier between them mends.
nothing_asked() {
    for name in holes wide; do grep -v '^crash' "$work/$name.litmus" >"$work/unasked-$name.litmus"; done
    says='as it is not known whether the test holds as it stands: .*there are no conditions'
    leaves 3 place "$work/unasked-holes.litmus"
    out_has "$says"
    for aim in narrow repair; do
        leaves 3 place --$aim "$work/unasked-wide.litmus"
        out_has "$says"
        out_lines '^Filling\|^[+-]' 0
        leaves 3 place --$aim -f json "$work/unasked-wide.litmus"
        out_has '"as_it_is":{"reason":"unknown".*"words":"there are no conditions.*"fillings":\[\]'
        leaves 3 place --$aim -f sarif "$work/unasked-wide.litmus"
        out_has '"kind":"open","level":"none".*there are no conditions'
        leaves 3 place --$aim -f html="$work/unasked.html" "$work/unasked-wide.litmus"
        grep -q 'there are no conditions' "$work/unasked.html"
        verdict $? "the page of place --$aim says that nothing is asked"
    done
    # A condition of another file is one.
    leaves 0 place --narrow "$work/wide.litmus" "$work/unasked-wide.litmus"
    printf 'OPENCL racing\n{ x = 0; atomic_int f = 0; }\nP0 (global int* x, global atomic_int* f) { *x = 1; f.store(1, mo_rlx, wg_scope); }\n%s\n' \
        'P1 (global int* x, global atomic_int* f) { int r = f.load(mo_rlx, wg_scope); if (r == 1) { *x = 2; } }' >"$work/racing.litmus"
    leaves 0 place --repair "$work/racing.litmus"
    out_has '^Filling 1$'
    # What a repair has to remove besides is said before the search, of this test alone.
    err_has 'racing.litmus: undefined as it stands under hrf-direct + epoch: race: W x (P0, line 3) and W x (P1, line 4)\. '
    leaves 0 place --repair -m sc -p epoch "$bare"
    [ ! -s "$work/err" ]
    verdict $? "and nothing of one that does not"
    leaves 1 place --narrow "$work/racing.litmus"
    out_has 'as the test does not hold as it stands: undefined: race'
}

# A kernel's file is a file of the sketch. That the fence in front of the barrier is the only repair: nothing else stands
# behind the other thread's key, on the way to the barrier, and only a fence of scope sys persists (semantics.md).
kernels() {
    cuda=litmus/cuda
    leaves 0 place --repair --kinds '__threadfence(),__threadfence_system()' -m ptx -p gpm $cuda/btree-visible.litmus
    out_has '^  btree.cu:26, in front of bar.sync: __threadfence_system() is added$'
    out_has '^    with __threadfence(): .* is violated: '
    out_has '^+.membar.sys;$'
    out_has '^Minimal fillings: 1, all there are$'
    leaves 0 place --repair --kinds '__threadfence_system()' -f json -m ptx -p gpm $cuda/btree-visible.litmus
    out_has '"places":\[{"file":"litmus/cuda/btree.cu","line":26,"column":3}\]'
    leaves 0 place --repair --kinds '__threadfence_system()' -f sarif -m ptx -p gpm $cuda/btree-visible.litmus
    out_has '"uri":"litmus/cuda/btree.cu","uriBaseId":"%SRCROOT%"},"region":{"startLine":26,"startColumn":3}'
    # What is written is what was checked.
    leaves 0 place --repair --kinds '__threadfence_system()' -m ptx -p gpm -o "$work/mended/" $cuda/btree-visible.litmus
    leaves 1 check -m ptx -p gpm "$work/mended/btree-visible.litmus" # its line expects what it was
    out_has '^Holds: '
    leaves 0 place --narrow -m ptx -p gpm $cuda/btree-clang.litmus
    out_has '^  btree.cu:12: __threadfence_system() is needed$'
    out_has '^  btree.cu:16: __threadfence_system() is needed$'
    # By the index of a thread that there is not.
    { printf '.version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .pred %%p<2>;\n.reg .b32 %%r<4>;\n'
      printf '.reg .b64 %%d<4>;\nld.param.u64 %%d1, [a];\nmov.u32 %%r1, %%tid.x;\nsetp.eq.s32 %%p1, %%r1, 5;\n'
      printf 'st.global.u32 [%%d1], 1;\nmembar.gl;\n@%%p1 membar.sys;\nst.global.u32 [%%d1+4], 1;\nret;\n}\n'; } >"$work/none.ptx"
    printf 'CUDA none\ncode "none.ptx"\n{ nvm uint x[2]; }\nhost { k<<<1, 2>>>(x); }\nfinal forall (x[0] = 1)\n' >"$work/none.litmus"
    leaves 0 place --narrow -m ptx -p gpm "$work/none.litmus"
    out_has '^  none.ptx:13: __threadfence() can be left out$'
    out_has '^Not reached by a thread of this test: none.ptx:14, membar.sys$'
    # Under the guard of what it stands in front of; the fence of the device is refused.
    { printf '.version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .pred %%p<2>;\n.reg .b32 %%r<4>;\n'
      printf '.reg .b64 %%d<4>;\nld.param.u64 %%d1, [a];\nmov.u32 %%r1, %%tid.x;\nsetp.eq.s32 %%p1, %%r1, 0;\n'
      printf '@%%p1 st.global.u32 [%%d1], 1;\n@%%p1 st.global.u32 [%%d1+4], 1;\nret;\n}\n'; } >"$work/guard.ptx"
    printf 'CUDA guard\ncode "guard.ptx"\n{ nvm uint x[2]; }\nhost { k<<<1, 2>>>(x); }\ncrash ~exists (x[1] = 1 /\\ x[0] = 0)\n' >"$work/guard.litmus"
    leaves 0 place --repair -m ptx -p gpm "$work/guard.litmus"
    out_has '^  guard.ptx:13, in front of st.global.u32: __threadfence_system() is added$'
    out_has '^+@%p1 membar.sys;$'
    # Two stores of one line: a fence stands between them only if one is in front of each.
    { printf '.version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %%d<4>;\n'
      printf 'ld.param.u64 %%d1, [a];\n.loc 1 2 5\nst.global.u32 [%%d1], 1;\nst.global.u32 [%%d1+4], 1;\nret;\n}\n.file 1 "line.cu"\n'; } >"$work/line.ptx"
    printf 'CUDA line\ncode "line.ptx"\n{ nvm uint x[2]; }\nhost { k<<<1, 1>>>(x); }\ncrash ~exists (x[1] = 1 /\\ x[0] = 0)\n' >"$work/line.litmus"
    leaves 0 place --repair -m ptx -p gpm "$work/line.litmus"
    out_has '^  line.cu:2, in front of all 2 st.global.u32 of it: __threadfence_system() is added$'
    # One file by two paths is changed once for both tests.
    leaves 0 place --repair -m ptx -p gpm "$work/line.litmus" "$work/./line.litmus"
    out_has '^  line.cu:2, in front of all 2 st.global.u32 of it: __threadfence_system() is added$'
    # A marker stands in front of the guard, as it has none.
    leaves 0 place --repair -m ptx -p epoch "$work/guard.litmus"
    out_has '^  guard.ptx:13, in front of st.global.u32: CRASHLIT("pbarrier.thread") is added$'
    # Of a model with persist barriers, those; a marker that stands there may go.
    leaves 0 place --repair -m ptx -p epoch $cuda/marked-thread.litmus
    out_has '^  marked.cu:22, in front of bar.sync: CRASHLIT("pbarrier.thread") is added$'
    leaves 0 place --narrow $cuda/marked-flush.litmus
    out_has '^  marked.cu:31: CRASHLIT("clwb \[%rd1\]") is needed$'
    # At the store that the state lacks, with the launch beside it.
    leaves 0 check -f sarif -m ptx -p gpm $cuda/btree-visible.litmus
    out_has '"uri":"litmus/cuda/btree.cu","uriBaseId":"%SRCROOT%"},"region":{"startLine":25,"startColumn":3}'
    out_has '"message":{"text":"launched here"}'
    # A fault without a place of the source has that in the PTX, and says what it is: x is 0.
    { sed -n 1,6p "$work/line.ptx"; printf 'ld.param.u64 %%d1, [a];\nld.global.u64 %%d2, [%%d1];\ndiv.u64 %%d3, %%d1, %%d2;\nret;\n}\n'; } >"$work/divides.ptx"
    printf 'CUDA divides\ncode "divides.ptx"\n{ ulong x; }\nhost { k<<<1, 1>>>(&x); }\nproperty bounds;\n' >"$work/divides.litmus"
    leaves 1 check --format herd -m ptx -p gpm "$work/divides.litmus"
    out_has "Undefined .*: P0's division by zero (divides.ptx:9) at line 4"
    leaves 0 check --format herd litmus/cuda/far-asked.litmus
    out_has "P0's access out of bounds (memory.ptx:[0-9]*) at line 5"
    # A file that the compiler names from the root on is seen from the working directory, if it is below; dots go.
    program=$(cd "$(dirname "$CRASHLIT")" && pwd)/crashlit
    mkdir -p "$work/deep"
    real=$(cd "$work" && pwd -P)
    for at in "$real/deep/../src/line.cu src/line.cu" ".././src/line.cu src/line.cu" "/elsewhere/line.cu file:///elsewhere/line.cu" \
        "$real-other/line.cu file://$real-other/line.cu"; do
        sed "s:\"line.cu\":\"${at% *}\":" "$work/line.ptx" >"$work/deep/line.ptx"
        cp "$work/line.litmus" "$work/deep/"
        (cd "$work" && timeout 60 "$program" check -f sarif -m ptx -p gpm deep/line.litmus) >"$work/out" 2>"$work/err" </dev/null
        out_has "\"locations\":\[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"${at#* }\"\(,\"uriBaseId\":\"%SRCROOT%\"\)\{0,1\}},\"region\":{\"startLine\":2,"
    done
    # Code of a folder below is written below, so that the test finds it there.
    mkdir -p "$work/code/ptx"
    cp $cuda/btree.ptx "$work/code/ptx/"
    sed 's:code "btree:code "ptx/btree:' $cuda/btree-visible.litmus >"$work/code/t.litmus"
    leaves 0 place --repair --kinds '__threadfence_system()' -m ptx -p gpm -o "$work/coded/" "$work/code/t.litmus"
    leaves 1 check -m ptx -p gpm "$work/coded/t.litmus" # its line expects what it was
    out_has '^Holds: '
    # The source calls a function, of which nvcc tells the name.
    leaves 0 place --narrow -m ptx -p gpm $cuda/btree.litmus
    out_has '^  btree.cu:17: atomicAdd_block() suffices for atomicAdd()$'
    # A property is a condition: the writer's fence has to speak for the other block (flag.cu), and a bare key needs a barrier.
    leaves 0 place --repair --kinds '__threadfence()' $cuda/faults-block.litmus
    out_has '^  flag.cu:21: __threadfence() in place of __threadfence_block()$'
    out_has '^    with __threadfence_block(): race is violated: race: W data (flag.cu:20) '
    leaves 0 place --repair litmus/properties/robust-recovery.litmus
    out_has '^  line 4:45: p_barrier_wi is added$'
    out_has '^    without it: robust is violated: x=0, y=1$'
    # What is undefined has its place, too: the barrier that the other thread does not come to.
    leaves 0 check -f json $cuda/part-asked.litmus
    out_has '"line":5,"access":"B WG (moves.ptx:68)","code":{"file":"litmus/cuda/hand/moves.ptx","line":68,'
    leaves 0 explain -f json -m ptx -p gpm $cuda/btree-visible.litmus
    out_has '"source":{"file":"litmus/cuda/btree.cu","line":25,"column":3,"inlined":\[\]},"code":{"file":"litmus/cuda/btree.ptx",'
    out_has '"inlined":\[{"function":"atomicAdd","file":"litmus/cuda/include/device_atomic_functions.hpp"'
    leaves 0 explain -f sarif -m ptx -p gpm $cuda/btree-visible.litmus
    out_has '"fixes":.*"uri":"litmus/cuda/btree.ptx"'
    leaves 0 explain -m ptx -p gpm $cuda/btree-visible.litmus
    out_has "between them stands P[02]'s __threadfence_system() (btree.cu:29) at line 6, which does not order them"
    out_has '^  btree.cu:26, in front of bar.sync: __threadfence_system() is added$'
}

write_tests
holes
kernels
nothing_asked
meetings
several
few_changes
rendezvous
no_time
definitions
narrow
repair
cheapest
differences
written
formats_in_files
inputs_stay
alike
wide
json
sarif
together
messages
warnings
warnings_resumed
warnings_in_time
warnings_in_reports
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
