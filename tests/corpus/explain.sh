#!/bin/sh
# explain.sh: `crashlit explain` as a command: statuses, what it says of undefined and
# unknown tests, and its answers held to those of `check` on a part of the corpus.
set -u
mkdir -p "$WORK/explain"
work=$(cd "$WORK/explain" && pwd)
. tests/corpus/cases.sh

# Advice has a part of a time limit, and without one a few seconds, in which a busy machine with a sanitizer does not find it: what it
# finds is to depend on how many fillings it tries alone. So explanations without a limit get one that nothing here meets.
patient=$work/patient
cat >"$patient" <<END
#!/bin/sh
case " \$* " in
*' --timeout '*) ;;
*' explain '* | *' --explain '*) set -- "\$@" --timeout 110 ;;
esac
exec "$CRASHLIT" "\$@"
END
chmod +x "$patient"
CRASHLIT=$patient

bare=litmus/spb/kv-insert-bare.litmus insert=litmus/spb/kv-insert.litmus
fig4=litmus/spb/fig4.litmus

# Explaining is no judgement: a violated condition leaves with 0. kv-insert has four
# conditions; kv-insert-bare names ten pairs of models and has one.
commands() {
    leaves 0 explain -m sc -p epoch "$bare"
    out_has '-- crash: power fails here --'
    out_has 'lost: P0.s W val at line 5'
    out_has '^State key=1; val=0;'
    leaves 0 explain -m sc -p epoch --format json "$insert"
    out_lines '^{"schema":1,"test":"kv-insert",.*}$' 4
    leaves 0 explain -m sc -p epoch --condition 2 --format json "$insert"
    out_lines '"number":2' 1
    out_lines . 1
    leaves 0 explain --format json "$bare"
    out_lines '"number":1' 10
    # Nobody stores 41: the condition's remark says so, and no other field has its name.
    sed '/^expect/d; s/val = 0)/val = 41)/' "$bare" >"$work/nobody.litmus"
    leaves 0 explain --format json --executions data "$work/nobody.litmus"
    out_has '"vacuous":"never-met","remark":"vacuous: no values'
    out_lines '"remark":.*"remark":' 0
    leaves 2 explain --condition 5 -m sc -p epoch "$insert"
    err_has 'has 4 conditions'
    leaves 2 explain --condition 0 "$insert"
    leaves 2 explain
    leaves 2 explain "$work/absent.litmus"
}

# What stands behind the condition answers it, of each quantifier. Under epoch the barrier makes x durable before y, and x = 1 with
# y = 0 is left by a crash between the two; under none nothing orders them. Nobody stores f, so that no run of `endless` ends.
answers_first() { # models, condition, answer
    printf '%s\n' 'OPENCL first' '{ nvm x = 0; nvm y = 0; }' 'P0 (global int* x, global int* y) { *x = 1; p_barrier_wi; *y = 1; }' \
        "$2" >"$work/first.litmus"
    leaves 0 explain -m sc -p "$1" "$work/first.litmus"
    sed -n '/^Condition/{n;p;}' "$work/out" | grep -q "^$3"
    verdict $? "$2 under $1 is answered by $3"
}
answers() {
    because=', because of these, in the program as it stands:$'
    answers_first epoch 'crash forall (y = 1 => x = 1)' "Holds: no state breaks it$because"
    answers_first epoch 'crash ~exists (y = 1 /\ x = 0)' "Holds: no state satisfies it$because"
    answers_first epoch 'crash exists (y = 1 /\ x = 0)' "Violated: no state satisfies it$because"
    answers_first none 'crash forall (y = 1 => x = 1)' 'Violated: a state breaks it$'
    answers_first none 'crash ~exists (y = 1 /\ x = 0)' 'Violated: a state satisfies it$'
    answers_first epoch 'crash exists (x = 1 /\ y = 0)' 'Holds: a state satisfies it$'
    answers_first epoch 'crash forall (x < 2)' 'Holds: no state breaks it, whatever the model: no candidate execution has one$'
    printf '%s\n' 'OPENCL endless' '{ atomic_int f = 0; x = 0; }' \
        'P0 (global atomic_int* f, global int* x) { while (!f.load(mo_acq, dev_scope)); *x = 1; }' 'final forall (x = 1)' >"$work/endless.litmus"
    leaves 3 explain -m sc -p none "$work/endless.litmus"
    out_has '^Not known: no state breaks it'
    # A source with a race, which each test refines (semantics.md), whether a state is among its own or not: x = 5 is not, 1 and 2 are.
    printf '%s\n' 'OPENCL racing' '{ nvm x = 0; }' 'P0@wg 0 (global int* x) { *x = 1; }' 'P1@wg 1 (global int* x) { *x = 2; }' \
        'crash forall (x = 0)' >"$work/racing.litmus"
    for value in 5 1; do
        printf '%s\n' 'OPENCL held' '{ nvm x = 0; }' "P0 (global int* x) { *x = $value; }" \
            'crash refines "racing.litmus" under hrf-direct + epoch' >"$work/held.litmus"
        leaves 3 check -m sc -p strict "$work/held.litmus"
        out_has '^Not known: '
        leaves 3 explain -m sc -p strict "$work/held.litmus"
        out_has '^Not known: '
        out_has 'vacuous: the source is undefined (race)'
        out_lines '^Holds' 0
    done
}

# Each of 11 stores is before y by a pair of its own, and all of these go through the one barrier: 12 reasons, none to spare.
summed() {
    {
        printf '%s\n' 'OPENCL many' '{ nvm a[11]; nvm y = 0; }' 'P0 {' "  $(seq -f 'a[%g] = 1;' -s ' ' 0 10)" '  p_barrier_wi;' '  *y = 1;' '}'
        echo "crash ~exists (y = 1 /\\ ($(seq -f 'a[%g] = 0' -s ' \/ ' 0 10)))"
    } >"$work/summed.litmus"
    leaves 0 explain -m sc -p buffered-epoch "$work/summed.litmus"
    grep -A 1 '^In the model because of these 12 together; without any one of them a state satisfies it:$' "$work/out" |
        grep -q '^In short: 11 persist-before of P0; 1 persist-barrier of P0$'
    verdict $? "what 12 reasons are is summed up first"
}

# `check --explain` has behind the answers what `explain` says, of what is violated alone: epoch's barrier keeps x = 0 from a
# crash with y = 1, so condition 1 is violated and condition 2 holds. Under `none` it is the other way round, and of a
# test that is ok where `violated` was expected both are explained.
beside_verdicts() {
    printf '%s\n' 'OPENCL beside' '{ nvm x = 0; nvm y = 0; }' 'P0 (global int* x, global int* y) {' '  *x = 1; p_barrier_wi; *y = 1;' '}' \
        'crash exists (y = 1 /\ x = 0)' 'crash ~exists (y = 1 /\ x = 0)' >"$work/beside.litmus"
    for of in epoch:1 none:2; do
        leaves 0 explain -m sc -p "${of%:*}" --condition "${of#*:}" "$work/beside.litmus"
        cp "$work/out" "$work/explained"
        leaves 1 check --format herd --explain -m sc -p "${of%:*}" "$work/beside.litmus"
        sed -n '/^Test beside, models/,/^Summary/p' "$work/out" | sed '/^Summary/d' | diff - "$work/explained" >"$work/differs"
        verdict $? "what check says of condition ${of#*:} under ${of%:*} is what explain says"
    done
    sed '/~exists/d' "$work/beside.litmus" >"$work/surprise.litmus"
    printf 'crash exists (y = 1)\nexpect sc + none : violated\nexpect sc + epoch : violated\n' >>"$work/surprise.litmus"
    leaves 1 check --format herd --explain "$work/surprise.litmus"
    out_lines '^Condition [12] ' 3
    out_lines '^Test beside, models sc + none$' 2
    leaves 1 check -m sc -p epoch "$work/beside.litmus"
    out_lines ': no state ' 0
    leaves 1 check --explain -m sc -p epoch --format json --format "html=$work/beside.html" --format "junit=$work/beside.xml" "$work/beside.litmus"
    out_lines '"verdict":"violated"' 1
    out_lines '"number":1,' 1
    out_lines . 2
    grep -q '<h4>Explanation</h4>.*' "$work/beside.html" && grep -q '^Violated: no state satisfies it, because of' "$work/beside.html" && grep -q '^Violated: no state satisfies it, because of' "$work/beside.xml"
    verdict $? "the page and the findings have the reason"
    leaves 2 check --explain --engine machine "$bare"
    err_has 'explain asks the model: leave --engine machine away, or ask crashlit trace'
    leaves 2 check --explain --property idempotent-recovery "$bare"
    err_has 'explain is of conditions: leave --property idempotent-recovery away'
    # The machine's part of all engines is not explained, and the model's is, once.
    leaves 1 check --format herd --explain --engine all -m hrf-direct -p epoch "$work/beside.litmus"
    out_lines '^Condition 1 exists' 1
}

# Both strict models put val before key by po alone; the crash point of fig4 is line 8, its
# barrier line 6 (of the individual reading; the derivations are in tests/unit/test_explain.c).
reasons() {
    line=$(grep -n '^let persist-before' models/persistency/buffered-strict.cat | cut -d: -f1)
    leaves 0 explain -m sc -p buffered-strict --format json "$bare"
    out_has '"reachable":false,"reasons":\[{"kind":"persist-before","name":"persist-before","file":"builtin:persistency/buffered-strict.cat","line":'"$line"',"lines":\[5,6\],"necessary":true,"group":0,"words":"[^"]*"}\],"minimal":true'
    leaves 0 explain -m hrf-indirect -p epoch-individual --condition 2 "$fig4"
    out_has 'crash-point: the crash comes at a crash statement: line 8'
    out_has "durable-before .*: P0's W Y at line 5 is durable before P0's PB WG at line 6 executes"
    out_has 'persist-barrier litmus/spb/fig4.litmus:6: '
    # Nothing to compare at a crash at the end: a sanitizer saw the pair that there is none of.
    leaves 0 explain --crash end litmus/ptx/point-fence.litmus
    leaves 0 explain -m hrf-indirect -p epoch-individual --condition 2 --crash anywhere "$fig4"
    out_has '^Violated: a state ' # nothing has to have executed: Y = 0 is the initial state
}

# Both writes of P0 stand in line 3, so their columns tell them apart. Coherence may have either first:
# 2 before 1 is a cycle with po, 1 before 2 leaves one through the flag and back by fr. The first is one
# entry of five, the others being steps of the second: 2, f, f, x, 2.
alike() {
    cat >"$work/alike.litmus" <<'END'
OPENCL alike
{ x = 0; atomic_int f = 0; }
P0@wg 0 (global int* x, global atomic_int* f) { *x = 1; *x = 2; f.store(1, mo_rel, dev_scope); }
P1@wg 1 (global int* x, global atomic_int* f) { int r = f.load(mo_acq, dev_scope); int s = *x; }
exists (1:r = 1 /\ 1:s = 1)
END
    leaves 0 explain -m sc -p none "$work/alike.litmus"
    out_has "P0's W x at line 3, column 49 before P0's W x at line 3, column 57, or the other way round, not both\$"
    out_has "P1's R x at line 4 before P0's W x at line 3, column 57\$"
    out_lines ' before ' 5
}

# y is behind x by the order of the two sets, for which both have to be transactions. Without an end the second one
# would never be durable, which the test does not say: its ends are not given up.
transactions() {
    leaves 0 explain -m sc -p chen-helper --condition 1 litmus/helper-warps/hw03-order-thread.litmus
    out_has "^  persist-before .*: P0's W x at line 7 is durable before P0's W y at line 10 is\$"
    out_lines '^  fence .*| TX_START;' 2
    out_lines '^  [a-z]' 3
}

# P2's barrier orders P0's write as well, since P2 has read what P1 wrote behind its own: barrier-order is po; [PB]; po, pmo
# has rf beside it (SPB section 5, definition (2)), so the way from W x to W z is rf, po, po, rf, po, po.
chain() {
    cat >"$work/chain.litmus" <<'END'
OPENCL chain
{ nvm atomic_int x = 0; nvm atomic_int y = 0; nvm atomic_int z = 0; }
P0@wg 0 { x.store(1, mo_rlx, dev_scope); }
P1@wg 1 { int r = x.load(mo_rlx, dev_scope);
  p_barrier_wi;
  y.store(r, mo_rlx, dev_scope); }
P2@wg 2 { int r = y.load(mo_rlx, dev_scope);
  p_barrier_wi;
  z.store(r, mo_rlx, dev_scope); }
crash ~exists (z = 1 /\ x = 0)
END
    leaves 0 explain -m hrf-direct -p epoch "$work/chain.litmus"
    grep -A 2 "^  persist-before .* P0's W x at line 3 is durable before P2's W z at line 9 is\$" "$work/out" | sed 1d >"$work/chain.out"
    cat >"$work/chain.wanted" <<'END'
      by P0's W x at line 3 -rf-> P1's R x at line 4 -po-> P1's PB WI at line 5 -po-> P1's W y at line 6
         -rf-> P2's R y at line 7 -po-> P2's PB WI at line 8 -po-> P2's W z at line 9
END
    cmp -s "$work/chain.wanted" "$work/chain.out"
    verdict $? "the chain from the write to the write is told: $(cat "$work/chain.out")"
    leaves 0 explain -m hrf-direct -p epoch --format json "$work/chain.litmus"
    out_has '"chain":\[{"relation":null,"thread":"P0","line":3,"access":"W x"},{"relation":"rf","thread":"P1","line":4,"access":"R x"},{"relation":"po","thread":"P1","line":5,"access":"PB WI"}'
}

# Of a table a step has the cell of its own thread.
cells() {
    cat >"$work/cells.litmus" <<'END'
PTX cells
{ x = 0; y = 0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1   | st.weak y, 2   ;
exists (x = 1 /\ y = 2)
END
    leaves 0 explain -m ptx -p none "$work/cells.litmus"
    out_has '  | st.weak x, 1$'
    out_has '  | st.weak y, 2$'
}

# P0 passes its barrier under no model that waits for P1 there, and gets to y = 2 under one without.
waits() {
    cat >"$work/waits.litmus" <<'END'
OPENCL waits
{ nvm x = 0; nvm y = 0; }
P0@wg 0 (global int* y) { *y = 1; p_barrier_wg; *y = 2; }
P1@wg 0 (global int* x) { *x = 1; }
crash ~exists (y = 2)
END
    leaves 0 explain -m sc -p epoch "$work/waits.litmus"
    out_has "waits builtin:collective.cat:[0-9]*: work-items wait for each other at P0's PB WG at line 3\$"
    leaves 0 explain -m sc -p epoch --format json "$work/waits.litmus"
    out_has '"reachable":false,"reasons":\[{"kind":"waits",.*"lines":\[3\],"necessary":true,"group":0,"words":"[^"]*"}\],"minimal":true'
    leaves 0 explain -m sc -p epoch --format dot "$work/waits.litmus"
    out_has 'work-items wait at persist barriers'
    leaves 0 explain -m sc -p none "$work/waits.litmus"
    out_has '^Violated: a state '
}

# X races under HRF-direct, and P0 waits for ever under the collective reading.
undefined() {
    leaves 0 explain -m hrf-direct -p epoch-individual --condition 2 "$fig4"
    out_has "^Undefined race: P0's W X at line 5 and P2's R X at line 17"
    leaves 0 explain -m hrf-direct -p epoch --condition 2 --format json "$fig4"
    out_has '"undefined":\[{"kind":"barrier-divergence"'
    # x races, and behind that no states are looked for: none is said to be lacking, and that a condition holds is said of what
    # states there are. There is none where g is never 7, and x = 1 or 2 where it is.
    printf '%s\n' 'OPENCL raced' '{ nvm x = 0; int g = 0; }' 'P0@wg 0 (global int* x, global int* g) { *x = 1; if (*g == 7) { crash; } }' \
        'P1@wg 1 (global int* x) { *x = 2; }' 'crash forall (x = 3)' 'crash exists (x = 1)' 'final exists (x = 1)' >"$work/raced.litmus"
    leaves 0 explain -m hrf-direct -p epoch "$work/raced.litmus"
    out_lines '^Holds\|^Violated' 0
    out_lines '^So any result is allowed$' 3
    out_has '^As if it were defined (holds, if there is such a state at all): no state breaks it, '
    out_has '^As if it were defined (violated): no state satisfies it, '
    out_lines 'of nothing\|^So the condition would' 0
    out_has '^As if it were defined (holds): a state satisfies it$'
    printf '%s\n' 'OPENCL met' '{ nvm x = 0; atomic_int g = 0; }' 'P0@wg 0 (global int* x, global atomic_int* g) { *x = 1; if (g.load(mo_rlx, dev_scope)) { crash; } }' \
        'P1@wg 1 (global int* x, global atomic_int* g) { *x = 2; g.store(7, mo_rlx, dev_scope); }' 'crash forall (x < 3)' >"$work/met.litmus"
    leaves 0 explain -m hrf-direct -p epoch "$work/met.litmus"
    out_has '^As if it were defined (holds, if there is such a state at all): no state breaks it, '
    out_lines 'of nothing' 0
}

# What is known of a source counts as it does for check. The bound of `counting` leaves out n = 3, and y and x come in any order
# from a source whose recovery waits for ever at x = 1: of both a state breaks the condition, whatever the source may have.
sources() {
    limits=tests/corpus/refines
    leaves 3 explain "$limits/loop-unknown.litmus"
    out_has '^Not known: a state breaks it; of the source: the loop at line 5 met its unroll bound'
    leaves 3 explain --format json "$limits/loop-unknown.litmus"
    out_has '"reason":"of the source: the loop at line 5 met its unroll bound'
    printf '%s\n' 'OPENCL endless' '{ nvm x = 0; }' 'P0 (global int* x) { *x = 1; }' 'recovery (global int* x) { while (*x); }' \
        'recovered forall (x = 0)' >"$work/endless-source.litmus"
    printf '%s\n' 'OPENCL over' '{ nvm x = 0; }' 'P0 (global int* x) { *x = 2; }' 'recovery (global int* x) { *x = 3; }' \
        'recovered refines "endless-source.litmus" under sc + epoch' >"$work/over.litmus"
    leaves 1 -m sc -p none "$work/over.litmus"
    out_has "^Error: livelock: from some crash state the source's recovery"
    leaves 0 explain -m sc -p none "$work/over.litmus"
    out_has "^Error: a recovered state breaks it; livelock: from some crash state the source's recovery never completes\$"
}

# Every change that is tried leaves plain accesses plain, and under HRF a plain store races with an access of another
# work-group that nothing orders behind it. P1 leaves its loop by f, so x, which it reads there as well, is not what it waits for.
# A store that is an atomic races with the plain read all the same; both ends being atomics of one scope, no more is plain.
races() {
    set -- 'P0@wg 0 (global int* x, global int* f) {' '  *x = 42;' '  *f = 1;' '}' 'P1@wg 1 (global int* x, global int* f) {' '  int r;'
    cat >"$work/race.litmus" <<'END'
OPENCL race
{ x = 0; nvm y = 0; }
P0 { *x = 1; }
P1 { *y = *x; }
crash ~exists (y = 2)
END
    leaves 0 explain "$work/race.litmus"
    out_has '^In what was tried no plain access became an atomic$'
    out_has '^Of the race on x:$'
    out_has "^  P0's W x at line 3 is no atomic  | P0 { \*x = 1; }\$"
    out_has "^  P1's R x at line 4 is no atomic  | P1 { \*y = \*x; }\$"
    out_has '^Both have to be atomics, with orders and scopes that reach each other, or something has to order them: docs/using/what-now.md$'
    # The plain store to the flag is why a races.
    printf '%s\n' 'OPENCL flag' '{ nvm a = 0; nvm atomic_int f = 0; }' 'P0@wg 0 (global int* a, global atomic_int* f) { *a = 1; p_barrier_wi; *f = 1; }' \
        'P1@wg 1 (global int* a, global atomic_int* f) { int g = f.load(mo_acq, dev_scope); int r = 0; if (g) r = *a; }' \
        'crash ~exists (f = 1 /\ a = 0)' >"$work/flag.litmus"
    leaves 0 explain -m hrf-direct -p epoch "$work/flag.litmus"
    out_has '^Of the race on f:$'
    out_has "^  P0's W f at line 3 is no atomic "
    for loop in '  while (*f == 0);' '  do { r = *x; } while (*f == 0);'; do
        printf '%s\n' 'OPENCL spun' '{ x = 0; f = 0; }' "$@" "$loop" '  r = *x;' '}' '~exists (1:r = 0)' >"$work/spun.litmus"
        leaves 0 explain "$work/spun.litmus"
        out_has '^Mend the race on f first, for which P1 waits at line 9:$'
        out_has "^  P0's W f at line 5 is no atomic  | \*f = 1;\$"
        out_lines "^  P1's R f at line 9 is no atomic  | " 1
        out_has '^Both have to be atomics, with orders and scopes that reach each other: docs/using/what-now.md$'
        out_lines 'is no atomic' 2
        out_lines 'CUDA' 0
    done
    sed 's/^{/uses "cuda.def" {/; s/\*f = 1/atomicExch(f, 1)/' "$work/spun.litmus" >"$work/half.litmus"
    leaves 0 explain -m hrf-direct "$work/half.litmus" # cuda.def's ptx calls no race undefined
    out_has "^  P0's W f at line 5 is an atomic  | atomicExch(f, 1);\$"
    out_lines 'is no atomic' 1
    out_has '^In CUDA atomicExch writes and atomicAdd(.., 0) reads, .*: docs/using/cuda.md$'
    printf 'OPENCL apart\n{ atomic_int f = 0; }\nP0@wg 0 { f.store(1, mo_rel, wg_scope); }\nP1@wg 1 { int r = f.load(mo_acq, dev_scope); }\n%s\n' \
        '~exists (1:r = 2)' >"$work/apart.litmus"
    leaves 0 explain "$work/apart.litmus"
    out_has '^Undefined race: '
    out_lines 'no atomic\|race on' 0
}

# x = 2 comes behind y whatever is added, so nothing will do; none is said to before all was tried, which is more
# than may be. Nothing is advised then.
barrier_before_await() {
    cat >"$work/await.litmus" <<'END'
OPENCL await
{ nvm x = 0; nvm y = 0; atomic_int f = 0; }
P0@wg 0 (global int* x, global int* y, global atomic_int* f) {
  *x = 1;
  while (!f.load(mo_acq, wg_scope));
  *y = 1;
  *x = 2;
}
P1@wg 0 (global int* x, global atomic_int* f) { if (*x == 1) { f.store(1, mo_rel, wg_scope); } }
recovery P0 (global int* x) { int r = *x; } P1 (global int* y) { int r = *y; }
recovered ~exists (y = 1 /\ x != 2)
END
    leaves 0 explain -m sc -p epoch "$work/await.litmus"
    out_has "^Missing order: in this execution nothing makes P0's W x at line 4 durable before P0's W y at line 6"
    out_has '^No advice was found: more combinations were left than may be tried$'
    out_lines '^Advice' 0
    # Two barriers stand there and none orders anything: both are named.
    printf 'OPENCL nor\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) {\n  *x = 1;\n  p_barrier(wi_scope);\n  p_barrier(wi_scope);\n  *y = 1;\n}\ncrash ~exists (y = 1 /\\ x = 0)\n' >"$work/nor.litmus"
    leaves 0 explain -m sc -p none "$work/nor.litmus"
    out_has "^  between them stands P0's p_barrier(wi_scope) at line 5, which does not order them$"
    out_has "^  nor does P0's p_barrier(wi_scope) at line 6$"
}

# A test in a file of its own, explained.
explained() { # name, visibility, persistency
    cat >"$work/$1.litmus"
    leaves 0 explain -m "$2" -p "$3" "$work/$1.litmus"
}

# What is advised is said, and put there by hand. W x po PB WI po W f rf R f po W y: under both epochs x is durable
# before the barrier executes, and that before y, so the narrowest barrier before the release does.
TOLD='P0@wg 0 (global int* x, global atomic_int* f) {
  *x = 1;
  f.store(1, mo_rel, dev_scope);
}
P1@wg 1 (global int* y, global atomic_int* f) {
  while (!f.load(mo_acq, dev_scope));
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)'
tried_alone() {
    for model in epoch epoch-individual; do
        printf 'OPENCL told\n{ nvm x = 0; nvm y = 0; atomic_int f = 0; }\n%s\n' "$TOLD" |
            explained told hrf-direct "$model"
        out_has '^  line 5: p_barrier_wi is added$'
        out_lines ' is added$' 1
        sed 's/^  f.store/  p_barrier_wi; f.store/' "$work/told.litmus" >"$work/told-mended.litmus"
        leaves 0 -m hrf-direct -p "$model" "$work/told-mended.litmus" # so it is
    done
}

# Two orders at once are wanted among more fillings than are tried: the store of f
# releases and the load acquires. Without either the load of x is not ordered, and each has its line that says so.
steps_behind_a_search() {
    explained passed hrf-direct-relaxed epoch <<'END'
OPENCL passed
{ atomic_int x = 0; atomic_int f = 0; }
P0@wg 0 (global atomic_int* x, global atomic_int* f) {
  x.store(1, mo_rlx, wg_scope); f.store(1, mo_rlx, wg_scope);
}
P1@wg 0 (global atomic_int* x, global atomic_int* f) {
  int r = f.load(mo_rlx, wg_scope); int s = x.load(mo_rlx, wg_scope);
}
filter (1:r = 1)
final forall (1:s = 1)
END
    out_has '^  line 4:[0-9]*: mo_rel in place of mo_rlx$'
    out_has '^  line 7:[0-9]*: mo_acq in place of mo_rlx$'
    out_lines '^    with mo_rlx: forall (1:s=1) is violated: 1:s=0$' 2
}

# x is hb-before P1's barrier, and the barrier before g and y: within(WG) has x and the barrier when it is of that scope,
# po alone has not; within(SG) does where both are of one sub-group, of which a header then speaks. Under none no barrier
# orders. Under the collective reading the wider one would wait for ever, as P0 has none; P0's own behind x does, since x is
# durable before it executes.
narrowest() {
    explained relay hrf-indirect epoch-individual <<'END'
OPENCL relay
{ nvm x = 0; nvm y = 0; atomic_int f = 0; atomic_int g = 0; }
P0@wg 0 (global int* x, global atomic_int* f) {
  *x = 1;
  f.store(1, mo_rel, wg_scope);
}
P1@wg 0 (global atomic_int* f, global atomic_int* g) {
  while (!f.load(mo_acq, wg_scope));
  p_barrier_wi;
  g.store(1, mo_rel, dev_scope);
}
P2@wg 1 (global int* y, global atomic_int* g) {
  while (!g.load(mo_acq, dev_scope));
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^  line 9: p_barrier_wg in place of p_barrier_wi$'
    out_has '^    with p_barrier_wi: ~exists (y=1 /\\ x=0) is violated: x=0, y=1$'
    out_lines '^  line ' 1
    sed 's/@wg 0 (global int/@sg 1, wg 0 (global int/' "$work/relay.litmus" |
        explained relay-apart hrf-indirect epoch-individual
    out_has '^  line 9: p_barrier_wg in place of p_barrier_wi$'
    sed 's/@wg 0 (/@sg 1, wg 0 (/' "$work/relay.litmus" |
        explained relay-sg hrf-indirect epoch-individual
    out_has '^  line 9: p_barrier_sg in place of p_barrier_wi$'
    leaves 0 explain -m hrf-indirect -p epoch "$work/relay.litmus"
    out_has '^  line 5: p_barrier_wi is added$'
    leaves 0 explain -m hrf-indirect -p none "$work/relay.litmus"
    out_has "^Nothing that could be wider, stronger or added makes every condition hold, nor two stores in each other's place\$"
    out_has '^  ~exists (y=1 /\\ x=0) is violated: x=0, y=1$'
    out_has '^    no such change meets it$'
    out_lines '^Advice' 0
}

# W x po PB WI po B WG syncbar B WG po W y: x is durable before P0 executes its persist barrier, and P1 comes
# behind it. So before a release that the third of a row of stores precedes.
before_execution_barrier() {
    explained sync hrf-direct epoch <<'END'
OPENCL sync
{ nvm x = 0; nvm y = 0; }
P0@wg 0 (global int* x) {
  *x = 1;
  sync_barrier_wg;
}
P1@wg 0 (global int* y) { sync_barrier_wg; *y = 1; }
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^  line 5: p_barrier_wi is added$'
    sed 's/^  sync/  p_barrier_wi; sync/' "$work/sync.litmus" >"$work/sync-mended.litmus"
    leaves 0 -m hrf-direct -p epoch "$work/sync-mended.litmus"
}

# What the definition file offers is added, by its name: the GPU's persist makes x durable before it executes. Under a model
# that knows persist barriers these are added as well: W x po PB WI po W y. kiln has transactions alone. A mark of a transaction put
# anywhere: a barrier orders nothing under kiln.
own_fences() {
    explained own sc gpm <<'END'
OPENCL own
uses "gpm.def"
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0@kr 1 (global int* x, global int* y, global int* z) {
  *x = 1;
  *y = 1;
  gpm_persist();
  *z = 1;
}
P1{cpu} { pmem_drain(); }
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^  line 6: gpm_persist() is added$'
    leaves 0 explain -m sc -p gpm -f json "$work/own.litmus"
    out_has '"advice":{"result":"found","for":"test","words":"line 6: gpm_persist() is added","fewest":true,"confirmed_by":"[a-z, ]*","changes":\[{"file":"[^"]*","line":6,"before":null,"after":"  gpm_persist();","column":1,"end_line":6,"end_column":1,"text":"  gpm_persist();\\u000a"}\],"conflict":\[\]}'
    leaves 0 explain -m sc -p epoch "$work/own.litmus"
    out_has '^  line 6: p_barrier_wi is added$'
    leaves 0 explain -m sc -p kiln "$work/own.litmus"
    out_has '^Nothing that could be wider'
    out_has '^Tried as additions: .*gpm_persist().*; no others$'
    leaves 0 explain -m sc -p kiln -f json "$work/own.litmus"
    # kiln has no persist barriers, and of gpm.def the model knows what has a memory order: gpm_persist alone.
    out_has '"advice":{"result":"none","additions":\["gpm_persist()"\],"swaps":"none","conflict":\[{"reason":"violated",.*"met":false}\]}'
    explained marks sc kiln <<'END'
OPENCL marks
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0 (global int* x, global int* y, global int* z) {
  *x = 1;
  *y = 1;
  __fence{tx_begin};
  *z = 1;
  __fence{tx_end};
}
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^Nothing that could be wider'
    out_lines '^Advice' 0
}

# A test that uses definitions and calls none yet: x = 1; y = 1.
bare_with() { # name, definition file, persistency
    explained "$1" sc "$3" <<END
OPENCL $1
uses "$2"
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0 (global int* x, global int* y, global int* z) {
  *x = 1;        // lost
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
}

# By the models: gpm_persist and oFence each order the writes before them with those behind. Under lin-adr a line that was
# written back is durable behind a fence: W x po clwb(x) po sfence po W y. Neither will do alone; for
# l2wb() in place of clwb(x) there is no point with room for the fence behind it. Where x is written back the fence is missing.
definitions() {
    bare_with persist gpm.def gpm
    out_has '^  line 6: gpm_persist() is added$'
    leaves 0 explain -m sc -p epoch "$work/persist.litmus"
    out_has '^  line 6: p_barrier_wi is added$'
    bare_with ordered sbrp.def sbrp
    out_has '^  line 6: oFence() is added$'
    bare_with adr lin.def lin-adr
    out_has '^  line 5:3: clwb(x) is added$'
    out_has '^  line 6:3: sfence() is added$'
    sed 's/\/\/ lost/clwb(x);/' "$work/adr.litmus" | explained adr-flushed sc lin-adr
    out_has '^  line 6: sfence() is added$'
    sed 's/^  \*y = 1;/  sfence(); *y = 1;/' "$work/adr-flushed.litmus" >"$work/adr-mended.litmus"
    leaves 0 check --format herd -m sc -p lin-adr "$work/adr-mended.litmus"
    out_has '^Observation .* Never 0 '
}

# The body of an `if` without braces is one statement, so nothing is put into it; the statement before it has a place. A
# mark of a transaction, which comes in pairs, is not added.
definitions_in_places() {
    explained body sc gpm <<'END'
OPENCL body
uses "gpm.def"
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0 (global int* x, global int* y, global int* z) {
  *x = 1;
  if (*z == 0)
    *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^  line 6: gpm_persist() is added$'
    explained unmarked sc kiln <<'END'
OPENCL unmarked
uses "tx.def"
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) {
  *x = 1;
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
    out_lines 'tx_' 0
}

# What may be added are fences, flushes and barriers alone: in the model every F between two stores orders them, so any fence of the file would do.
# CRASH1 is a mark without a meaning in the model, NOTHING does nothing, bump stores, and tried may do either.
nothing_but_fences() {
    printf '%s\n' '"each fence orders"' "instructions F['drain]" "instructions CM['wb]" \
        'let persist-before = [W & NVM]; po; [F | CM]; po; [W & NVM]' >"$work/each.cat"
    printf '%s\n' 'CRASH1() { __fence{crash1}; }' 'NOTHING() { ; }' 'bump(X) { *X = 1; __cm{wb}(X); }' 'mark(X) { __cm{crash1}(X); }' \
        'tried(X) { if (1) __cm{wb}(X); }' >"$work/marks.def"
    printf '%s\n' 'drain() { __fence{drain}; }' >"$work/drain.def"
    printf '%s\n' 'writeback(X) { __cm{wb}(X); }' >"$work/wb.def"
    printf '%s\n' 'meet { p_barrier_wi; }' >"$work/meet.def"
    set -- '{ nvm x = 0; nvm y = 0; }' 'P0 (global int* x, global int* y) {' '  *x = 1;' '  *y = 1;' '}' 'crash ~exists (y = 1 /\ x = 0)'
    printf '%s\n' 'OPENCL marks-alone' 'uses "marks.def"' "$@" >"$work/marks-alone.litmus"
    leaves 0 explain -m sc -p "$work/each.cat" "$work/marks-alone.litmus"
    out_has '^Nothing that could be wider, stronger or added'
    out_lines 'CRASH1\|NOTHING\|bump\|mark(\|tried' 0
    for with in 'drain.line 7: drain()' 'wb.line 6: writeback(x)'; do
        printf '%s\n' 'OPENCL with' 'uses "marks.def"' "uses \"${with%%.*}.def\"" "$@" >"$work/with.litmus"
        leaves 0 explain -m sc -p "$work/each.cat" "$work/with.litmus"
        out_has "^  ${with#*.} is added\$"
        out_lines 'CRASH1\|NOTHING\|bump\|mark(\|tried' 0
    done
    printf '%s\n' 'OPENCL with' 'uses "marks.def"' 'uses "meet.def"' "$@" >"$work/with.litmus"
    leaves 0 explain -m sc -p epoch "$work/with.litmus"
    out_has '^  line 7: meet() is added$'
}

# Places by hand: in the first test y is stored behind `*x = 1; `, in the second behind the other store of x; of a table it is the cell
# of the work-item. Under none no barrier orders, wherever it is put.
places() {
    explained columns hrf-direct epoch <<'END'
OPENCL columns
{ nvm x = 0; nvm y = 0; }
P0 (global int* x, global int* y) {
  /* é */ *x = 1; *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^+  /\* é \*/ \*x = 1; p_barrier_wi; \*y = 1;$'
    explained else hrf-direct epoch <<'END'
OPENCL else
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0 (global int* x, global int* y, global int* z) {
  *x = 1;
  if (*z) { *x = 2; }
  else { *x = 3; *y = 1; }
}
crash ~exists (y = 1 /\ x != 3)
END
    out_has '^+  else { \*x = 3; p_barrier_wi; \*y = 1; }$'
    explained table ptx epoch <<'END'
PTX table
{ nvm x = 0; nvm y = 0; f = 0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;
 st.weak x, 1        | WAIT:                ;
 st.release.gpu f, 1 | ld.acquire.gpu r0, f ;
                     | beq r0, 0, WAIT      ;
                     | st.weak y, 1         ;
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^+ pbar.thread | ;$'
    explained head sc none <<'END'
OPENCL head
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0 (global int* x, global int* y, global int* z) {
  *x = 1;
  int r = *z,
      s = *z;
  for (int i = *z; i < 2 - *z; i += 1 + *z) { *y = 1; }
}
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^Nothing that could be wider'
}

# y = 1 shows that x = 1 was read, which P1 had written. A barrier of P0 before line 5 has a before y. Between x and z one of
# P1 has x before z, and so wherever z = 1. Either alone leaves the other: two work-items, a barrier each.
within_a_statement() {
    explained within hrf-direct epoch <<'END'
OPENCL within
{ nvm a = 0; nvm atomic_int x = 0; nvm atomic_int y = 0; nvm z = 0; }
P0@wg 0 (global int* a, global atomic_int* x, global atomic_int* y) {
  *a = 1;
  y.store(x.load(mo_acq, dev_scope), mo_rel, dev_scope);
}
P1@wg 1 (global atomic_int* x, global int* z) {
  x.store(1, mo_rel, dev_scope);
  *z = 1;
}
crash ~exists (y = 1 /\ (a = 0 \/ x = 0 /\ z = 1))
END
    out_has "durable before P0's W y at line 5"
    out_has '^  line 5: p_barrier_wi is added$'
    out_has '^  line 9: p_barrier_wi is added$'
    out_lines ' is added$' 2
}

# Either barrier has x hb-before it and y behind it, by release and acquire; without these it takes both, the one
# for x before f, the other for what reads f before y. Only persist-before from x to y forbids, as nothing waits.
either() {
    explained either hrf-direct buffered-epoch-individual <<'END'
OPENCL either
{ nvm x = 0; nvm y = 0; atomic_int f = 0; }
P0@wg 0 (global int* x, global atomic_int* f) {
  *x = 1;
  p_barrier_wg;
  f.store(1, mo_rel, wg_scope);
}
P1@wg 0 (global int* y, global atomic_int* f) {
  while (!f.load(mo_acq, wg_scope));
  p_barrier_wg;
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
    ! grep -q 'together; without any one' "$work/out"
    verdict $? "it is not said that all are needed"
    grep -A 2 '^Without any one of these still none does' "$work/out" | grep -c 'persist-barrier' | grep -qx 2
    verdict $? "both barriers are said to be spare"
    grep -A 1 '^Without this one a state satisfies it' "$work/out" | grep -q 'persist-before'
    verdict $? "the rule is said to be necessary"
    out_has '^Holds: no state satisfies it, for independent reasons; each of these is enough, without all else:$'
    out_has '^  line 5 p_barrier_wi, line 10 p_barrier_wi$'
    out_has '^  line 5 p_barrier_wg, line 6 mo_rel, line 9 mo_acq$'
    out_has '^  line 6 mo_rel, line 9 mo_acq, line 10 p_barrier_wg$'
    out_lines 'perhaps others' 0
    out_lines 'because of these, in the program' 0
    leaves 0 explain -m hrf-direct -p buffered-epoch-individual --format json "$work/either.litmus"
    out_has '"line_sets":\[\[5,10\],\[5,6,9\],\[6,9,10\]\],"all_line_sets":true'
    out_has '"suffices":false,"sets":\[\[.*\],"all_sets":true}'
    for line in 5 10; do # so it is
        sed "${line}d" "$work/either.litmus" >"$work/one-of-two.litmus"
        leaves 0 -m hrf-direct -p buffered-epoch-individual "$work/one-of-two.litmus"
    done
    # Of the set of both barriers each is needed, once the rest is as small as may be.
    sed 's/mo_rel/mo_rlx/; s/mo_acq/mo_rlx/; s/p_barrier_wg/p_barrier_wi/' "$work/either.litmus" >"$work/small.litmus"
    leaves 0 -m hrf-direct -p buffered-epoch-individual "$work/small.litmus"
    for line in 5 10; do
        sed "${line}d" "$work/small.litmus" >"$work/smaller.litmus"
        leaves 1 -m hrf-direct -p buffered-epoch-individual "$work/smaller.litmus"
    done
}

# Across work-items, by hand. Nothing but two barriers that meet orders the two writes: whoever leaves has x durable, and
# nobody leaves a barrier of one work-item alone for another one. Where nobody waits there nothing does.
together() {
    explained meet hrf-direct epoch <<'END'
OPENCL meet
{ nvm x = 0; nvm y = 0; }
P0@wg 0 (global int* x) {
  *x = 1;
}
P1@wg 0 (global int* y) {
  *y = 1;
}
crash ~exists (y = 1 /\ x = 0)
END
    out_has '^  line 5: p_barrier_wg is added$'
    out_has '^  line 7: p_barrier_wg is added$'
    out_lines ' is added$' 2
    leaves 0 explain -m hrf-direct -p epoch-individual "$work/meet.litmus"
    out_has '^Nothing that could be wider'
    # x is a plain access, so without release and acquire there is a race; the pair of them alone is lighter than barriers.
    explained pass hrf-direct epoch <<'END'
OPENCL pass
{ x = 0; atomic_int f = 0; }
P0@wg 0, dev 0 (global int* x, global atomic_int* f) {
  *x = 1;
  f.store(1, mo_rlx, dev_scope);
}
P1@wg 1, dev 0 (global int* x, global atomic_int* f) {
  int r = f.load(mo_rlx, dev_scope);
  int s = 2;
  if (r) { s = *x; }
}
~exists (1:r = 1 /\ 1:s = 0)
END
    out_has '^  line 5: mo_rel in place of mo_rlx$'
    out_has '^  line 8: mo_acq in place of mo_rlx$'
    out_lines '^  line ' 2
    # Both conditions cannot be met: the key alone is to be durable, and never without the value.
    explained clash hrf-direct epoch <<'END'
OPENCL clash
{ nvm key = 0; nvm val = 0; }
P0 (global int* key, global int* val) {
  *val = 42;
  *key = 1;
}
crash ~exists (key = 1 /\ val = 0)
crash exists (key = 1 /\ val = 0)
END
    out_has "^Nothing that could be wider, stronger or added makes every condition hold, nor two stores in each other's place\$"
    out_has '^  exists (key=1 /\\ val=0) is unreached: '
    out_has '^Advice: with this the condition holds, though not all others$'
    out_has '^  line 5: p_barrier_wi is added$'
    out_lines '^Advice' 1
    # Whoever draws second writes slot[1] and counts, and slot[0] may never be written: no fence changes that. The other
    # condition is about P0's own slot, which is durable before it counts with a fence of the system's scope in between.
    explained late ptx gpm <<'END'
OPENCL late
uses "cuda.def"
{ nvm atomic_int next = 0; nvm slot[2]; nvm count = 0; }
P0@wg 0 (global atomic_int* next, global int* slot, global int* count) {
  int i = atomicAdd(next, 1);
  slot[i] = 1;
  __threadfence();
  atomicAdd(count, 1);
}
P1@wg 1 (global atomic_int* next) {
  int i = atomicAdd(next, 1);
}
crash ~exists (count = 1 /\ slot[0] = 0)
crash ~exists (count = 1 /\ slot[0] = 0 /\ slot[1] = 0)
END
    out_lines '^Nothing that could be wider, stronger or added makes every condition hold$' 2
    out_lines '^Not searched to the end: several statements at one point; \(more combinations were left than may be tried\|the time limit ran out\)$' 2
    out_lines '^No advice\|^Whether' 0
    out_lines '^    no such change meets it$' 2
    out_lines '^Advice: with this the condition holds, though not all others$' 1
    out_has '^  line 7: __threadfence_system() in place of __threadfence()$'
    # What all conditions want has more combinations than may be tried; P0's own fence is found for the first alone.
    explained record ptx gpm <<'END'
OPENCL record
uses "cuda.def"
{ nvm rec[2]; nvm sum = 0; nvm valid = 0; nvm index = 0; }
P0@wg 0 (global int* rec, global int* sum, global int* valid) {
  rec[0] = 7;
  rec[1] = 9;
  *sum = rec[0] ^ rec[1];
  __threadfence();
  *valid = 1;
}
P1@wg 1 (global int* valid, global int* index) {
  while (*valid == 0);
  __threadfence();
  *index = 1;
}
crash forall (valid = 1 => (rec[0] = 7 /\ rec[1] = 9 /\ sum = 14))
crash ~exists (index = 1 /\ valid = 0)
END
    out_lines '^Advice: with this the condition holds, though not all others$' 1
    out_has '^  line 8: __threadfence_system() in place of __threadfence()$'
    out_lines '^No advice was found: \(more combinations were left than may be tried\|the time limit ran out\)$' 1
}

# By figure 4 Y is durable when A is released, for the barrier at line 6 stands before that; without it nothing orders the two,
# and Y = 0 is left. X races with the other work-group's read unless all of A and B stay as wide and strong as that.
because() {
    leaves 0 explain -m hrf-indirect -p epoch-individual --condition 2 "$fig4"
    grep -A 1 '^Holds: no state satisfies it, because of these, in the program as it stands:$' "$work/out" |
        grep -q '^  line 6: p_barrier_wg; without it the state is reached: Y=0$'
    verdict $? "figure 4: the barrier at line 6 is what does it"
    out_lines '^Holds: no state satisfies it, because of' 1
    sed -n '/^Condition/{n;p;}' "$work/out" | grep -q '^Holds: no state satisfies it, because of these, in the program' && grep -q '^In the model because of these 3 together' "$work/out"
    verdict $? "the program's lines come first, the model's rules behind them"
    out_lines '; with .* undefined: race: W X' 8
    sed 6d "$fig4" >"$work/fig4-without.litmus"
    leaves 1 -m hrf-indirect -p epoch-individual "$work/fig4-without.litmus"
    leaves 0 explain -m sc -p epoch --condition 1 "$insert"
    out_has '^  line 6: p_barrier_wi; without it the state is reached: key0=1, val0=0'
    # Without line 15 the tail is durable before log[0].addr, which is -1 at first: recovery writes data[-1].
    leaves 0 explain -m hrf-direct -p epoch --condition 1 litmus/recovery/log-scan-truncated.litmus
    out_has '^  line 15: p_barrier_wi; without it undefined: .*: undefined operation (recovery P0, line 24)$'
    # Under sc reads and writes of a work-item stay in order without any of that.
    leaves 0 explain -m sc -p strict "$bare"
    out_lines 'in the program as it stands\|^No advice\|^Advice' 0
}

# A tree of n leaves, each of a work-group of its own, and a root behind the kernel's barriers.
tree() { # leaves, barriers, condition
    printf 'OPENCL tree\n{ nvm root = 0; '
    seq -f 'nvm leaf%g = 0;' -s ' ' 0 $(($1 - 1)) | tr '\n' ' '
    printf '}\nP0@wg 0 (global int* leaf0, global int* root) { *leaf0 = 1; %s *root = 1; }\n' "$2"
    for i in $(seq 1 $(($1 - 1))); do
        printf 'P%d@wg %d (global int* leaf%d) { *leaf%d = 1; %s }\n' "$i" "$i" "$i" "$i" "$2"
    done
    printf 'crash ~exists (root = 1 /\\ (%s))\n' "$3"
}

# Advice is what `place --repair` has, and lines that are said to be needed are, by other commands (explain_place.py).
texts() {
    # shellcheck disable=SC2086
    python3 tests/corpus/explain_place.py "$CRASHLIT" "$work" ${EXPLAIN_TESTS:-$insert litmus/recovery/torn-entry.litmus \
        litmus/sbrp/receipt-released.litmus litmus/published/hrocks-put.litmus litmus/launch/kernel-epochs.litmus} >"$work/texts"
    sed '$d' "$work/texts"
    counted=$(tail -n 1 "$work/texts")
    passed=$((passed + ${counted%% *}))
    counted=${counted#*, }
    failed=$((failed + ${counted%% *}))
}

# Nobody's write is lost but that which the condition is about, and who is not needed has not moved: z is P1's.
least() {
    tree 8 'sync_barrier_kr;' 'leaf5 = 0' | explained leaf5 hrf-direct epoch
    out_lines '^      lost: ' 1
    out_has "^      lost: P5's W leaf5"
    out_lines '^Missing order: ' 1
    explained alone hrf-direct epoch <<'END'
OPENCL alone
{ nvm a = 0; nvm b = 0; nvm c = 0; nvm z = 0; }
P0 (global int* a, global int* b, global int* c) { *b = 1; *c = 1; *a = 1; }
P1 (global int* z) { *z = 1; }
crash ~exists (a = 1)
END
    out_lines '^      lost: ' 0
    out_has '^State a=1; b=1; c=1; z=0;$'
    # The first store of x is enough: it executes and becomes durable.
    explained early sc epoch <<'END'
OPENCL early
{ nvm x = 0; nvm y = 0; nvm z = 0; }
P0 (global int* x, global int* y, global int* z) { *x = 1; *z = 2; *x = 1; *z = 1; *x = 1; *y = 2; }
P1 (global int* z) { *z = 3; }
crash ~exists (x = 1 /\ y = 0)
END
    out_lines '^ *[0-9]*\. ' 2
}

# Each leaf is ordered before the root by its own pair and barrier. P0's own pair is of one work-item, those of
# the others are alike; so are the barriers, whose code up to there is the same. All of them in JSON.
groups() {
    all=$(seq -f 'leaf%g = 0' -s ' \/ ' 0 15)
    tree 16 'sync_barrier_kr; p_barrier_kr;' "$all" | explained tree hrf-direct buffered-epoch
    out_has '^In the model because of these 3 together; without any one of them a state satisfies it:$'
    out_lines '^  persist-before ' 2
    out_has '^      and likewise with P2 to P15 in place of P1$'
    out_lines '^  persist-barrier ' 1
    out_has '^      and likewise with P1 to P15 in place of P0$'
    leaves 0 explain -m hrf-direct -p buffered-epoch --format json "$work/tree.litmus"
    grep -o '"kind":"persist-[a-z]*"' "$work/out" | wc -l | grep -qx ' *32'
    verdict $? "JSON has each reason"
    grep -o '"group":1,' "$work/out" | wc -l | grep -qx ' *15'
    verdict $? "JSON has the group of each"
    all=$(seq -f 'leaf%g = 0' -s ' /\ ' 0 3)
    tree 4 'sync_barrier_kr; p_barrier_kr;' "$all" >"$work/all-lost.litmus" # each of the four pairs is broken
    leaves 0 explain -m hrf-direct -p buffered-epoch --format svg "$work/all-lost.litmus"
    out_has "excluded by persist-before: P0's W leaf0 before P0's W root and 3 more"
    # Pairs of one work-item's loop: what differs is the access. Each leaf is before its own root by the barrier of its own round.
    for places in 'nvm root = 0;|} p_barrier_wi; *root = 1;|root = 1|leaf\[1\]; W leaf\[2\]' \
        'nvm root[3];|p_barrier_wi; root[i] = 1; }|root[N] = 1|leaf\[1\] and W root\[1\]; W leaf\[2\] and W root\[2\]'; do
        declared=${places%%|*} places=${places#*|}
        body=${places%%|*} places=${places#*|}
        printf 'OPENCL rounds\n{ %s nvm leaf[3]; }\nP0 (global int* leaf, global int* root) { for (int i = 0; i < 3; i++) { leaf[i] = 1; %s }\n' \
            "$declared" "$body" >"$work/rounds.litmus"
        all=$(for n in 0 1 2; do echo "(${places%%|*} /\\ leaf[N] = 0)" | sed "s/N/$n/g"; done | paste -sd '|' | sed 's,|, \\/ ,g')
        echo "crash ~exists ($all)" >>"$work/rounds.litmus"
        leaves 0 explain -m hrf-direct -p buffered-epoch "$work/rounds.litmus"
        out_has "^      and likewise of W ${places#*|}\$"
    done
    # Another work-item's loop: a pass of it is the same only where it accesses the same. Root i = 1 is P0's, = 2 is P1's, and each
    # has its own leaf in front: P0 of 0 and 1, P1 of 1 and 2. Of root 1 each of three has one.
    loop='{ for (int i = 0; i < 3; i++) { leaf[i] = %s; p_barrier_wi; root[i] = %s; } }\n'
    for places in '(root[0]=1 /\ leaf[0]=0) \/ (root[1]=1 /\ leaf[1]=0) \/ (root[2]=2 /\ leaf[2]=0) \/ (root[1]=2 /\ leaf[1]=0)|4|0' \
        '(root[1]=1 \/ root[1]=2 \/ root[1]=3) /\ leaf[1]=0|1|2'; do
        {
            printf 'OPENCL passes\n{ nvm root[3]; nvm leaf[3]; }\n'
            # shellcheck disable=SC2059 # the loop is a format
            for n in 1 2 3; do printf "P$((n - 1)) (global int* leaf, global int* root) $loop" $n $n; done
            printf '%s\n' "crash ~exists (${places%%|*})"
        } >"$work/passes.litmus"
        leaves 0 explain -m sc -p buffered-epoch "$work/passes.litmus"
        places=${places#*|}
        out_lines '^  persist-before ' "${places%|*}"
        out_lines '^      and likewise with P1, P2 in place of P0$' "${places#*|}"
    done
}

# r = 0 needs a third round: within the bound of two nothing is known, beyond it all is.
unknown() {
    {
        printf 'OPENCL bound\n{ atomic_int x = 3; }\nP0 (global atomic_int* x) { int r = 1;\n'
        printf 'while (r > 0) { r = atomic_fetch_sub_explicit(x, 1, memory_order_relaxed); } }\n'
        printf 'exists (0:r = 0)\n'
    } >"$work/bound.litmus"
    leaves 3 explain -m sc -p none "$work/bound.litmus"
    out_has '^Not known: the loop at line 4 met its unroll bound'
    leaves 3 explain -m sc -p none --format json "$work/bound.litmus"
    out_has '"reachable":null,"doubt":"the loop at line 4 met its unroll bound'
    leaves 0 explain -m sc -p none --unroll 4 "$work/bound.litmus"
    out_has '^Holds: a state '
    leaves 3 explain -m sc -p none --timeout 0.000001 "$insert"
    out_lines '^Not known: the time limit ran out' 4
}

# Who draws second counts while the first has yet to store: nothing that the condition names is lost, whatever is lost of
# `next`. The second condition names slot[1], which P0 has stored and lost. What P0 stores alone is one execution for both
# ways to ask for it.
unstored() {
    cat >"$work/drawn.litmus" <<'END'
OPENCL drawn
{ nvm atomic_int next = 0; nvm slot[2]; nvm atomic_int count = 0; }
P0@wg 0 (global atomic_int* next, global int* slot, global atomic_int* count) {
  int i = next.fetch_add(1);
  slot[i] = 1;
  count.store(1);
}
P1@wg 1 (global atomic_int* next, global int* slot) {
  int i = next.fetch_add(1);
  slot[i] = 2;
}
crash ~exists (count = 1 /\ slot[0] = 0)
crash ~exists (count = 1 /\ slot[0] = 2 /\ slot[1] = 0)
END
    leaves 0 explain -m sc -p epoch --condition 2 "$work/drawn.litmus"
    out_has "^Missing order: in this execution nothing makes P0's W slot\[1\] at line 5 durable before P0's W count at line 6"
    out_lines '^Missing order' 1
    out_lines 'has not come' 0
    leaves 0 explain -m sc -p strict "$work/drawn.litmus"
    out_has "^P1 has not come to its W slot\[0\] at line 10 when power fails\$"
    out_lines '^Missing order' 0
    leaves 0 explain -m sc -p strict -f json --condition 1 "$work/drawn.litmus"
    out_has '"missing":\[\],"unstored":\[{"thread":1,"line":10,"access":"W slot\[0\]","column":3}\]'
    # Forty elements of `a` that no condition names stand before x. Under strict the crash leaves y by not coming to x; under epoch, where
    # nothing stands between the writes, by losing it: the state that is told may lack all forty, too.
    {
        printf '%s\n' 'OPENCL many' '{ nvm a[40]; nvm x = 0; nvm y = 0; }' 'P0@wg 0 (global int* a, global int* x) {'
        seq 0 39 | sed 's/.*/  a[&] = 1;/'
        printf '%s\n' '  *x = 1;' '}' 'P1@wg 1 (global int* y) { *y = 1; }' 'crash ~exists (y = 1 /\ x = 0)'
    } >"$work/many.litmus"
    leaves 0 explain -m sc -p strict "$work/many.litmus"
    out_has "^P0 has not come to its W x at line 44 when power fails\$"
    out_lines 'has not come' 1
    sed -e '/^}/d' -e 's/^P1.*{\(.*\)}/\1}/' -e 's/global int\* x/&, global int* y/' "$work/many.litmus" >"$work/many-lost.litmus"
    leaves 1 check -m sc -p epoch --executions data -f json "$work/many-lost.litmus"
    out_has '"missing":\[{"earlier":{"thread":0,"line":44,"access":"W x"'
    sed -e 's/^crash/recovered/' -e 's/^P0/recovery { }\n&/' "$work/many-lost.litmus" >"$work/many-recovered.litmus"
    leaves 0 explain -m sc -p epoch "$work/many-recovered.litmus"
    out_has "^Missing order: in this execution nothing makes P0's W x at line 45 durable before P0's W y at line 46"
    out_lines '^Missing order' 1
    grep -v '^crash\|^expect' "$bare" >"$work/twice.litmus"
    printf 'crash ~exists (key = 1 /\\ val = 0)\ncrash forall (key = 1 => val = 42)\n' >>"$work/twice.litmus"
    leaves 0 explain -m sc -p epoch "$work/twice.litmus"
    out_lines '^State ' 1
    out_lines '^As for condition 1, by the same execution$' 1
    out_lines '^Missing order' 2
}

# A scope that would do is not tried, whoever else names it, where nothing offers it: a fence spelled as a primitive, and one of
# a definition file, keep theirs (place.md). Of ring-long a store that names it offers it, and so it is the advice.
untried() {
    printf 'halt() { __fence{mo_sc, dev_scope}; }\n' >"$work/halt.def"
    printf '%s\n' 'OPENCL halting' '{ nvm slot = 0; nvm tail = 0; atomic_int f = 0; }' \
        'P0 (global int* slot, global int* tail, global atomic_int* f) {' '  *slot = 42;' '  HALT;' '  *tail = 1;' \
        '  atomic_store_explicit(f, 1, memory_order_relaxed, memory_scope_all_svm_devices);' '}' \
        'crash ~exists (tail = 1 /\ slot = 0)' >"$work/halting.litmus"
    sed 's/HALT/__fence{mo_sc, dev_scope}/' "$work/halting.litmus" >"$work/halt-bare.litmus"
    leaves 0 explain -m ptx -p gpm "$work/halt-bare.litmus"
    out_has "^Not tried: all_scope for P0's __fence at line 5\$"
    sed 's/^crash/recovery { }\nrecovered/' "$work/halt-bare.litmus" >"$work/halt-recovered.litmus"
    leaves 0 explain -m ptx -p gpm "$work/halt-recovered.litmus"
    out_has "^Not tried: all_scope for P0's __fence at line 5\$"
    sed 's/HALT/halt()/; 1a uses "halt.def"' "$work/halting.litmus" >"$work/halt-defined.litmus"
    leaves 0 explain -m ptx -p gpm "$work/halt-defined.litmus"
    out_has "^Not tried: all_scope for P0's halt at line 6\$"
    sed 's/HALT/atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device)/' "$work/halting.litmus" >"$work/halt-long.litmus"
    leaves 0 explain -m ptx -p gpm "$work/halt-long.litmus"
    out_has '^Advice: with this every condition holds$'
    out_lines '^Not tried' 0
}

# Of the reasons the model is asked. Under gpm durable-before has what is po before a system-scoped fence (GPM 3.1), of the fence's own
# work-item: so __threadfence is too narrow, and P0's __threadfence_system has part[0] durable before valid, not P1's part[1]. Under
# epoch a fence is in no rule of persistency (SPB section 5), and a persist barrier between two writes orders them.
why_not() {
    leaves 0 explain -m ptx -p gpm "$work/ring.litmus"
    out_has "^  between them stands P0's __threadfence at line 6, which does not order them:\$"
    out_has '^    its scope is too narrow; __threadfence_system() in its place would$'
    sed 's/__threadfence();/__fence{mo_sc, dev_scope};/' "$work/ring.litmus" >"$work/ring-bare.litmus"
    leaves 0 explain -m ptx -p gpm "$work/ring-bare.litmus"
    out_has '^    its scope is too narrow; with all_scope it would$'
    sed '2d; s/__threadfence();/atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);/' "$work/ring.litmus" >"$work/ring-long.litmus"
    leaves 0 explain -m ptx -p gpm "$work/ring-long.litmus"
    out_has '^    its scope is too narrow; with memory_scope_all_svm_devices it would$'
    out_has "^Not tried: memory_scope_all_svm_devices for P0's atomic_work_item_fence at line 5\$"
    untried
    printf '%s\n' 'PTX ring' '{ nvm slot = 0; nvm tail = 0; }' ' P0@cta 0,gpu 0 ;' ' st.weak slot, 42 ;' ' fence.sc.gpu ;' ' st.weak tail, 1 ;' \
        'crash ~exists (tail = 1 /\ slot = 0)' >"$work/ring-ptx.litmus"
    leaves 0 explain -m ptx -p gpm "$work/ring-ptx.litmus"
    out_has '^    its scope is too narrow; fence.sc.sys in its place would$'
    leaves 0 explain -m hrf-direct -p epoch "$work/ring.litmus"
    out_has '^    it orders what work-items see, and not what becomes durable; a persist barrier in its place would$'
    # What does more than fence is not replaced: `put` stores, and of `both` and `narrow` nothing else has the other store and the tag.
    cat >"$work/more.def" <<'END'
put(X) { *X = 42; __fence{mo_sc, dev_scope}; }
both(X, Y) { *X = 42; __fence{mo_sc, dev_scope}; *Y = 1; }
narrow() { __fence{gpm_persist, mo_sc, dev_scope}; }
inner() { __fence{mo_sc, dev_scope}; }
wide() { __fence{mo_sc, all_scope}; }
END
    printf '%s\n' 'tag "a scoped fence with the tag orders"' "instructions F['gpm_persist]" 'let durable-before = [W]; po; [F & GPM_PERSIST & ALL]' >"$work/tag.cat"
    while IFS='|' read -r name models body words; do
        printf '%s\n' "OPENCL $name" 'uses "more.def"' '{ nvm slot = 0; nvm tail = 0; }' 'P0 (global int* slot, global int* tail) {' "  $body" '}' 'crash ~exists (tail = 1 /\ slot = 0)' >"$work/$name.litmus"
        # shellcheck disable=SC2086
        leaves 0 explain $models "$work/$name.litmus"
        out_has "^    .*$words\$"
    done <<END
put|-m ptx -p gpm|put(slot); *tail = 1;|its scope is too narrow; of all_scope it would
both|-m ptx -p gpm|both(slot, tail);|its scope is too narrow; of all_scope it would
tagged|-m sc -p $work/tag.cat|*slot = 42; narrow(); *tail = 1;|its scope is too narrow; of all_scope it would
alone|-m ptx -p gpm|*slot = 42; inner(); *tail = 1;|its scope is too narrow; wide() in its place would
looped|-m ptx -p gpm|*slot = 42; for (int i = 0; i < 2; i++) { inner(); } *tail = 1;|its scope is too narrow; wide() in its place would
part|-m hrf-direct -p epoch|put(slot); *tail = 1;|a persist barrier in the fence's place would
END
    leaves 0 explain -m hrf-direct -p none "$work/ring.litmus"
    out_lines '^    it' 0 # under none nothing orders
    explained parts ptx gpm <<'END'
OPENCL parts
uses "cuda.def"
{ nvm part[2] = {0, 0}; nvm valid = 0; }
P0@wg 0 (global int* part, global int* valid) {
  part[0] = 7;
  __syncthreads();
  __threadfence_system();
  *valid = 1;
}
P1@wg 0 (global int* part) {
  part[1] = 7;
  __syncthreads();
}
crash ~exists (valid = 1 /\ part[1] = 0)
END
    out_has "^    it orders writes of P0 before it, such as W part\[0\] at line 5, and not P1's W part\[1\] at line 11\$"
    # A fence of the model orders what was flushed, and x was not: it is no fence of what work-items see. One without the tag is.
    printf '%s\n' 'p "a fence with a tag orders what was flushed, a persist barrier all"' "instructions F['sf]" "instructions CM['fl]" \
        'let persist-before = [W]; (po & loc); [CM & FL]; po; [F & SF]; po; [W] | [W]; po; [PB]; po; [W]' >"$work/flushed.cat"
    for fence in 'sf, mo_sc|    a' 'mo_sc|    it orders what work-items see, and not what becomes durable; a'; do
        printf '%s\n' 'OPENCL flushed' '{ nvm x = 0; nvm y = 0; }' 'P0 (global int* x, global int* y) {' '  *x = 1;' "  __fence{${fence%|*}, dev_scope};" '  *y = 1;' '}' \
            'crash ~exists (y = 1 /\ x = 0)' >"$work/flushed.litmus"
        leaves 0 explain -m sc -p "$work/flushed.cat" "$work/flushed.litmus"
        out_has "^${fence#*|} persist barrier in its place would\$"
    done
    # P1's barrier orders P0's f as well, which P1 has read in front of it, and so not nothing of P0.
    explained others hrf-direct epoch <<'END'
OPENCL others
{ nvm x = 0; nvm atomic_int f = 0; nvm z = 0; nvm y = 0; }
P0@wg 0 (global int* x, global atomic_int* f) {
  *x = 1;
  f.store(1, mo_rel, dev_scope);
}
P1@wg 1 (global atomic_int* f, global int* y, global int* z) {
  int r = f.load(mo_acq, dev_scope);
  *z = 1;
  p_barrier_wi;
  if (r) { *y = 1; }
}
crash ~exists (y = 1 /\ x = 0)
END
    out_has "^    it orders writes of P1 before it, such as W z at line 9, and not P0's W x at line 4\$"
    leaves 0 explain -m ptx -p gpm --format json "$work/parts.litmus"
    out_has '"why":"of-others","words":"it orders writes of P0 before it, '
    for at in '4 before' '6 behind'; do
        printf '%s\n' 'OPENCL beside' '{ nvm x = 0; nvm y = 0; }' 'P0 (global int* x, global int* y) {' '  *x = 1;' '  *y = 1;' '}' 'crash ~exists (y = 1 /\ x = 0)' |
            sed "${at% *}s/^/  p_barrier_wi;\n/" >"$work/beside-both.litmus"
        leaves 0 explain -m sc -p epoch "$work/beside-both.litmus"
        out_has "^  no fence, flush or persist barrier stands between them; P0's p_barrier_wi at line ${at% *} stands ${at#* } both\$"
    done
    leaves 0 explain -m sc -p epoch --format json "$work/beside-both.litmus"
    out_has '"behind":{"thread":0,"line":6,"access":"p_barrier_wi"'
    sed 's/p_barrier_wi/p_barrier(wi_scope)/' "$work/beside-both.litmus" >"$work/beside-called.litmus"
    leaves 0 explain -m sc -p epoch "$work/beside-called.litmus"
    out_has "stands between them; P0's p_barrier(wi_scope) at line 6 stands behind both\$"
    # Where the scope does not stand in its line, the barrier goes by the name of its kind and scope.
    for called in 'p_barrier ( wi_scope )=p_barrier(wi_scope)' 'p_barrier(\n  wi_scope)=PB WI' 'p_barrier\n  (wi_scope)=PB WI' \
        'p_barrier( \/\/ first )\n  wi_scope)=PB WI' 'p_barrier(\/* () *\/ wi_scope)=PB WI' 'p_barrier \/* () *\/ (wi_scope)=PB WI'; do
        sed "s/p_barrier_wi/${called%=*}/" "$work/beside-both.litmus" >"$work/beside-called.litmus"
        leaves 0 explain -m sc -p epoch "$work/beside-called.litmus"
        out_has "stands between them; P0's ${called#*=} at line 6 stands behind both\$"
    done
}

# The flag is durable and the crash comes before the data is stored, whatever stands between: the two have to change places, and under
# epoch a barrier has to stand between them then. What is read between two stores may matter, so these are not tried; under none
# nothing orders them in any place. Where the stores are in order none of this is said.
reversed() {
    commit() { printf '%s\n' 'OPENCL commit' '{ nvm data = 0; nvm flag = 0; v = 0; }' 'P0 (global int* data, global int* flag, global int* v) {' "$@" '}' \
        'crash ~exists (flag = 1 /\ data = 0)' >"$work/commit.litmus"; }
    commit '  *flag = 1;' '  *data = 42;'
    leaves 0 explain -m sc -p epoch "$work/commit.litmus"
    out_has "^No fence or barrier can help: P0's W flag at line 4 stands before W data at line 5, and the crash comes between them\$"
    out_has '^  lines 4 and 5: \*flag = 1 and \*data = 42 change places$'
    out_has '^  line 5: p_barrier_wi is added$'
    leaves 0 explain -m sc -p epoch --format json "$work/commit.litmus"
    out_has '"reversed":\[{"thread":0,"line":4,"access":"W flag",.*},{"thread":0,"line":5,"access":"W data",'
    printf '  *data = 42;\n  p_barrier_wi;\n  *flag = 1;\n' | cat - >"$work/wanted"
    leaves 0 place --repair -m sc -p epoch -o "$work/ordered" "$work/commit.litmus"
    out_has "^With the stores in their order none will do; with two in each other's place:\$"
    sed -n 4,6p "$work/ordered/commit.litmus" | cmp -s - "$work/wanted"
    verdict $? "the stores are written in the other order, with a barrier between"
    leaves 0 place --repair -m sc -p epoch --format json "$work/commit.litmus"
    out_has '"kind":"swap","values":\["stores in their order","\*flag = 1 and \*data = 42 change places"\]'
    out_has '"swaps":"minimal"'
    commit '  *flag = 1;' '  p_barrier_wi;' '  *data = 42;'
    leaves 0 explain -m sc -p epoch "$work/commit.litmus"
    out_has '^  lines 4 and 6: \*flag = 1 and \*data = 42 change places$'
    out_lines 'is added' 0
    leaves 0 explain -m sc -p none "$work/commit.litmus"
    out_has "^No fence or barrier can help: "
    out_has "^Nothing that could .*, nor two stores in each other's place\$"
    leaves 0 explain -m sc -p none --format json "$work/commit.litmus"
    out_has '"swaps":"none"'
    leaves 1 place --repair -m sc -p none "$work/commit.litmus"
    out_has "^No filling will do, nor with two stores in each other's place\$"
    commit '  *flag = 1;' '  *data = *v + 42;'
    leaves 0 explain -m sc -p epoch "$work/commit.litmus"
    out_has "^No fence or barrier can help: "
    out_lines 'change places\|each other' 0
    commit '  *data = 42;' '  *flag = 1;'
    leaves 0 explain -m sc -p none "$work/commit.litmus"
    out_lines 'can help' 0
    # v is 0, so the data may never be stored, and no crash need come between; with 5 expected of 0 nothing is stored; nor is with v = 1 to data
    commit '  *flag = 1;' '  if (*v) { *data = 42; }'
    leaves 0 explain -m sc -p none "$work/commit.litmus"
    out_lines 'can help' 0
    commit '  *flag = 1;' '  if (*v) { return; }' '  *data = 42;'
    leaves 0 explain -m sc -p none "$work/commit.litmus"
    out_lines 'can help' 0
    commit '  if (*v == 0) { *flag = 1; }' '  if (*v) { *flag = 2; }' '  *data = 42;' # the jumps end before the store
    leaves 0 explain -m sc -p none "$work/commit.litmus"
    out_has '^No fence or barrier can help: '
    printf '%s\n' 'OPENCL unsure' '{ nvm atomic_int data = 0; nvm flag = 0; }' 'P0 (global atomic_int* data, global int* flag) {' '  *flag = 1;' \
        '  int e = 5;' '  atomic_compare_exchange_strong(data, &e, 42);' '}' 'crash ~exists (flag = 1 /\ data = 0)' >"$work/unsure.litmus"
    leaves 0 explain -m sc -p none "$work/unsure.litmus"
    out_has '^Violated: a state '
    out_lines 'can help' 0
    printf '%s\n' 'OPENCL element' '{ nvm data[2] = {0, 0}; nvm flag = 0; v = 1; }' 'P0 (global int* data, global int* flag, global int* v) {' '  *flag = 1;' \
        '  data[*v] = 42;' '}' 'crash ~exists (flag = 1 /\ data[0] = 0)' >"$work/element.litmus"
    leaves 0 explain -m sc -p none "$work/element.litmus"
    out_has '^Violated: a state '
    out_lines 'can help' 0
    # v is 1 in every execution, so the store that is to come is one to data[1].
    sed 's/data\[0\]/data[1]/' "$work/element.litmus" >"$work/elements.litmus"
    leaves 0 explain -m sc -p none "$work/elements.litmus"
    out_has "^No fence or barrier can help: P0's W flag at line 4 stands before W data\[1\] at line 5, and the crash comes between them\$"
    # Condition 1 wants flag behind data. For 2 alone a barrier before flag will do: head is durable before flag then.
    printf '%s\n' 'OPENCL both' '{ nvm head = 0; nvm flag = 0; nvm data = 0; }' 'P0 (global int* head, global int* flag, global int* data) {' '  *head = 1;' \
        '  *flag = 1;' '  *data = 1;' '}' 'crash ~exists (flag = 1 /\ data = 0)' 'crash ~exists (flag = 1 /\ head = 0 /\ data = 0)' >"$work/both.litmus"
    leaves 0 explain -m sc -p epoch --condition 2 "$work/both.litmus"
    out_has 'change places$'
    out_lines 'can help' 0
    leaves 0 explain -m sc -p epoch --condition 1 "$work/both.litmus"
    out_has "^No fence or barrier can help: P0's W flag at line 5 stands before W data at line 6"
}

# Memory has 0 at a before and after *a = 0, so that this store is lost shows nowhere. b gets another value; of c's two stores, lost or
# landed in whatever order, each may be what memory has.
unchanged() {
    same() { printf '%s\n' 'OPENCL same' '{ nvm a = 0; nvm b = 3; nvm c = 0; nvm y = 0; v = 0; }' 'P0 (global int* a, global int* b, global int* c, global int* y, global int* v) {' \
        '  *a = *v;' '  *b = 4;' '  *c = 0;' '  *c = 1;' '  *y = 1;' '}' "$@" >"$work/same.litmus"; }
    same 'crash ~exists (y = 1 /\ b = 3)'
    leaves 0 explain -m sc -p epoch "$work/same.litmus"
    out_has "^P0's W a at line 4 stores 0, which is there from the start:\$"
    out_lines 'is there from the start' 1
    leaves 0 explain -m sc -p epoch --format json "$work/same.litmus"
    out_has '"access":"W a","column":[0-9]*,"value":0,\("lost":true,\)*"unchanged":true'
    same 'crash exists (y = 1 /\ b = 3)'
    leaves 0 explain -m sc -p epoch "$work/same.litmus"
    out_has '^Holds: a state '
    out_lines 'is there from the start' 0 # as it should be
    same 'recovery (global int* b) { *b = 3; }' 'recovered ~exists (y = 1 /\ c = 0)'
    leaves 0 explain -m sc -p epoch "$work/same.litmus"
    out_has "^P0's W a at line 4 stores 0, which is there from the start:\$"
    out_lines 'is there from the start' 1
    printf '%s\n' 'OPENCL passes' '{ nvm a[2] = {0, 0}; nvm y = 0; }' 'P0 (global int* a, global int* y) {' '  for (int i = 0; i < 2; i++) { a[i] = 0; }' \
        '  *y = 1;' '}' 'crash ~exists (y = 1)' >"$work/passes.litmus"
    leaves 0 explain -m sc -p epoch "$work/passes.litmus"
    out_has "^P0's W a\[0\] at line 4 stores 0, which is there from the start:\$"
    out_lines 'is there from the start' 1 # of passes of a loop the first
}

# Under gpm a fence of the system persists and one of the device does not (GPM 3.1), so the fence that stands there is made wider: nothing
# is added beside it. An sfence has two names in intel.def, and so has clwb: each is told once, by the name that the test has.
wider() {
    explained ring ptx gpm <<'END'
OPENCL ring
uses "cuda.def"
{ nvm slot = 0; nvm tail = 0; }
P0 (global int* slot, global int* tail) {
  *slot = 42;
  __threadfence();
  *tail = 1;
}
crash ~exists (tail = 1 /\ slot = 0)
END
    out_has '^  line 6: __threadfence_system() in place of __threadfence()$'
    out_has '^-  __threadfence();$'
    out_lines ' is added$' 0
    leaves 0 place --repair -m ptx -p gpm "$work/ring.litmus"
    out_has '^Minimal fillings: 1, all there are$'
    printf '%s\n' 'C names' 'uses "intel.def"' '{ nvm x = 0; nvm y = 0; }' 'P0 (int* x, int* y) {' '  *x = 1;' '  pmem_drain();' '  *y = 1;' '}' \
        'crash ~exists (y = 1 /\ x = 0)' >"$work/names.litmus"
    leaves 0 place --repair -m tso -p px86 "$work/names.litmus"
    out_has '^  line 5:.*_mm_clwb(x) is added$'
    out_lines '_mm_sfence\|pmem_flush' 0
    leaves 1 place --repair -m tso -p none "$work/names.litmus"
    out_has '^Tried as additions: .*pmem_drain(), _mm_sfence(), .*_mm_clwb(x), pmem_flush(x), ' # both are, by one
}

# The one barrier before y keeps x and z before it: one change for conditions 1 and 3, told of once. Condition 2 holds, as y is 1 or 0.
same_change() {
    printf '%s\n' 'OPENCL thrice' '{ nvm x = 0; nvm z = 0; nvm y = 0; }' 'P0 (global int* x, global int* z, global int* y) {' \
        '  *x = 1;' '  *z = 1;' '  *y = 1;' '}' 'crash ~exists (y = 1 /\ x = 0)' 'crash ~exists (y = 2)' 'crash ~exists (y = 1 /\ z = 0)' >"$work/thrice.litmus"
    leaves 0 explain "$work/thrice.litmus"
    out_lines '^+  p_barrier_wi;$' 1
    out_lines 'is added$' 1
    out_has '^Advice: the same change as for condition 1, with which every condition holds$'
    [ "$(grep -o '^Condition [0-9]' "$work/out" | tr -dc 0-9)" = 132 ]
    verdict $? "what is violated comes first"
    leaves 0 explain --format json "$work/thrice.litmus"
    sed -n 2p "$work/out" | grep -q '"advice":{"result":"found",.*"same_as":1,.*"changes":\[{'
    verdict $? "the record has the number, and the change all the same"
    out_lines '"same_as"' 1
    leaves 0 explain --condition 3 "$work/thrice.litmus"
    out_lines '^+  p_barrier_wi;$' 1
    leaves 1 check --explain "$work/thrice.litmus"
    out_lines '^+  p_barrier_wi;$' 1
}

# 600 stores to one location are more than the symbolic engine looks at, so what was decided is told, and which limit was met: y may be 1,
# and the barrier keeps each store to x before that. The way to y = 1 is printed before the search for advice, which takes long.
decided() {
    {
        printf '%s\n' 'OPENCL many' '{ nvm x = 0; nvm y = 0; }' 'P0 (global int* x, global int* y) {'
        awk 'BEGIN { for (i = 1; i <= 600; i++) print "  *x = " i ";" }'
        printf '%s\n' '  p_barrier_wi;' '  *y = 1;' '}' 'crash ~exists (y = 1 /\ x = 0)' 'crash forall (y = 0)'
    } >"$work/many.litmus"
    leaves 0 explain -m sc -p epoch --condition 1 --timeout 20 "$work/many.litmus"
    out_has '^Holds: no state satisfies it; it was not found why: an execution has more events than are looked at$'
    leaves 0 explain -m sc -p epoch --condition 2 --timeout 3 --format json "$work/many.litmus"
    out_has '"reachable":true,"steps":\[{.*"state":{[^}]*"y":1.*"doubt":"an execution has more events than are looked at"'
    : >"$work/ahead"
    "$CRASHLIT" explain -m sc -p epoch "$work/many.litmus" >"$work/ahead" 2>"$work/err" &
    await 'the way to the state is there' grep -q '^State x=600; y=1;' "$work/ahead"
    kill "$!"
    wait "$!"
    [ "$?" -gt 128 ] && ! grep -q 'advice' "$work/ahead"
    verdict $? "advice is searched behind it"
}

# Recovery reads log[1] alone, so its loss is what matters, though the same statement's write to log[0] is lost as well. In names
# the condition speaks of b, whatever becomes of a; check says the same of its execution.
named_first() {
    explained loop hrf-direct epoch <<'END'
OPENCL loop
{ nvm log[3]; nvm head = 0; }
P0 (global int* log, global int* head) {
  for (int i = 0; i < 3; i++) {
    log[i] = i + 1;
  }
  *head = 3;
}
recovery P0 (global int* log, global int* head) { int h = *head; int r = log[1]; }
recovered ~exists (0:h = 3 /\ 0:r = 0)
END
    out_has "^Missing order: in this execution nothing makes P0's W log\[1\] at line 5 durable before P0's W head at line 7\$"
    out_lines '^Missing order' 1
    printf '%s\n' 'OPENCL names' '{ nvm a = 0; nvm b = 0; nvm y = 0; }' 'P0 (global int* a, global int* b, global int* y) {' \
        '  *a = 1;' '  *b = 1;' '  *y = 1;' '}' 'crash ~exists (y = 1 /\ b = 0)' >"$work/names.litmus"
    leaves 1 check "$work/names.litmus"
    out_has "Nothing makes P0's W b at line 5 durable before P0's W y at line 6"
    leaves 0 explain "$work/names.litmus"
    out_has "nothing makes P0's W b at line 5 durable before P0's W y at line 6"
}

# val is lost and head durable. seq is durable as well, but with seq = 0 the state would be one of the condition all the same: the order
# that is missing is that of val and head. Nor does the condition ask for pad, which is durable between two that it names.
decisive() {
    for between in seq pad; do
        printf '%s\n' 'OPENCL record' "{ nvm val = 0; nvm $between = 0; nvm head = 0; }" "P0 (global int* val, global int* $between, global int* head) {" \
            '  *val = 1;' "  *$between = 1;" '  *head = 1;' '}' >"$work/record.litmus"
        [ "$between" = seq ] && echo 'crash ~exists (head = 1 /\ (val = 0 \/ seq = 2))' >>"$work/record.litmus"
        [ "$between" = pad ] && echo 'crash ~exists (head = 1 /\ val = 0)' >>"$work/record.litmus"
        leaves 0 explain -m sc -p epoch "$work/record.litmus"
        out_has "^Missing order: in this execution nothing makes P0's W val at line 4 durable before P0's W head at line 6\$"
        out_lines '^Missing order' 1
    done
}

# The enumerator's counts: `forall` is broken by a negative state, the others are met by a
# positive one. One line a condition, in the order of pairs and conditions.
reachable_by_check() {
    "$CRASHLIT" check --engine enum --format json "$1" |
        grep -o '"text":"[a-z~]*\|"positive":[0-9]*,"negative":[0-9]*' |
        sed 's/[",]/ /g; s/://g' |
        awk '$1 == "text" { kind = $2 }
             $1 == "positive" { print((kind == "forall" ? $4 : $2) > 0 ? "true" : "false") }'
}
# What is reached is drawn as it is; what is not with what excludes it, unless there is no reason, or
# none but that barriers wait.
drawn() { # JSON lines, graphs
    awk -v note="$(grep -c 'excluded by ' "$2")" -v kept="$(grep -c '\\l\(satisfies\|breaks\) ' "$2")" '
        /"reachable":true/ { reached++ }
        /"reachable":false,"reasons":\[{/ && !/"kind":"waits"/ { forbidden++ }
        END { exit note != forbidden + 0 || kept != reached + 0 }' "$1"
}
agreement() {
    for test in litmus/c11/*.litmus litmus/spb/kv-*.litmus litmus/spb/fig4-r*.litmus \
        litmus/spb/def[12].litmus litmus/spb/persist-*.litmus litmus/ptx/kv*.litmus; do
        reachable_by_check "$test" >"$work/wanted"
        "$CRASHLIT" explain --format json --format "dot=$work/dot" "$test" | tee "$work/json" |
            grep -o '"reachable":[a-z]*' | sed 's/.*://' | cmp -s - "$work/wanted"
        verdict $? "$test: explain reaches what check lists"
        ! grep -q '"minimal":false' "$work/json"
        verdict $? "$test: all reasons are needed"
        drawn "$work/json" "$work/dot"
        verdict $? "$test: each condition has its picture"
        [ -s "$work/wanted" ]
        verdict $? "$test: there is something to compare"
    done
}

# Of the logs from which one barrier was taken away, the order that it gave, and as advice the barrier where it stood.
missing() { # test, condition, line of the earlier write, of the later one, where a barrier is missing
    leaves 0 explain -m hrf-direct -p epoch --condition "$2" "litmus/recovery/$1.litmus"
    out_has "^Missing order: in this execution nothing makes .* at line $3 durable before .* at line $4\$"
    out_has "^  line $5: p_barrier_wi is added\$"
    out_lines '^  line .* is ' 1
    leaves 0 explain -m hrf-direct -p buffered-epoch --condition "$2" --format json "litmus/recovery/$1.litmus"
    out_has '"chain":{"recoveries":.*"missing":\[{"earlier":.*"advice":{"result":"found"'
}
recovery() {
    missing torn-entry 1 9 10 10
    missing undo-log-no-log-barrier 2 10 12 11
    missing undo-log-no-data-barrier 2 13 14 14
    missing undo-log-no-status-barrier 2 15 16 16
    missing redo-log-no-sentinel-barrier 2 6 7 7
    missing redo-log-no-apply-barrier 2 8 10 9
    missing redo-log-no-clear-barrier 2 10 12 12
    missing checkpoint-no-data-barrier 1 8 10 10
    missing checkpoint-wg-wi 1 14 10 15 # before the execution barrier
    missing undo-log-kr-data-wg 2 23 15 24
    leaves 0 explain -m hrf-direct -p epoch --condition 2 litmus/recovery/redo-log-parallel-wi.litmus
    out_has '^The next crash comes in recovery:'
    out_has "^Missing order: in this execution nothing makes recovery P1's W d\[1\] at line 25"
    leaves 0 explain -m hrf-direct -p epoch litmus/recovery/livelock.litmus
    out_has '^Error: livelock: from some crash state recovery never completes$'
    missing log-append-bare 2 9 9 9
    leaves 0 explain -m hrf-direct -p epoch --condition 2 litmus/recovery/undo-log-truncated-in-recovery.litmus
    out_lines '^Missing order: ' 1 # that d is lost to begin with does no harm
    leaves 0 explain -m hrf-direct -p epoch --condition 2 litmus/recovery/undo-log-bare.litmus
    out_has "^Missing order: in this execution nothing makes P0's W d\[0\] at line 11 durable before P0's W est at line 13" # d is what is wrong in the end
    leaves 0 explain -m hrf-direct -p epoch litmus/recovery/undo-log.litmus
    out_has '^Holds: recovery of the .* crash states\{0,1\} leaves .* states\{0,1\}, and none breaks it$'
    # P0 stores nothing, so x = 0 at every crash, and recovery leaves x = 1. The source's recovery waits for ever where x = 1 was durable.
    printf '%s\n' 'OPENCL one' '{ nvm x = 0; }' 'P0 (global int* x) { int r = *x; }' 'recovery (global int* x) { *x = 1; }' \
        'recovered ~exists (x = 0)' >"$work/one.litmus"
    leaves 0 explain -m sc -p strict "$work/one.litmus"
    out_has '^Holds: recovery of the 1 crash state leaves 1 state, and none satisfies it$'
    printf '%s\n' 'OPENCL stuck' '{ nvm x = 0; }' 'P0 (global int* x) { *x = 1; }' 'recovery (global int* x) { while (*x == 1) ; }' \
        'recovered forall (x = 0)' >"$work/stuck.litmus"
    sed '$d' "$work/one.litmus" >"$work/after-stuck.litmus"
    sed -i 's/\*x = 1/*x = 0/' "$work/after-stuck.litmus"
    echo 'recovered refines "stuck.litmus" under sc + strict' >>"$work/after-stuck.litmus"
    leaves 0 explain -m sc -p strict "$work/after-stuck.litmus"
    out_has '^Error: '
    out_has "^So the answer is an error: livelock: from some crash state the source's recovery never completes\$"
}

# Every recovered condition of litmus/recovery that is broken under epoch. Where strict persistency,
# which differs in the order of persists alone, keeps the test, an order is missing: the lines it names
# have the writes it names. Where not even that keeps it, no order of persists would mend it.
told() { # what a broken condition must be told: a line that begins like this
    awk -v wanted="$1" '
        /^Condition / { bad += broken && !is_told; broken = is_told = 0 }
        /^Violated: a recovered state breaks it/ { broken = 1; count++ }
        index($0, wanted) == 1 { is_told = 1 }
        END { bad += broken && !is_told; exit bad || !count }' "$work/out"
}
named() { # test
    awk '
        NR == FNR { source[FNR] = $0; next }
        /^Missing order: / {
            rest = $0
            for (count = 0; match(rest, /W [^ ]+ at line [0-9]+/); count++) {
                split(substr(rest, RSTART, RLENGTH), word, " ")
                name = word[2]
                sub(/[[.].*/, "", name)
                bad += index(source[word[5]], name) == 0
                rest = substr(rest, RSTART + RLENGTH)
            }
            bad += count != 2
            getline
            bad += !/no fence, flush or persist barrier stands between them|between them stands .* at line [0-9]+, which does not order them/
        }
        END { exit bad }' "$1" "$work/out"
}
orders() {
    ordered=0 unordered=0
    for test in litmus/recovery/*.litmus; do
        grep -q '^expect hrf-direct + epoch  *: violated' "$test" || continue
        leaves 0 explain -m hrf-direct -p epoch "$test"
        if grep -q '^expect hrf-direct + strict  *: violated' "$test"; then
            told 'Nothing is lost: '
            verdict $? "$test: there is no order to name"
            unordered=$((unordered + 1))
        else
            told 'Missing order: ' && named "$test"
            verdict $? "$test: what is broken is for want of an order"
            ordered=$((ordered + 1))
        fi
    done
    [ "$ordered" -ge 20 ] && [ "$unordered" -ge 5 ]
    verdict $? "$ordered tests want an order, $unordered do not"
}

# Of orders that the model chooses (`with`) no step, gap or reason speaks as if the program gave them. In crossed-flushes x is
# lost though P1 flushes its line and then writes b, which is durable: so tso has the flush before W x, which comes
# before P0's flush of y by po. In crossed-lines tso alone has a store of one work-item before one of the other; in line po has them so.
step_of() { grep -n "^ *[0-9]*\. $1" "$work/out" | head -n 1 | cut -d: -f1; }
chosen() {
    leaves 0 explain -m tso -p px86 --condition 2 litmus/px86/crossed-flushes.litmus
    [ "$(step_of 'P1 line 6   clflush x')" -lt "$(step_of 'P0 line 5   W x = 1')" ]
    verdict $? "the flush that does not find W x comes before it"
    out_lines '^Chosen order: ' 1
    out_has "^Chosen order: tso has P1's clflush x at line 6 before P0's W x at line 5\$"
    leaves 0 explain -m tso -p px86 --condition 2 --format json litmus/px86/crossed-flushes.litmus
    out_has '"chosen":\[{"order":"tso","earlier":{"thread":1,"line":6,"access":"clflush x"[^}]*},"later":{"thread":0,"line":5,"access":"W x"[^}]*}}\]'
    leaves 0 explain -m tso -p px86 --condition 1 litmus/px86/crossed-lines.litmus
    out_lines '^  persist-before .* is (by the choice of tso)$' 2
    leaves 0 explain -m tso -p px86 --condition 1 --format json litmus/px86/crossed-lines.litmus
    out_has '"chosen":"tso"'
    leaves 0 explain -m tso -p px86 litmus/px86/line.litmus
    out_lines 'by the choice of\|^Chosen order' 0
    printf '%s\n' '"x first, by a choice"' 'with turn from linearisations(W \ IW, po)' '~empty [REL]; turn; [W] as x-first' \
        'let executes-before = po | rf | syncbar | turn' >"$work/turn.cat"
    printf '%s\n' 'OPENCL turn' '{ nvm atomic_int x = 0; nvm y = 0; }' 'P0 (global atomic_int* x) { x.store(1, mo_rel); }' \
        'P1 (global int* y) { *y = 1; }' 'crash ~exists (x = 0 /\ y = 1)' >"$work/turn.litmus"
    leaves 0 explain -m sc -p "$work/turn.cat" --crash end "$work/turn.litmus"
    out_has "^      lost: P0's W x at line 3\$"
    out_has "^Chosen order: turn has P0's W x at line 3 before P1's W y at line 4\$"
    out_lines '^Missing order' 0
    leaves 0 explain -m sc -p none --crash end "$work/turn.litmus"
    out_lines '^Chosen order' 0
}

# Under sc P1 reads b = 0 behind a = 1 in no execution: then P0's W y came before P1's R y, P0's W x
# before that, and P1's R x comes before P0's W x: a cycle. Each other pair of sources is possible.
cases() {
    printf '%s\n' 'C mp' '{ int x = 0; int y = 0; }' 'P0 (int* x, int* y) {' '  *x = 1;' '  *y = 1;' '}' \
        'P1 (int* x, int* y) {' '  int a = *y;' '  int b = *x;' '}' 'final ~exists (1:a = 1 /\ 1:b = 0)' >"$work/mp.litmus"
    leaves 0 explain --cases -m sc -p none "$work/mp.litmus"
    out_has '^mp under sc + none: ok$'
    out_lines '^    1:a=[01]; 1:b=[01]$' 3
    "$CRASHLIT" explain --cases -m sc -p none -f json "$work/mp.litmus" >"$work/cases.json"
    python3 - "$work/cases.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
(section,), found, shown = record["sections"], [], []
(tree,) = section["trees"]
def where(event): return event.get("line", event.get("initial"))
def walk(node, sources):
    if "choose" not in node:
        found.append((sources, node["ends"]))
        shown.extend(where(event) for event in node.get("cycle", []))
    for way in node.get("ways", []):
        walk(way["then"], {**sources, where(node["of"]): where(way["source"])})
walk(tree["case"], {})
assert [path["thread"] for path in tree["paths"]] == ["P0", "P1"] and record["cases"] == len(found), record
lost = [sources for sources, ends in found if ends == "lost-check"]
assert lost == [{8: 5, 9: "x"}], lost
# Program order leads from line 4 to 5 and from 8 to 9, the source from 5 to 8, and the value read at 9 is older than 4: no other way back is there.
assert [shown[(shown.index(4) + i) % len(shown)] for i in range(len(shown))] == [4, 5, 8, 9], shown
for a in ("y", 5):
    for b in ("x", 4):
        reached = [ends for sources, ends in found if sources.get(8, a) == a and sources.get(9, b) == b]
        assert len(reached) == 1 and reached[0] == ("lost-check" if (a, b) == (5, "x") else "nothing-new"), (a, b, reached)
END
    verdict $? "each pair of sources is in one case, and the one that sc forbids is lost"
    leaves 0 explain --cases -m sc -p none -f "html=$work/cases.html" "$work/mp.litmus"
    grep -q '<summary>P0 ends (line 4, 5), P1 ends (line 8, 9): ' "$work/cases.html"
    verdict $? "a page has the cases to be folded"
    leaves 0 explain --cases -m sc -p none "$work/mp.litmus"
    tr -s ' \n' ' ' <"$work/out" | grep -q "breaks acyclic 'sequential-consistency' (P.*, and back)"
    verdict $? "the cycle is told"
    # Each lost check has a name, and what breaks it. A pair of atomicity is the two halves of what reads and writes at one line.
    "$CRASHLIT" explain --cases -m hrf-direct -p epoch -f json litmus/locks/cas-3.litmus >"$work/cases.json"
    python3 - "$work/cases.json" <<'END'
import json, sys
record, lost = json.load(open(sys.argv[1])), []
def walk(node):
    if node.get("ends") == "lost-check":
        lost.append(node)
    for way in node.get("ways", []):
        walk(way["then"])
for section in record["sections"]:
    for tree in section["trees"]:
        walk(tree["case"])
assert len(lost) > 100 and all("check" in node and ("cycle" in node) != ("pair" in node) for node in lost), lost
pairs = [node["pair"] for node in lost if node["check"] == "atomicity"]
assert pairs and all((a["kind"], b["kind"], a["thread"], a["line"]) == ("R", "W", b["thread"], b["line"]) for a, b in pairs), pairs
END
    verdict $? "and each lost check of a lock has its name, and a cycle or a pair"
    # Recovery begins on each memory that a crash can leave, and everything in undo-log is nvm.
    "$CRASHLIT" explain --cases -m hrf-direct -p epoch -f json litmus/recovery/undo-log.litmus >"$work/cases.json"
    python3 - "$work/cases.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
left = {" ".join(map(str, state.values())) for state in record["crash_states"]}
begun = [memory for section in record["sections"] if section["of"] == "recovery" for memory in section["memories"]]
assert set(begun) == left and len(begun) == len(left) > 4, (begun, left)
END
    verdict $? "each memory that a crash leaves has its cases of recovery"
    # Both write x plainly: one execution shows the race, and no tree is told.
    printf '%s\n' 'OPENCL race' '{ x = 0; }' 'P0@wg 0 (global int* x) { *x = 1; }' 'P1@wg 1 (global int* x) { *x = 2; }' 'final exists (x = 1)' >"$work/race.litmus"
    leaves 0 explain --cases -m hrf-direct -p none "$work/race.litmus"
    out_has "^  race: P0's W x at line 3 and P1's W x at line 4"
    out_lines 'The program' 0
    # What has no certificate has no tree, and is not known.
    leaves 3 explain --cases -m sc -p none --recovery-crash litmus/recovery/undo-log.litmus
    out_has 'has no certificate: other crashes of recovery'
    leaves 2 explain --cases --condition 1 "$work/mp.litmus"
    leaves 2 explain --cases -f svg "$work/mp.litmus"
}

# With a release for f, P1 sees x and so strict persistency leaves no y without x, which gpm still does, as only
# a fence of scope sys persists: the change mends what is seen, and robust is broken by it.
robust() {
    printf '%s\n' \
        'PTX robust-advice' \
        '"a fence of the device mends what is seen, and then shows that nothing persists"' \
        '{ nvm x = 0; nvm y = 0; f = 0; }' \
        ' P0@cta 0,gpu 0      | P1@cta 1,gpu 0         ;' \
        ' st.relaxed.gpu x, 1 | WAIT:                  ;' \
        ' st.relaxed.gpu f, 1 | ld.relaxed.gpu r1, f   ;' \
        '                     | beq r1, 0, WAIT        ;' \
        '                     | fence.acq_rel.sys      ;' \
        '                     | ld.relaxed.gpu r2, x   ;' \
        '                     | st.relaxed.gpu y, 1    ;' \
        'observe x, y;' \
        'property robust;' \
        'final ~exists (1:r2 = 0)' >"$work/robust-advice.litmus"
    leaves 0 explain -m ptx -p gpm "$work/robust-advice.litmus"
    out_has '^Advice: with this the condition holds, though not all others$'
    out_lines 'with this every condition holds' 0
}

cases
robust
commands
answers
summed
beside_verdicts
chosen
reasons
recovery
orders
alike
transactions
chain
cells
waits
undefined
sources
races
barrier_before_await
tried_alone
narrowest
steps_behind_a_search
before_execution_barrier
own_fences
definitions
definitions_in_places
nothing_but_fences
places
within_a_statement
either
together
because
texts
least
wider
unstored
why_not
reversed
unchanged
same_change
decided
named_first
decisive
groups
unknown
agreement
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
