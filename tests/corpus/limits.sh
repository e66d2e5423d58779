#!/bin/sh
# limits.sh: --timeout and --memory hold for whatever is asked, the stack is no limit of its own, and what
# workers may not do. Times are generous, as the machine may be busy; without the limit each of these takes far longer.
set -u
mkdir -p "$WORK/limits"
work=$(cd "$WORK/limits" && pwd)
. tests/corpus/cases.sh

# Runs the program, which has to be done after so many seconds.
within() { # seconds, wanted status, arguments
    most=$1
    shift
    started=$(date +%s)
    leaves "$@"
    took=$(($(date +%s) - started))
    [ "$took" -le "$most" ]
    verdict $? "\`crashlit $*\` ends within $most s (it took $took s)"
}

# The formula of a long test takes minutes to write down, for each question that is asked on the way.
explanations() {
    write_long_test "$work/long.litmus"
    # What decides the condition may be there in time, and then it is told; why, or how, is not.
    started=$(date +%s)
    timeout 600 "$CRASHLIT" explain --timeout 2 -m rc11 -p none "$work/long.litmus" >"$work/out" 2>&1 </dev/null
    status=$?
    case $status in 0) wanted='^State 0:r0=3;$' ;; *) wanted='^Not known: the time limit ran out$' ;; esac
    [ $status -eq 0 ] || [ $status -eq 3 ] && [ $(($(date +%s) - started)) -le 20 ]
    verdict $? "an explanation of a long test ends in time, with 0 or 3 (it was $status)"
    out_has "$wanted"
    out_has 'the time limit ran out'
    # Of several conditions all, not each.
    write_long_test "$work/many.litmus"
    for value in 4 5 6 7 8 9; do echo "exists (0:r0 = $value)"; done >>"$work/many.litmus"
    within 20 3 explain --timeout 1 -m rc11 -p none "$work/many.litmus"
}

# Runs the program as `leaves` does; the largest resident size of its processes is within `--memory MIB` and 128.
measured() { # MiB, wanted status, arguments
    room=$1
    wanted=$2
    shift 2
    peak=$(timeout 120 python3 -c '
import resource, subprocess, sys
out, err, *command = sys.argv[1:]
status = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=open(out, "w"), stderr=open(err, "w"))
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
' "$work/out" "$work/err" "$CRASHLIT" "$@" --memory "$room")
    status=${peak% *} peak=${peak#* }
    [ "$status" -eq "$wanted" ]
    verdict $? "\`crashlit $* --memory $room\` leaves with $wanted (it was $status)"
    [ -n "${MEMORY_UNBOUNDED:-}" ] || [ "$peak" -le $(((room + 128) * 1024)) ]
    verdict $? "it keeps within $room MiB and 128 (it took $peak KiB)"
    ! grep -q -e 'crashlit: out of memory' -e 'signal' -e 'bad_alloc' "$work/err"
    verdict $? "nothing crashed"
}

# 400 events, and expressions over them that are heavy each: a slot of 22 KiB for every expression, and
# closures that no choice of rf and co changes, or each.
write_wide() { # file
    write_crowd "$1" 8 'exists (x0 = 1)' 'for (k = 1; k <= 50; k++)
        printf "  atomic_store_explicit(x%d, %d, memory_order_relaxed);\n", t, k'
}
write_tower() { # file, first relation, what each level adds, levels
    awk -v first="$2" -v added="$3" -v levels="$4" 'BEGIN {
        printf "\"tower\"\nlet r0 = (%s)+\n", first
        for (i = 1; i <= levels; i++)
            printf "let r%d = ((r%d^-1; r%d) \\ ((W * _) & r%d))+ | (%s; r%d)\n", i, i - 1, i - 1, i - 1, added, i - 1
        printf "empty (r%d \\ r%d) & po as t\n", levels, levels - 1
    }' >"$1"
}
# Each round adds one step to each relation, and there are as many rounds as a work-item has events.
write_rounds() {
    awk 'BEGIN {
        print "\"rounds\"\nlet step = po \\ (po; po)\nlet rec a0 = step | (a0; step)"
        for (i = 1; i <= 60; i++) {
            printf "let rec a%d = step | (a%d; step) | (b%d & (a%d; co))\n", i, i, i, i - 1
            printf "and b%d = (a%d; co) | (b%d; step) | (co; b%d)\n", i, i, i, i
        }
        print "empty a60 & (b60^-1; co) & rf as t"
    }' >"$1"
}

models() {
    write_wide "$work/wide.litmus"
    printf 'C small\n{ x = 0; }\nP0 (atomic_int* x) { int r = *x; }\nexists (0:r = 0)\n' >"$work/small.litmus"
    write_tower "$work/dynamic.cat" "po | rf | co | fr" co 2500
    write_tower "$work/static.cat" "po | loc" po 2500
    write_rounds "$work/rounds.cat"
    printf '"all orders"\nwith o from linearisations(W, po)\nacyclic o | po | rf as t\n' >"$work/orders.cat"
    for model in dynamic static rounds orders; do
        for engine in enum smt; do
            within 15 3 check --format herd -e $engine --timeout 1 -m "$work/$model.cat" -p none "$work/wide.litmus"
            out_has '^Doubt the time limit ran out'
        done
    done
    # What was found before stands: of alike work-items each two race. None waits for an end from outside, which leaves nothing.
    {
        printf 'OPENCL t\n{ nvm x = 0; }\n'
        for thread in $(seq 0 199); do echo "P$thread { *x = 1; }"; done
        echo 'crash exists (x = 1)'
    } >"$work/racing.litmus"
    within 15 1 check --format herd -e enum --timeout 1 -m hrf-direct -p epoch "$work/racing.litmus"
    out_has '^Undefined race: P0.s W x at line 3 and P1'
    # The picture has thousands of edges, and each label could be held against all of them.
    {
        printf 'OPENCL t\n{ nvm x = 0; }\n'
        for thread in $(seq 0 59); do echo "P$thread { *x = $thread; int r = *x; }"; done
        echo 'crash exists (x = 1)'
    } >"$work/crowded.litmus"
    within 20 1 check --timeout 3 --format html="$work/crowded.html" -m hrf-direct -p epoch "$work/crowded.litmus"
    # Under sanitizers no worker has a limit of memory to meet.
    [ -z "${MEMORY_UNBOUNDED:-}" ] || return 0
    # 10,000 expressions of 400 events, each with two bounds: 440 MiB of relations. A graph of what cannot
    # be, and a test after it in the same worker, are told of all the same.
    measured 300 3 check --format herd -e enum -m "$work/dynamic.cat" -p none "$work/wide.litmus"
    out_has '^Doubt the memory limit was met'
    for format in json junit html; do
        measured 300 3 check --format $format -m "$work/dynamic.cat" -p none \
            "$work/small.litmus" "$work/wide.litmus" "$work/small.litmus"
        out_has 'the memory limit was met'
    done
    # What becomes of a test does not depend on -j.
    for jobs in 1 2; do
        leaves 3 check --format json -j $jobs --memory 300 -m "$work/dynamic.cat" -p none \
            "$work/wide.litmus" "$work/small.litmus" "$work/wide.litmus"
        sed 's/"seconds":[^,}]*//; s/"peak_kib":[^,}]*//' "$work/out" >"$work/jobs$jobs"
    done
    cmp "$work/jobs1" "$work/jobs2"
    verdict $? "with 1 and 2 workers the answers are the same"
}

# A limit that is met before the model is there is told with its name, which commands nothing.
loading() {
    [ -z "${MEMORY_UNBOUNDED:-}" ] || return 0
    odd=$(printf '%s/tower\177.cat' "$work")
    write_tower "$odd" "po | loc" po 30000
    within 15 3 check --memory 1 -m "$odd" -p none "$work/wide.litmus"
    err_has '/tower.x7f.cat + none: the memory limit was met'
    ! LC_ALL=C grep -q "$(printf '\177')" "$work/out" "$work/err"
    verdict $? "no control character is printed"
}

# Every command under the two limits.
commands() {
    printf 'wide.litmus,1\nsmall.litmus,1\n' >"$work/known"
    within 30 3 compare -e enum --timeout 1 --models "$work/static.cat+none,$work/rounds.cat+none" "$work/small.litmus" "$work/wide.litmus"
    out_has '^small  *ok'
    out_has '^wide  *unknown [0-9]*+'
    within 15 3 peers --timeout 3 -m "$work/static.cat" -p none --expected "$work/known" "$work"
    out_has '^wide.litmus: expected 1, found unknown'
    within 15 3 explain --timeout 1 -m "$work/static.cat" -p none "$work/wide.litmus"
    within 40 3 crosscheck --timeout 1 -m "$work/static.cat" -p none "$work/wide.litmus"
    within 15 3 trace --timeout 1 "$work/long.litmus"
    within 15 3 check -e machine --timeout 1 "$work/many.litmus"
    within 15 3 check --timeout 1 --format svg -m "$work/static.cat" -p none "$work/wide.litmus"
}

# A test that does not come: no engine looks at its clock yet, so the worker is stopped.
silence() {
    rm -f "$work/silent"
    mkfifo "$work/silent"
    exec 9<>"$work/silent"
    for command in check explain trace crosscheck 'compare --models sc+epoch,sc+strict'; do
        # shellcheck disable=SC2086 # a command and its option
        timeout 60 "$CRASHLIT" $command --timeout 1 /dev/stdin <&9 >"$work/out" 2>"$work/err"
        status=$?
        [ "$status" -eq 3 ]
        verdict $? "\`crashlit $command\` of a test that does not come leaves with 3 (it was $status)"
    done
    exec 9>&-
}

# What workers may read: the tests that are named, where links lead, and models beside them or named.
reading() {
    mkdir -p "$work/here" "$work/there" "$work/models"
    printf 'C small\n{ x = 0; }\nP0 (atomic_int* x) { int r = *x; }\nexists (0:r = 0)\n' >"$work/there/real.litmus"
    cp "$work/there/real.litmus" "$work/here/beside.litmus"
    ln -sf "$work/there/real.litmus" "$work/here/link.litmus"
    cp models/visibility/sc.cat "$work/models/order.cat"
    { cat "$work/there/real.litmus" && echo "expect $work/models/order.cat + none : ok"; } >"$work/models/own.litmus"
    for list in "here/link.litmus here/beside.litmus" "here/beside.litmus here/link.litmus" "models/own.litmus"; do
        # shellcheck disable=SC2046 # paths without blanks
        leaves 0 check $(for name in $list; do echo "$work/$name"; done)
    done
    leaves 0 check -m "$work/models/order.cat" -p none "$work/here/link.litmus" "$work/here/beside.litmus"
    ln -sf "$work/models/order.cat" "$work/there/order-link.cat"
    leaves 0 check -m "$work/there/order-link.cat" -p none "$work/here/beside.litmus"
    (cd "$work/here" && timeout 60 "$program" beside.litmus) >"$work/out" 2>&1
    verdict $? "a test is read in the folder at hand"
}

# A set of states is as deep as there are locations, and so are the choices that lead to it; the stack
# is not. One epoch of n stores and then c = 1: while c is 0 each location is 0 or 1, and once it is 1
# all are 1, so there are 2^n + 1 crash states.
depth() {
    awk -v family=E -v n=4000 -f tests/bench/scale.awk >"$work/deep.litmus"
    (ulimit -s 256 && exec timeout 120 "$CRASHLIT" check --format herd --states "$work/deep.litmus") >"$work/out" 2>"$work/err"
    verdict $? "a test of 4,000 locations is checked with 256 KiB of stack"
    out_has '^Verdict E-4000 ok'
    out_has "^Crash states $(python3 -c 'import decimal; decimal.getcontext().prec = 2000; print(decimal.Decimal(2) ** 4000 + 1)')\$"
    # That all are 1 at once: a conjunction of 1,000.
    awk -v family=E -v n=1000 -f tests/bench/scale.awk | sed '$d' >"$work/all.litmus"
    awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%s a[%d] = 1", i ? " /\\" : "crash exists (c = 1 /\\", i; print ")" }' >>"$work/all.litmus"
    (ulimit -s 256 && exec timeout 120 "$CRASHLIT" check --format herd -e enum --decide "$work/all.litmus") >"$work/out" 2>"$work/err"
    verdict $? "a condition over 1,000 locations is decided with 256 KiB of stack"
    out_has '^Verdict E-1000 ok'
    # All states, of which one or the other is true each time: a conjunction of 1,000 disjunctions.
    sed '$d' "$work/all.litmus" >"$work/either.litmus"
    awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%s (a[%d] = 0 \\/ a[%d] = 1)", i ? " /\\" : "crash forall (", i, i; print ")" }' >>"$work/either.litmus"
    (ulimit -s 256 && exec timeout 120 "$CRASHLIT" check --format herd -e enum --states "$work/either.litmus") >"$work/out" 2>"$work/err"
    verdict $? "of 2^1000 + 1 states a condition over 1,000 locations is told with 256 KiB of stack"
    out_has '^Verdict E-1000 ok'
}

program=$(readlink -f "$CRASHLIT")
explanations
models
loading
commands
silence
reading
depth
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
