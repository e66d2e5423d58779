#!/bin/sh
# hardware.sh: `crashlit hw`: the seven golden texts, a refusal of each kind, the emulated device against models, and
# results that are no results. With the argument `litmus` all of its tests are played, else those of litmus/ptx.
set -u
rm -rf "$WORK/hardware"
mkdir -p "$WORK/hardware"
work=$(cd "$WORK/hardware" && pwd)
python=${PYTHON:-python3}
. tests/corpus/cases.sh
golden=tests/corpus/hardware

# What is emitted is read by people and drivers: a change of it shows. The seven have a fence, a wait, a barrier, an atomic
# operation, a branch with computed values, an access that is seq_cst, and an index.
texts() {
    leaves 0 hw emit -o "$work/texts" $golden/*.litmus
    for test in $golden/*.litmus; do
        name=$(basename "$test" .litmus)
        [ -z "${PROMOTE:-}" ] || cp "$work/texts/$name.ptx" "$golden/$name.ptx"
        cmp -s "$work/texts/$name.ptx" "$golden/$name.ptx"
        verdict $? "$name is emitted as before (PROMOTE=1 takes the new text): $(diff "$work/texts/$name.ptx" "$golden/$name.ptx" | head -3)"
    done
    [ "$(ls $golden/*.litmus | wc -l)" -eq 7 ]
    verdict $? "there are 7"
}

refuses() { # reason, the test as printf has it
    # shellcheck disable=SC2059
    printf "$2" >"$work/refused.litmus"
    leaves 2 hw emit -o "$work/refused" "$work/refused.litmus"
    err_has "refused.litmus: not emitted: .*$1"
}

refusals() {
    one='P0@cta 0,gpu 0 ;' two='P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;'
    refuses 'only conditions on crashes' "PTX t\n{ nvm x = 0; }\n$one\nst.weak x, 1 ;\ncrash exists (x = 1)\n"
    refuses 'several devices' 'PTX t\n{ x = 0; }\nP0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\nst.weak x, 1 | st.weak x, 2 ;\nfinal exists (x = 1)\n'
    refuses 'several kernels' 'PTX t\n{ x = 0; }\nP0@cta 0,kr 0 | P1@cta 0,kr 1 ;\nst.weak x, 1 | st.weak x, 2 ;\nfinal exists (x = 1)\n'
    refuses 'a persist barrier' "PTX t\n{ nvm x = 0; }\n$one\npbar.thread ;\nfinal exists (x = 0)\n"
    refuses 'split or counted' "PTX t\n{ x = 0; }\n$two\nbar.cta.arrive 0, 0, 2 | bar.cta.sync 0, 0, 2 ;\nfinal exists (x = 0)\n"
    refuses 'behind a branch' "PTX t\n{ x = 0; }\n$one\nld.weak r0, x ;\nbeq r0, 0, L ;\nbar.cta.sync 0 ;\nL: ;\nfinal exists (x = 0)\n"
    refuses 'in one order' "PTX t\n{ x = 0; }\n$two\nbar.cta.sync 0 | bar.cta.sync 1 ;\nbar.cta.sync 1 | bar.cta.sync 0 ;\nfinal exists (x = 0)\n"
    refuses 'not all come to' 'OPENCL t\n{ x = 0; }\nP0@wg 0 (global int* x) { work_group_barrier(CLK_GLOBAL_MEM_FENCE); }\nP1@wg 0 (global int* x) { *x = 1; }\nfinal exists (x = 1)\n'
    refuses '12 work-items' "OPENCL t\n{ x = 0; }\n$(for i in 0 1 2 3 4 5 6 7 8 9 10 11 12; do echo "P$i (global int* x) { *x = 1; }"; done)\nfinal exists (x = 1)\n"
    refuses '8 locations' 'OPENCL t\n{ a[9]; }\nP0 (global int* a) { a[8] = 1; }\nfinal exists (a[8] = 1)\n'
    refuses '32 bits' 'OPENCL t\n{ long x = 0; }\nP0 (global long* x) { *x = 1; }\nfinal exists (x = 1)\n'
    refuses '32 bits' 'OPENCL t\n{ x = 0; }\nP0 (global int* x) { long r = *x; }\nfinal exists (0:r = 1)\n'
    refuses 'recovery' 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\nrecovery (global int* x) { *x = 2; }\nfinal exists (x = 1)\n'
    refuses 'cache maintenance\|a tag' 'C t\nuses "px86.def"\n{ x = 0; }\nP0 (int* x) { clwb(x); }\nfinal exists (x = 0)\n'
    # 8 values, each of 0 to 7: 8 to the 8 is more than 65536.
    refuses '65536 outcomes' "OPENCL t\n{ atomic_int a[8]; }\nP0 (global atomic_int* a) { $(for i in 0 1 2 3 4 5 6 7; do printf 'atomic_fetch_add(&a[%d], 1); ' $i; done)}\nfinal exists (a[0] = 1$(for i in 1 2 3 4 5 6 7; do printf ' /\\\\ a[%d] = 1' $i; done))\n"
    for other in 'cuda/apart compiled code' 'tags/add-unless an atomic operation that PTX lacks'; do
        leaves 2 hw emit -o "$work/refused" "litmus/${other%% *}.litmus"
        err_has "not emitted: ${other#* }"
    done
    leaves 2 hw emit litmus/ptx/sb-membar.litmus
    leaves 2 hw run -o "$work/no" litmus/ptx/sb-membar.litmus
    leaves 2 hw run -m sc litmus/ptx/sb-membar.litmus
    leaves 2 hw play litmus/ptx/sb-membar.litmus
    leaves 2 hw judge litmus/ptx/sb-membar.litmus "$work/none.jsonl"
}

judged() { # status, line; models and others
    wanted=$1 line=$2
    shift 2
    leaves "$wanted" hw judge "$@"
    out_has "$line"
}

# One memory, an instruction at a time: that is sc, whatever the test. Of its states at least 95 of 100 come. The weak device
# has what MP allows without fences, so sc does not stand, and ptx does; a chip that forgets is found under ptx.
devices() {
    leaves 0 hw run -j 2 --launches 96 ${1:-litmus/ptx}
    cp "$work/out" "$work/seen.jsonl"
    timeout 600 "$CRASHLIT" hw judge -m sc ${1:-litmus/ptx} "$work/seen.jsonl" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq 0 ] || [ -n "${1:-}" -a "$status" -eq 3 ] # a lock's loop has a bound
    verdict $? "what one memory shows is of sc: $(tail -3 "$work/out")"
    shown=$(sed -n 's/.*known; \([0-9]*\) of \([0-9]*\) allowed.*/\1 \2/p' "$work/out")
    echo "states of sc that were seen, and all: $shown"
    set -- $shown
    [ "$(($1 * 100))" -ge "$(($2 * 95))" ]
    verdict $? "most of sc's states are seen: $shown"
    leaves 0 hw run --launches 96 --weak litmus/ptx
    cp "$work/out" "$work/weak.jsonl"
    judged 0 '^ptx on emulated, weak: refuted by 0 of' -m ptx litmus/ptx "$work/weak.jsonl"
    judged 1 'mp-weak.litmus: seen on emulated, weak, and forbidden by sc: 1:r0=1; 1:r1=0' -m sc -m ptx litmus/ptx/mp-weak.litmus "$work/weak.jsonl"
    out_has '^50 of 51 results are of no test'
    for flaw in 'fences 10' 'scopes 10' 'coherence 1'; do
        leaves 0 hw run --launches 96 --forget ${flaw% *} litmus/ptx
        cp "$work/out" "$work/flaw.jsonl"
        leaves 1 hw judge -m ptx litmus/ptx "$work/flaw.jsonl"
        refuted=$(sed -n 's/.*refuted by \([0-9]*\) of.*/\1/p' "$work/out")
        [ "${refuted:-0}" -ge "${flaw#* }" ]
        verdict $? "a device that forgets ${flaw% *} is refuted by ${flaw#* } tests or more: $refuted"
    done
    # A launch alone is what it was among others.
    leaves 0 hw run --seed 7 --launches 3 litmus/ptx/mp-weak.litmus
    sed -n 's/.*"instances":24,.*/yes/p' "$work/out" | grep -q yes
    verdict $? "3 launches have 24 instances"
    for launch in 1 2 3; do "$CRASHLIT" hw run --seed 7 --launch $launch litmus/ptx/mp-weak.litmus 2>/dev/null; done >"$work/parts.jsonl"
    "$python" -c '
import collections, json, sys
def counts(lines): 
    all = collections.Counter()
    for line in lines:
        for outcome in json.loads(line)["outcomes"]: all[json.dumps(outcome["state"])] += outcome["count"]
    return all
sys.exit(counts(open(sys.argv[1])) != counts(open(sys.argv[2])))' "$work/out" "$work/parts.jsonl"
    verdict $? "launches one by one show what they show together"
}

# The line is of 8 instances: 5 and 3.
bad() { # what, words of the message, edit
    sed "$3" "$work/good.jsonl" >"$work/bad.jsonl"
    leaves 2 hw judge -m sc "$work/mp.litmus" "$work/bad.jsonl"
    err_has "bad.jsonl', line 1: .*$2"
}

results() {
    cp litmus/ptx/mp-weak.litmus "$work/mp.litmus"
    digest=$("$CRASHLIT" hw run --launch 1 "$work/mp.litmus" 2>/dev/null | sed 's/.*"test_digest":"\([0-9a-f]*\)".*/\1/')
    printf '{"schema":1,"kind":"hardware","test":"mp-weak","test_digest":"%s","emitted_digest":"0","target":"ptx","widened":"","device":"d","seed":1,"launches":2,"instances":8,"unfinished":0,"other":0,"outcomes":[{"state":{"1:r0":0,"1:r1":0},"count":5,"launches":2,"first":1},{"state":{"1:r0":1,"1:r1":1},"count":3,"launches":1,"first":2}]}\n' "$digest" >"$work/good.jsonl"
    judged 0 '^sc on d: refuted by 0 of 1 tests; 0 undefined, 0 not known; 2 of 3 allowed states seen$' -m sc "$work/mp.litmus" "$work/good.jsonl"
    sed 's/"1:r1":1/"1:r1":0/' "$work/good.jsonl" >"$work/other.jsonl"
    judged 1 '3 of 8 instances, in 1 of 2 launches; .*other.jsonl, line 1: --seed 1 --launch 2' -m sc "$work/mp.litmus" "$work/other.jsonl"
    # That nothing forbidden was told is no pass where something was not told: three instances of other values, or that gave up.
    sed 's/"other":0/"other":3/; s/,{"state":{"1:r0":1.*/]}/' "$work/good.jsonl" >"$work/untold.jsonl"
    judged 3 'not known under sc: 3 instances had a value that the result does not tell$' -m sc "$work/mp.litmus" "$work/untold.jsonl"
    sed 's/"unfinished":0/"unfinished":8/; s/"outcomes":.*/"outcomes":[]}/' "$work/good.jsonl" >"$work/untold.jsonl"
    judged 3 'not known under sc: no instance was finished$' -m sc "$work/mp.litmus" "$work/untold.jsonl"
    # Two seeds are summed: 3 + 3 of the one, 5 of the other.
    sed 's/"seed":1/"seed":2/' "$work/other.jsonl" >"$work/more.jsonl"
    judged 1 'forbidden by sc: 1:r0=1; 1:r1=0' -m sc "$work/mp.litmus" "$work/other.jsonl" "$work/more.jsonl"
    out_has '6 of 16 instances, in 2 of 4 launches'
    bad 'cut off' 'cut off' 's/.\{40\}$//'
    bad 'a sum' 'do not add up' 's/"count":5/"count":6/'
    bad 'a huge count' 'do not add up' 's/"count":5/"count":9223372036854775807/'
    bad 'more than 64 bits' 'no JSON object' 's/"count":5/"count":99999999999999999999/'
    bad 'below 0' "no count 'other'" 's/"other":0/"other":-1/'
    bad 'no launch' 'counts that cannot be' 's/"launches":1,"first":2/"launches":3,"first":2/'
    bad 'nothing played' 'do not add up' 's/"instances":8/"instances":0/'
    bad 'a field' "field 'verdict'" 's/"device"/"verdict":"ok","device"/'
    bad 'a field twice' 'no JSON object' 's/"other":0/"other":0,"other":0/'
    bad 'an outcome twice' 'an outcome twice' 's/{"1:r0":1,"1:r1":1}/{"1:r1":0,"1:r0":0}/'
    bad 'another schema' 'another schema' 's/"schema":1/"schema":2/'
    bad 'another kind' 'another kind' 's/"hardware"/"check"/'
    bad 'other names' 'do not name what' 's/1:r0/1:r7/g'
    bad 'a value of 33 bits' 'a value that a register or a location cannot have' 's/"1:r0":1/"1:r0":4294967297/'
    bad 'names that differ' 'do not name the same' 's/"1:r0":1/"1:r7":1/'
    bad 'a digest' "the test has changed: its digest is another" "s/$digest/0123456789abcdef/"
    sed "s/$digest/0123456789abcdef/; s/mp-weak/none/" "$work/good.jsonl" >"$work/bad.jsonl"
    leaves 2 hw judge -m sc "$work/mp.litmus" "$work/bad.jsonl"
    err_has 'no result is of a test that is given'
    cat "$work/good.jsonl" "$work/good.jsonl" >"$work/bad.jsonl"
    leaves 2 hw judge -m sc "$work/mp.litmus" "$work/bad.jsonl"
    err_has "bad.jsonl', line 2: found what '.*bad.jsonl', line 1 says already"
    : >"$work/bad.jsonl"
    leaves 2 hw judge -m sc "$work/mp.litmus" "$work/bad.jsonl"
    leaves 2 hw judge -m sc "$work/mp.litmus" "$work/gone.jsonl"
    leaves 2 hw judge -m none.cat "$work/mp.litmus" "$work/good.jsonl"
    if "$python" -c 'import jsonschema' 2>/dev/null; then
        "$python" -c '
import json, jsonschema, sys
schema = json.load(open("tests/schemas/hardware.schema.json"))
for line in open(sys.argv[1]): jsonschema.validate(json.loads(line), schema)' "$work/seen.jsonl"
        verdict $? "what is printed is of the schema"
    fi
}

no_use() { # words of the message; arguments
    words=$1
    shift
    leaves 2 hw "$@"
    err_has "$words"
}
texts
refusals
no_use 'are of run' emit --weak -o "$work/none/" litmus/ptx/mp-weak.litmus
no_use 'are of run' judge -m sc --launch 2 litmus/ptx/mp-weak.litmus "$work/none.jsonl"
devices "$@"
results
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
