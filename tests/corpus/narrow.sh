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
    leaves 2 place --narrow "$bare"
    err_has 'could be otherwise'
    leaves 2 place --narrow "$work/holes.litmus"
    err_has 'found a hole'
}

# Both barriers of the insert are needed under epoch, and neither under strict, which orders by program order.
narrow() {
    leaves 0 place --narrow -m sc -p epoch "$insert"
    out_has '^Filling 1: as it is$'
    out_lines 'p_barrier_wi is needed$' 2
    leaves 0 place --narrow -m sc -p strict "$insert"
    out_lines 'p_barrier_wi can be left out$' 2
    leaves 0 place --narrow -m hrf-direct -p epoch "$work/wide.litmus"
    out_has '^  line 4: p_barrier_wi suffices for p_barrier_wg$'
    # Violated as it is.
    leaves 1 place --narrow -m sc -p none "$insert"
    out_has '^Nothing is narrowed, as it does not do as it is: .*violated'
}

# Pairs without an expectation of ok are those to be repaired: kv-insert-bare has eight; under strict it is ok.
repair() {
    leaves 0 place --repair "$bare"
    out_lines '^Test kv-insert-bare, models' 8
    out_lines '^  line 6: p_barrier_wi is added$' 8
    out_lines ' + strict$' 0
    leaves 0 place --repair --kinds p_barrier_wg -m sc -p epoch "$bare"
    out_has '^  line 6: p_barrier_wg is added$'
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
    leaves 2 place -m hrf-direct -p epoch -o "$work/never" "$work/open.litmus"
    grep -q "'$work/open.def' has holes too" "$work/err" && [ ! -e "$work/never" ]
    verdict $? "a test whose definition file is open is not written"
}

write_tests
holes
definitions
narrow
repair
cheapest
written
inputs_stay
alike
wide
json
sarif
together
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
