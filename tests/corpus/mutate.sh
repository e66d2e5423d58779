#!/bin/sh
# mutate.sh: `crashlit mutate`: mutants of small models and machines, counted and judged by hand; what is not known; JSON.
set -u
rm -rf "$WORK/mutate"
mkdir -p "$WORK/mutate"
work=$(cd "$WORK/mutate" && pwd)
python=${PYTHON:-python3}
. tests/corpus/cases.sh

cat >"$work/tiny.cat" <<'END'
tiny "writes are durable in a work-item's order, and a persist barrier stalls it"
let first = po
let persist-before = first | rf      // only pairs of writes count, and rf has none
let durable-before = [W]; po; [PB]   (* only writes are durable, so [W] is spare *)
let spare = co
acyclic co as coherent               (* co is an order as it is *)
END
cat >"$work/two.litmus" <<'END'
OPENCL two
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; *y = 1; }
crash ~exists (x = 0 /\ y = 1)
END
cat >"$work/stall.litmus" <<'END'
OPENCL stall
{ nvm x = 0; }
P0 (global int* x) { *x = 1; p_barrier(wi_scope); int ended = 1; }
crash ~exists (x = 0 /\ 0:ended = 1)
END
cat >"$work/free.litmus" <<'END'
OPENCL free
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; int r = *y; }
crash exists (x = 0 /\ 0:r = 0)
END

fate() { # place, rule, change, fate
    grep '"fate":"'"$4" "$work/out" | grep -F '"line":'"${1%:*}"',"column":'"${1#*:}"',' | grep -F '"rule":"'"$2" | grep -qF '"change":"'"$3"
    verdict $? "$1 $2 $3 is $4"
}

# Eleven: `first` empty; persist-before empty, or without either operand; durable-before the same, with three operands;
# spare empty; the check gone, or of cycles of one event.
#   Nothing orders x and y without `first`: three killed by `two`. No test has a barrier, so nothing of the stall is
#   noticed, unless [W] goes, which says nothing: three alive. The others are the model.
#   To see a write that is not durable behind its barrier, or one that is waited for by what follows it, takes two
#   operations.
told() {
    leaves 1 mutate -m sc --format json "$work/tiny.cat" "$work/two.litmus"
    out_lines '"mutant":[0-9]' 11
    fate 2:13 first "'po' becomes 0" killed
    fate 3:22 persist-before "'first | rf' becomes 0" killed
    fate 3:22 persist-before "without 'first |'" killed
    fate 3:30 persist-before "without '| rf'" equal
    fate 4:22 durable-before "'[W]; po; [PB]' becomes 0" alive
    fate 4:22 durable-before "without '[W] ;'" equal
    fate 4:27 durable-before "without '; po'" alive
    fate 4:31 durable-before "without '; [PB]'" alive
    fate 5:13 spare "'co' becomes 0" equal
    fate 6:1 coherent "without 'acyclic co as coherent'" equal
    fate 6:1 coherent "'acyclic' becomes 'irreflexive'" equal
    out_lines '"allowed_by":"mutant","operations":2,' 2
    out_lines '"allowed_by":"model","operations":2,' 1
    out_lines '"killed_by":{"test":"two","file":"[^"]*two.litmus","model":"ok","mutant":"violated"}' 3
    out_lines '"line":[0-9]*,"covered":"yes","killed":[12],"alive":0,"equal":[01],' 2
    out_has '"line":4,"covered":"no","killed":0,"alive":3,"equal":1,"unknown":0,"version":"'
    out_lines '"covered":"equal"' 2
    out_has '"mutants":11,"killed":3,"alive":3,"equal":5,"unknown":0,"score":50.0,"fail_under":100,"reached":"no","broken":0,"tests":1,"verdicts":1'
    conform
}

# `stall` has the barrier, and `free` a read that waits for nothing: all is killed that can be.
all_killed() {
    leaves 0 mutate -m sc "$work/tiny.cat" "$work/two.litmus" "$work/stall.litmus" "$work/free.litmus"
    out_has '^Summary: 11 mutants: 6 killed, 0 alive, 5 equal up to the bound, 0 unknown; score 100.0 %$'
    out_has '^+  3 of  3     4  let durable-before'
    out_lines '^Alive' 0
    leaves 1 mutate -m sc "$work/tiny.cat" "$work/two.litmus" "$work/free.litmus" --fail-under 67
    leaves 0 mutate -m sc "$work/tiny.cat" "$work/two.litmus" "$work/free.litmus" --fail-under 66
    out_has '; score 66.6 %$'
    # The test that is printed kills what it was printed for.
    awk '/^OPENCL tiny-mutant-5$/ { on = 1 } /^Alive|^Equal/ { on = 0 } on' "$work/out" >"$work/added.litmus"
    leaves 0 mutate -m sc "$work/tiny.cat" "$work/two.litmus" "$work/free.litmus" "$work/added.litmus"
}

conform_lines() {
    while read -r line; do
        printf '%s\n' "$line" >"$work/line.json"
        "$python" -W ignore -m jsonschema -i "$work/line.json" tests/schemas/mutate.schema.json >/dev/null 2>&1
        verdict $? "a line conforms to the schema: $line"
    done <"$work/out"
}

# What a name says that is none of a model or a machine, and limits of single tests and of machines.
names_and_limits() {
    leaves 2 mutate noext "$work/two.litmus"
    err_has "no built-in model or machine 'noext'; .* ends in .cat or .machine"
    leaves 2 mutate epcoh "$work/two.litmus"
    err_has "did you mean 'epoch'?"
    # Of two tests that kill alone the same three mutants one has no time: the other is answered, and what it
    # does not kill is not known.
    cp "$work/two.litmus" "$work/slow.litmus"
    printf 'timeout 0.000001 slow.litmus\n' >"$work/limits"
    leaves 3 mutate -m sc --limits "$work/limits" --fail-under 50 "$work/tiny.cat" "$work/slow.litmus"
    out_has "the verdict of .*slow.litmus under sc + .*tiny.cat is not known$"
    out_has '^Summary: 11 mutants: 0 killed, '
    leaves 3 mutate -m sc --limits "$work/limits" "$work/tiny.cat" "$work/slow.litmus" "$work/two.litmus"
    out_has '^Summary: 11 mutants: 3 killed, '
    leaves 2 mutate -m sc --limits "$work/none" "$work/tiny.cat" "$work/two.litmus"
    leaves 2 mutate -m sc --max-states 9 "$work/tiny.cat" "$work/two.litmus"
    err_has "'.*tiny.cat' is a model: leave it away"
}

# Each line of JSON conforms to the schema, and none that is spoilt.
conform() {
    conforming=0
    while read -r line; do
        printf '%s\n' "$line" >"$work/line.json"
        "$python" -W ignore -m jsonschema -i "$work/line.json" tests/schemas/mutate.schema.json >/dev/null 2>&1 &&
            conforming=$((conforming + 1))
    done <"$work/out"
    [ "$conforming" -eq "$(wc -l <"$work/out")" ] && [ "$conforming" -gt 11 ]
    verdict $? "all lines of JSON conform to the schema"
    sed 's/"fate":"alive"/"fate":"dead"/' "$work/out" | grep '"dead"' | head -n 1 >"$work/line.json"
    ! "$python" -W ignore -m jsonschema -i "$work/line.json" tests/schemas/mutate.schema.json >/dev/null 2>&1
    verdict $? "a fate that is none does not"
}

# A limit is never an answer: no verdict is known, so each mutant whose rules differ is unknown. 0 % may be the score.
limited() {
    leaves 3 mutate -m sc --timeout 0.000001 "$work/tiny.cat" "$work/two.litmus"
    out_has '^Summary: 11 mutants: 0 killed, 0 alive, 1 equal up to the bound, 10 unknown; score 0.0 %$'
    out_has "first: 'po' becomes 0; the verdict of .*two.litmus under sc + .*tiny.cat is not known$"
    leaves 0 mutate -m sc --timeout 0.000001 --fail-under 0 "$work/tiny.cat" "$work/two.litmus"
    # Nobody's program has this instruction, so that nothing was found is no answer. Six: empty, and less an operand. Less
    # the instruction itself, whatever stands between two writes orders them: three operations.
    printf 'Own "a fence"\ninstructions F[%s]\nlet persist-before = [W]; po; [KEEPS]; po; [W]\n' "'keeps" >"$work/keeps.cat"
    leaves 1 mutate -m sc --vocabulary spb --bound events=2,barriers=1 "$work/keeps.cat" "$work/stall.litmus"
    out_lines "; sc + .*keeps.cat looks at the instruction tag 'keeps, which no program of the vocabulary has$" 5
    out_has "^Alive: .*: without '; \[KEEPS\]'$"
    out_has ' 0 killed, 1 alive, 0 equal up to the bound, 5 unknown; score 0.0 %$'
    leaves 3 mutate -m sc --vocabulary spb --bound events=2,barriers=1 --fail-under 50 "$work/keeps.cat" "$work/stall.litmus"
    # Of the model's own programs, which have it: empty, or without either po, nothing is ordered. Without a W as much is, as only
    # writes are durable; and without the fence what stands between two writes is the fence here.
    leaves 1 mutate -m sc --bound events=2,barriers=1 "$work/keeps.cat" "$work/stall.litmus"
    out_lines 'which no program of the vocabulary has' 0
    out_has ' 0 killed, 3 alive, 3 equal up to the bound, 0 unknown; score 0.0 %$'
    out_has '^  __fence{keeps};$'
    printf 'OPENCL loose\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; *y = 1; }\ncrash exists (x = 0 /\\ y = 1)\n' >"$work/loose.litmus"
    # Of the tests those that are chosen.
    leaves 1 mutate -m sc --exclude 'loose*' --bound events=2,barriers=1 "$work/tiny.cat" "$work/stall.litmus" "$work/loose.litmus"
    out_has '^1 test, '
    leaves 1 mutate -m sc --filter 'loose*' --bound events=2,barriers=1 "$work/tiny.cat" "$work/stall.litmus" "$work/loose.litmus"
    out_has '^1 test, '
    # By whatever path a test names the model: that nothing is left to be judged is ok where the test says ok, as a check has it.
    # Without `po ;` the check forbids every execution, so the mutant is not killed.
    mkdir -p "$work/apart/models" "$work/apart/tests"
    printf 'm "x"\nlet sync = po; [PB]\nlet durable-before = [W & NVM]; sync\nirreflexive sync as strange\n' >"$work/apart/models/m.cat"
    { cat "$work/stall.litmus"; echo 'expect sc + ../models/m.cat : ok'; } >"$work/apart/tests/stall.litmus"
    for named in '' '-m sc'; do
        # shellcheck disable=SC2086 # two words or none
        leaves 1 mutate $named --format json --allow-path "$work/apart/models" --bound events=2,barriers=1 "$work/apart/models/m.cat" "$work/apart/tests"
        out_has '"change":"without .po ;.","fate":"alive"'
    done
    # So has a check: another path to the model is the model.
    leaves 0 check --allow-path "$work/apart/models" -m sc -p "$work/apart/models/m.cat" "$work/apart/tests"
    sed -i 's/ : ok$/ : violated/' "$work/apart/tests/stall.litmus"
    leaves 1 check --allow-path "$work/apart/models" -m sc -p "$work/apart/models/m.cat" "$work/apart/tests"
    out_has '(expected violated)$'
    # No program of the bound has an execution barrier, so of line 3 without the rule about these nothing is known, nor of its parts:
    # without the other side's write, its order, or W, or NVM. By default programs have one, as the rule asks for it: the write
    # before a barrier is durable behind it, which needs the order; that it is a write to NVM makes no difference to what is durable.
    printf 'm "bars"\nlet persist-before = 0\nlet durable-before = [W & NVM]; po; [PB] | [W & NVM]; po; [B]\n' >"$work/bars.cat"
    # Of the other side `stall` kills three (nothing at all, no rule, no order), and `loose` the two that wait without a barrier.
    leaves 0 mutate -m sc --fail-under 50 --bound events=2,barriers=1,families=ld:st:p_barrier "$work/bars.cat" "$work/stall.litmus" "$work/loose.litmus"
    out_lines '^  .*bars.cat:3:[0-9]*: .*; it differs only in what no program up to the bound has: B$' 5
    leaves 1 mutate -m sc "$work/bars.cat" "$work/stall.litmus" "$work/loose.litmus"
    out_has "^Alive: .*bars.cat:3:44: durable-before: without '| (\[W & NVM\]; po; \[B\])'$"
    out_has "^Alive: .*bars.cat:3:55: durable-before: without '; po'$"
    out_lines '^  sync_barrier_wg;$' 4
    out_has ', 2 alive, 6 equal up to the bound, 0 unknown; '
    out_has '; for B .*events=2,barriers=2,.*,families=ld:st:bar:p_barrier,'
    # Without mutants nothing counts, and no score is reached but 0.
    printf 'Nothing "says nothing"\nlet persist-before = 0\n' >"$work/nothing.cat"
    leaves 3 mutate -m sc "$work/nothing.cat" "$work/two.litmus"
    out_has '^Summary: 0 mutants: .*; score not known, as nothing counts$'
}

# The function g is no function when it is 0, and its use an error: of three changes two are mutants.
broken() {
    printf 'Broken "a function"\nlet f(r) = r\nlet g = f\nlet persist-before = g(po)\n' >"$work/broken.cat"
    leaves 0 mutate -m sc "$work/broken.cat" "$work/two.litmus"
    out_has '; 1 change leaves no model$'
    out_has '^Summary: 2 mutants: 2 killed, '
    # Its line is told apart from one that has no changes; and with -v, as in HTML, what kills the two: without f, and without
    # the order that it makes, x can be lost.
    out_has '^x  0 of  0     3  let g = f$'
    out_lines '^Killed' 0
    leaves 0 mutate -v -m sc "$work/broken.cat" "$work/two.litmus"
    out_lines "broken.cat:[24]:[0-9]*: .*; by two: ok becomes violated, under sc + .*broken.cat$" 2
    leaves 0 mutate --format html -m sc "$work/broken.cat" "$work/two.litmus"
    out_lines 'by two: ok becomes violated' 2
    leaves 0 mutate --format json -m sc "$work/broken.cat" "$work/two.litmus"
    out_has '"line":3,"covered":"refused","killed":0,'
    conform_lines
}

# A visibility model, and all operators on relations. Store buffering needs po and fr in cycles of several events: the
# check gone, of single events, without po or without fr let it pass. A read of one's own later write needs rf, two writes
# against the order co: two operations each.
visibility() {
    printf 'Own "sequential consistency"\nacyclic po | rf | co | fr as order\n' >"$work/own.cat"
    cat >"$work/sb.litmus" <<'END'
C sb
{ x = 0; y = 0; }
P0 (atomic_int* x, atomic_int* y) { *x = 1; int r = *y; }
P1 (atomic_int* x, atomic_int* y) { *y = 1; int r = *x; }
~exists (0:r = 0 /\ 1:r = 0)
END
    leaves 1 mutate -p none --bound events=2,barriers=0 --format json "$work/own.cat" "$work/sb.litmus"
    out_lines '"fate":"killed"' 4
    fate 2:14 order "without '| rf'" alive
    fate 2:19 order "without '| co'" alive
    out_lines '"allowed_by":"mutant","operations":2,' 2
    # What each operator leaves: r+ is r; r* is r? or r+; r? and r^-1 are r; a product has _ on either side.
    printf 'Own "operators"\nlet a = po+\nlet b = po*\nlet c = po?\nlet d = rf^-1\nlet e = W * R\nlet f = po \\ rf\nlet g = (po | rf)*\nlet persist-before = 0\n' >"$work/operators.cat"
    leaves 3 mutate -m sc --bound events=1,barriers=0 --format json "$work/operators.cat" "$work/two.litmus"
    for change in "'po+' becomes 'po'" "'po*' becomes 'po?'" "'po*' becomes 'po+'" "'po?' becomes 'po'" "'rf^-1' becomes 'rf'" \
        "'W' becomes '_'" "'R' becomes '_'" "without '\\\\ rf'" "becomes '(po | rf)?'" "becomes '(po | rf)+'" "without '| rf'" "without 'po |'"; do
        [ "$(grep -cF "$change" "$work/out")" -eq 1 ]
        verdict $? "there is a mutant where $change"
    done
}

# Workers have shares, and what they print is the same. 73 mutants are three shares; of these, 59 are equal or alive by programs.
parted() {
    "$CRASHLIT" mutate -m sc --bound events=2,barriers=2 --format json buffered-epoch "$work/two.litmus" "$work/stall.litmus" >"$work/one.out" 2>"$work/one.err"
    one=$?
    for jobs in 2 5; do
        leaves "$one" mutate -j "$jobs" -m sc --bound events=2,barriers=2 --format json buffered-epoch "$work/two.litmus" "$work/stall.litmus"
        cmp -s "$work/out" "$work/one.out" && cmp -s "$work/err" "$work/one.err"
        verdict $? "mutate -j $jobs prints what it prints without"
    done
    [ "$(wc -l <"$work/one.out")" -gt 73 ]
    verdict $? "all mutants are there"
    # A mistake is told once, by one that has no share.
    leaves 2 mutate -j 3 -m sc --bound nonsense "$work/tiny.cat" "$work/two.litmus"
    [ "$(grep -c "found 'nonsense'" "$work/err")" -eq 1 ]
    verdict $? "a mistake is told once with -j"
    out_lines . 0
    printf 'Broken "a function"\nlet f(r) = r\nlet g = f\nlet persist-before = g(po)\n' >"$work/broken.cat"
    leaves 0 mutate -j 2 -m sc "$work/broken.cat" "$work/two.litmus"
    out_has '; 1 change leaves no model$'
}

# A change of an included file that is built in, too; a comment within what is changed is no part of it in words.
included() {
    printf 'Mine "as epoch"\ninclude "collective.cat"\nlet persist-before = [NVW]; pmo; [NVW]\nlet durable-before = [NVW];\n  po; (* to the barrier *) [PB]; syncpb\n' >"$work/mine.cat"
    leaves 1 mutate -m sc --format json --bound events=1,barriers=1 "$work/mine.cat" "$work/two.litmus"
    out_has '"file":"builtin:collective.cat","line":6,"column":43,"rule":"executes-before","operator":"operand","change":"without .| syncpb."'
    out_has "'\[NVW\]; po; \[PB\]; syncpb' becomes 0"
    out_lines '"file":"builtin:\(stdlib\|contract\).cat"' 0
}

# Whoever else the answer looks at has the change, too. `visible-before` says nothing under sc + epoch, but under strict, which
# `robust` asks of: x, then y may be, and without the rule strict has that as well. What `robust` says of one thread that
# stores once is ok under any rule.
other_pairs() {
    printf 'Own "sequential consistency"\nacyclic po | rf | co | fr as order\nlet visible-before = po\n' >"$work/own.cat"
    printf 'OPENCL robust\n{ nvm x = 0; nvm y = 0; }\nobserve x, y;\nP0 (global int* x, global int* y) { *x = 1; *y = 1; }\nproperty robust;\n' >"$work/robust.litmus"
    printf 'OPENCL once\n{ nvm x = 0; }\nobserve x;\nP0 (global int* x) { *x = 1; }\nproperty robust;\n' >"$work/once.litmus"
    leaves 0 mutate -p epoch --bound events=1,barriers=0 --format json "$work/own.cat" "$work/robust.litmus"
    fate 3:22 visible-before "'po' becomes 0" killed
    out_has '"model":"violated","mutant":"ok"'
    leaves 3 mutate -p epoch --bound events=1,barriers=0 --format json "$work/own.cat" "$work/once.litmus"
    out_lines '"mutant":"violated"' 0
    # A test may name the file otherwise: through its own folder, or by a link.
    mkdir -p "$work/models" "$work/tests"
    printf 'One "a rule"\nlet persist-before = po\n' >"$work/models/one.cat"
    ln -s one.cat "$work/models/link.cat"
    sed '$a expect sc + ../models/link.cat : ok' "$work/two.litmus" >"$work/tests/two.litmus"
    leaves 0 mutate --allow-path "$work/models" "$work/models/one.cat" "$work/tests/two.litmus"
    out_has '^Summary: 1 mutant: 1 killed'
    # A test that refines itself under the model does so under each mutant of it.
    printf 'One "a rule"\nlet persist-before = po\n' >"$work/one.cat"
    printf 'OPENCL again\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; *y = 1; }\ncrash refines "two.litmus" under sc + one.cat\nexpect sc + one.cat : ok\n' >"$work/again.litmus"
    leaves 1 mutate --bound events=2,barriers=0 --format json "$work/one.cat" "$work/again.litmus"
    out_has '"killed":0,"alive":1,"equal":0'
    # It is no limit that a mutant has no execution: a word in a comment is not the check, which without it is of every event.
    printf 'Own "coherence"\nacyclic (* acyclic *) (po \\ ext) & loc | rf | co | fr as order\n' >"$work/none.cat"
    printf 'OPENCL no\n{ x = 0; }\nP0 (global int* x) { *x = 1; int r = *x; }\nfinal ~exists (0:r = 0)\n' >"$work/no.litmus"
    leaves 0 mutate -p none --bound events=1,barriers=0 --format json "$work/none.cat" "$work/no.litmus"
    out_lines '"fate":"unknown"' 0
    fate 2:1 order "'acyclic' becomes 'irreflexive'" killed
}

# The model is the user's, wherever it is; what a test names beside it is within its reach, or is not read.
reach() {
    mkdir -p "$work/far/tests"
    echo 'what nobody may see' >"$work/far/secret.cat"
    (cat "$work/two.litmus"; echo 'expect ../secret.cat + ../../one.cat : ok') >"$work/far/tests/peeks.litmus"
    printf 'One "a rule"\nlet persist-before = po\n' >"$work/one.cat"
    leaves 2 mutate "$work/one.cat" "$work/far/tests/peeks.litmus"
    err_has "tests/../secret.cat' is out of reach"
    ! grep -q nobody "$work/out" "$work/err"
    verdict $? "a test does not see what is out of its reach"
    printf 'vis "sequential"\nacyclic po | rf | co | fr as sc\n' >"$work/far/tests/near.cat"
    (cat "$work/two.litmus"; echo 'expect near.cat + ../../one.cat : ok') >"$work/far/tests/peeks.litmus"
    leaves 0 mutate "$work/one.cat" "$work/far/tests/peeks.litmus"
}

cat >"$work/tiny.machine" <<'END'
# A cache in front of NVM.
machine  = pipeline
promises = sc + epoch
stage L2 per device order any merge
durable
on p_barrier : meet ; drain own L2 ; await
END
cat >"$work/low.litmus" <<'END'
OPENCL low
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; *y = 1; }
crash ~exists (x = 2 \/ y = 2)
END

# Nineteen changes. The stage: gone, three other kinds of instances, two other orders, without merge, with lines. `durable`: earlier.
# The line: gone, less one of three operations, or with six others for `own`. No machine is left without the stage that the line names,
# with marks that nobody sets, with an `await` that waits for nothing, or with a barrier that drains its line, what is here, or a strand: six.
#   In turn, or durable at once, x is durable before y: the other state that `two` shows is gone. One work-item has one cache,
#   and no program writes a location twice within two operations. No test has a barrier: to see one that does not
#   wait, or does not wait for who is to meet there, takes two operations. To see one that waits for others takes a store, another
#   work-item that reads it, and its barrier; for those of its scope, who meet there, two barriers.
machine() {
    leaves 1 mutate --format json --bound events=2,barriers=1 "$work/tiny.machine" "$work/two.litmus"
    out_lines '"mutant":[0-9]' 13
    fate 4:27 "stage L2" "'any' becomes 'fifo'" killed
    fate 5:1 durable "before 'L2'" killed
    fate 4:14 "stage L2" "'device' becomes 'thread'" equal
    fate 4:31 "stage L2" "without 'merge'" equal
    fate 6:1 "on p_barrier" "without 'on p_barrier : meet ; drain own L2 ; await'" alive
    fate 6:16 "on p_barrier" "without 'meet'" alive
    fate 6:38 "on p_barrier" "without 'await'" alive
    fate 6:29 "on p_barrier" "'own' becomes 'all'" alive
    fate 6:29 "on p_barrier" "'own' becomes 'unit'" alive
    fate 6:29 "on p_barrier" "'own' becomes 'scope'" equal
    out_lines '"allowed_by":"[a-z]*","operations":2,' 3
    out_lines '"killed_by":{"test":"two","file":"[^"]*two.litmus","model":"violated","mutant":"ok","difference":"crash state x=0; y=1 of the machine alone"}' 2
    out_lines '"allowed_by":"[a-z]*","operations":3,' 2
    out_has '"mutants":13,"killed":2,"alive":5,"equal":6,"unknown":0,"score":28.5,"fail_under":100,"reached":"no","broken":6,"tests":1,"verdicts":1,"silent":0,"unencoded":0,"killed_by_states":0'
    conform
    # The tests that are printed kill what they were printed for.
    leaves 1 mutate --bound events=2,barriers=1 "$work/tiny.machine" "$work/two.litmus"
    printed=$(sed -n 's/^OPENCL tiny-mutant-//p' "$work/out")
    [ "$(echo "$printed" | wc -w)" -eq 5 ]
    verdict $? "a test is printed for each that is alive"
    for n in $printed; do
        awk -v name="OPENCL tiny-mutant-$n" '$0 == name { on = 1 } /^Alive|^Equal/ { on = 0 } on' "$work/out" >"$work/machine$n.litmus"
    done
    leaves 0 mutate --bound events=2,barriers=1 "$work/tiny.machine" "$work/two.litmus" "$work"/machine[0-9]*.litmus
    out_has '; 6 changes leave no machine; survivors on '
    out_has '^Summary: 13 mutants: 7 killed, 0 alive, 6 equal up to the bound, 0 unknown; score 100.0 %$'
}

# A test tells by the states that it shows, whatever it asks: `low` is ok with any. What the machine does not encode says nothing; what
# a mutant does not encode any more is another answer. A limit is none.
machine_shows() {
    leaves 3 mutate --format json --bound events=1,barriers=0 "$work/tiny.machine" "$work/low.litmus"
    out_lines '"model":"ok","mutant":"ok","difference":"crash state x=0; y=1 of the machine alone"' 2
    out_has '"killed":2,"alive":0,"equal":5,"unknown":6,' # no program has a barrier, which is what line 6 is for
    out_has '"killed_by_states":2,'
    leaves 3 mutate --bound events=1,barriers=0 "$work/tiny.machine" "$work/low.litmus"
    out_has '^Summary: 13 mutants: 2 killed (2 by no verdict), 0 alive, '
    leaves 3 mutate --timeout 0.000001 "$work/tiny.machine" "$work/two.litmus"
    out_has '^Summary: 13 mutants: 0 killed, 0 alive, 0 equal up to the bound, 13 unknown; score 0.0 %$'
    # Without its line a write-through is one that nobody has said the way of; `two` has none. The tests' tag is the model's.
    leaves 3 mutate --format json --bound events=1,barriers=0 models/machines/lin-adr.machine litmus/lin/atomic-undone.litmus
    fate 21:1 "on st_wt" "without 'on st_wt : through'" killed
    out_has '"mutant":"unknown","difference":"the mutant has no line for something in the test"'
    # A program that the mutant does not encode tells it from the machine.
    leaves 1 mutate --bound events=1,barriers=1 models/machines/lin-adr.machine "$work/two.litmus"
    out_has "^Alive: .*: on l2wb: without 'on l2wb : move unit L2'$"
    out_has '^  the mutant has no line for something in it, under sc + lin-adr$'
    # A transaction takes two marks: no program up to the bound has one.
    leaves 3 mutate --bound events=1,barriers=1 models/machines/kiln-line.machine "$work/low.litmus"
    out_has "without 'redo'; no program up to the bound has a transaction$"
    # Nothing sets V, so Q is never a stage.
    sed -e 's/^stage.*/variable V = off|on\n&\nstage Q per device order any when V = on/' -e 's/^on/on fence acq_rel all : set V = on\non/' "$work/tiny.machine" >"$work/switched.machine"
    leaves 3 mutate --bound events=1,barriers=0 "$work/switched.machine" "$work/low.litmus"
    out_has "stage Q: 'any' becomes 'fifo'; no program up to the bound has an instruction that makes it a stage$"
    # The machine encodes no test at all, or not all.
    grep -v 'on st_wt' models/machines/lin-adr.machine >"$work/lacking.machine"
    leaves 2 mutate --bound events=1,barriers=0 "$work/lacking.machine" litmus/lin/atomic-undone.litmus
    err_has "lacking.machine' encodes no test that asks of it"
    leaves 3 mutate --bound events=1,barriers=0 "$work/lacking.machine" litmus/lin/atomic-undone.litmus "$work/low.litmus"
    out_has '^1 test, 1 verdict under sc + lin-adr; 1 more is not encoded; '
    # Where runs were cut off is none of what a machine shows: the stages' runs have other lengths. The loop sets n to any number.
    sed -e 's/^stage.*/stage A per thread order any/' -e 's/L2 ; await/A ; await/' -e 's/^durable/&\nstage B per device order fifo/' "$work/tiny.machine" >"$work/long.machine"
    cat >"$work/loop.litmus" <<'END'
OPENCL loop
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0 (global int* x, global int* y, global int* z) { int r = 0; int n = 0; *x = 1; while (r == 0) { r = *y; n = n + 1; } *z = n; }
P1 (global int* y) { *y = 1; }
crash ~exists (x = 2)
END
    leaves 3 mutate --format json --bound events=1,barriers=1 "$work/long.machine" "$work/loop.litmus"
    out_has '"killed":0,'
    # No program has a read-modify-write, a fence, a store that is SC, or a barrier of all: that nothing was found is no answer.
    sed -e 's/^stage.*/&\nstage Q per device order any/' \
        -e 's/^on/view Q rmw\non own fence : drain all Q ; await\non store sc : drain own Q ; await\non p_barrier all : drain own Q ; await\non/' \
        "$work/tiny.machine" >"$work/unseen.machine"
    leaves 3 mutate --bound events=1,barriers=0 "$work/unseen.machine" "$work/low.litmus"
    for line in "view Q rmw" "drain all Q" "on store sc : drain own Q ; await" "on p_barrier all : drain own Q ; await"; do
        out_has "without '$line'; no program up to the bound has an instruction that its line changes$"
    done
}

# Each operator, on lines of one machine. Less: the variable and the stages that others name, the only `when`, the only `set`, a `move` without its
# `await` and an `await` without a `move`, marks that nobody sets (two), and a stage of more instances than the one before it.
machine_operators() {
    cat >"$work/operators.machine" <<'END'
# All operators.
machine  = pipeline
promises = sc + epoch
entries  = 3
variable V = a | b
stage S per unit order fifo merge when V = b
durable
stage Q per system order any
view Q load acq
on fence : set V = b
on p_barrier not by cpu : move own S ; await
END
    leaves 0 mutate --format json --fail-under 1 --bound events=1,barriers=0 "$work/operators.machine" "$work/low.litmus"
    for change in "'3' becomes '1'" "'3' becomes '2'" "'3' becomes '4'" "'unit' becomes 'thread'" "'unit' becomes 'device'" "'unit' becomes 'system'" \
        "'fifo' becomes 'any'" "without 'merge'" "before 'S'" "behind 'Q'" "'system' becomes 'unit'" "'system' becomes 'device'" \
        "'any' becomes 'fifo'" "with 'merge'" "without 'view Q load acq'" "without 'load'" "without 'acq'" \
        "without 'on p_barrier not by cpu : move own S ; await'" "without 'p_barrier'" "without 'not by cpu'" \
        "'own' becomes 'unit'" "'own' becomes 'scope'" "'own' becomes 'all'"; do
        [ "$(grep -cF "$change" "$work/out")" -eq 1 ]
        verdict $? "there is a mutant where $change"
    done
    out_lines '"change":"with .lines.' 2
    out_lines '"mutant":[0-9]' 25
    # Other machines: which lines leave, sizes, a placement.
    printf '# Small.\nmachine = nvw-fifo\nunits = 2\nl1_fifo = 1\nevict_l1 = any\nplacement = 0 1\n' >"$work/small.machine"
    leaves 3 mutate --format json --bound events=1,barriers=0 "$work/small.machine" "$work/low.litmus"
    for change in "'2' becomes '3'" "'1' becomes '2'" "'any' becomes 'none'" "'any' becomes 'clean'" "'any' becomes 'dirty'" \
        "'0 1' becomes 'in-turn'" "'0 1' becomes 'one-unit'"; do
        [ "$(grep -cF "$change" "$work/out")" -eq 1 ]
        verdict $? "there is a mutant where $change"
    done
    out_has '"broken":1,' # one unit, and a place on the second
}

# What a store behind which its work-item waits is owed past, for whom it waits, and what is set. x is in A when it is stored, and may be
# lost in B; C survives. P1 knows x, which its group waits for. With V = b stores come to Q first, which keeps no order.
machine_waits() {
    cat >"$work/waits.machine" <<'END'
# Waits.
machine  = pipeline
promises = sc + none
variable V = a | b | c
stage Q per device order any when V = b
stage A per device order fifo
stage B per device order fifo
durable
stage C per device order any
on store        : access ; move x A past B ; await wg
on p_barrier wi : set V = b
on p_barrier    : set V = c
END
    cat >"$work/past.litmus" <<'END'
OPENCL past
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { *x = 1; *y = 1; }
crash ~exists (y = 1 /\ x = 0)
END
    cat >"$work/scope.litmus" <<'END'
OPENCL scope
{ nvm atomic_int x = 0; atomic_int f = 0; }
P0@wg 0 (global atomic_int* x) { x.store(1, mo_rlx, wg_scope); }
P1@wg 0 (global atomic_int* x, global atomic_int* f) {
  int r = x.load(mo_rlx, wg_scope); f.store(1, mo_rlx, wg_scope); f.store(2, mo_rlx, wg_scope); int e = 1;
}
crash ~exists (1:r = 1 /\ 1:e = 1 /\ x = 0)
END
    cat >"$work/set.litmus" <<'END'
OPENCL set
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) { p_barrier_wi; *x = 1; *y = 1; }
crash exists (y = 1 /\ x = 0)
END
    leaves 3 mutate --format json --bound events=1,barriers=1 "$work/waits.machine" "$work/past.litmus" "$work/scope.litmus" "$work/set.litmus"
    fate 10:37 "on store" "without 'past B'" killed
    fate 10:42 "on store" "'B' becomes 'C'" equal
    fate 10:52 "on store" "'wg' becomes 'wi'" killed
    fate 10:52 "on store" "'wg' becomes 'all'" equal
    fate 11:27 "on p_barrier wi" "'b' becomes 'c'" killed
    fate 11:27 "on p_barrier wi" "'b' becomes 'a'" killed
    fate 12:27 "on p_barrier" "'c' becomes 'a'" equal
}

# By its name where no model has it; two shares of workers say what one does.
machine_named() {
    leaves 3 mutate --bound events=1,barriers=0 ideal-sc "$work/two.litmus"
    out_has '^Summary: 0 mutants: .*; score not known, as nothing counts$'
    "$CRASHLIT" mutate --bound events=1,barriers=0 --format json models/machines/gpm.machine litmus/gpm >"$work/one.out" 2>"$work/one.err"
    one=$?
    leaves "$one" mutate -j 2 --bound events=1,barriers=0 --format json models/machines/gpm.machine litmus/gpm
    cmp -s "$work/out" "$work/one.out" && cmp -s "$work/err" "$work/one.err"
    verdict $? "mutate -j 2 of a machine prints what it prints without"
    [ "$(wc -l <"$work/one.out")" -gt 33 ]
    verdict $? "all mutants are there"
    leaves 2 mutate -e enum "$work/tiny.machine" "$work/two.litmus"
    err_has "tiny.machine' is a machine, which is run itself, so --engine has no place beside it"
    leaves 2 mutate "$work/gone.machine" "$work/two.litmus"
    printf 'machine = pipeline\nstage\n' >"$work/bad.machine"
    leaves 2 mutate "$work/bad.machine" "$work/two.litmus"
    out_lines . 0
}

wrong() {
    leaves 2 mutate "$work/tiny.cat" "$work/two.litmus"
    err_has "no test asks anything of '.*tiny.cat'; name what it goes with, as in '-m sc'"
    leaves 2 mutate sc+epoch "$work/two.litmus"
    err_has "found 'sc+epoch', expected one model"
    leaves 2 mutate -p epoch "$work/tiny.cat" "$work/two.litmus"
    err_has 'is a persistency model, so -p has no place beside it'
    leaves 2 mutate epohc "$work/two.litmus"
    # Before any test is asked, and though no mutant would be asked by programs: `po` alone.
    printf 'One "a rule"\nlet persist-before = po\n' >"$work/one.cat"
    for wrong in "--bound events=99" "--bound nonsense" "--vocabulary nope"; do
        # shellcheck disable=SC2086 # two words
        leaves 2 mutate -m sc $wrong "$work/one.cat" "$work/two.litmus"
        out_lines . 0
    done
    ! grep -q "further error" "$work/err"
    verdict $? "a mistake is told once"
    leaves 2 mutate -m sc "$work/tiny.cat" "$work/two.litmus" "$work/none.litmus"
    # 4,096 operands can be taken away, and the whole: one more than is looked at.
    awk 'BEGIN { printf "Long \"a chain\"\nlet persist-before = po"; for (i = 1; i < 4096; i++) printf " | po"; print "" }' >"$work/long.cat"
    leaves 2 mutate -m sc "$work/long.cat" "$work/two.litmus"
    err_has "long.cat' has 4097 places that can be changed, and 4096 are the most"
    printf 'OPENCL bad\n{\n' >"$work/bad.litmus"
    leaves 2 mutate -m sc "$work/tiny.cat" "$work/two.litmus" "$work/bad.litmus"
}

told
names_and_limits
all_killed
limited
broken
visibility
parted
included
other_pairs
reach
machine
machine_shows
machine_operators
machine_waits
machine_named
wrong
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
