#!/bin/sh
# machine_threads.sh: one machine, explored by 1, 2 and 8 threads: the same states, counts and verdicts; and what is
# killed, out of time, out of memory or without threads is `unknown` or an error, never a verdict, and never hangs.
set -u
mkdir -p "$WORK/machine_threads"
work=$(cd "$WORK/machine_threads" && pwd)
. tests/corpus/cases.sh
sizes="1 2 8"

# Families of the benchmarks. Of C, each of n work-groups stores its own location, durably, and adds 1 to a counter: ok.
family() { # letter, work-items
    awk -v family="$1" -v n="$2" -f tests/bench/scale.awk >"$work/$1$2.litmus"
}
family C 3
family C 4
family C 5
# Of the family's states with every step kept there are more than any of these limits: with 5 work-groups 12,482,932
# even as normal forms (docs/models/machines.md).
long="-m hrf-direct -p epoch --no-reduction --max-states 1000000000"

# A run's answer without what it took.
bare() { sed 's/"seconds":[^,}]*//g; s/"peak_kib":[^,}]*//g' "$work/out" | grep -v '^Time '; }

# Others help where several hundred states are looked at together, which most tests have not: so families and every step.
same() { # wanted status, arguments
    for size in $sizes; do
        leaves "$@" --machine-threads "$size"
        bare >"$work/same$size"
        cmp -s "$work/same1" "$work/same$size"
        verdict $? "\`crashlit $*\` says the same with 1 and $size threads"
    done
}
corpora() {
    pairs="-m hrf-direct -p"
    # shellcheck disable=SC2086 # a pair
    {
        same 0 check -e machine --format json litmus/spb litmus/locks litmus/launch litmus/acknowledged
        for machine in nvw-fifo:3 nvw-fifo-small:3 bpfs:0 ideal-sc:0 spb-pipeline:0; do # the first two have more states
            same "${machine#*:}" check -e machine --machine "${machine%:*}" --format json --no-reduction \
                --max-states 20000 litmus/spb/kv-*.litmus "$work/C3.litmus"
        done
        same 0 check -e machine --format json $pairs epoch --no-symmetry "$work/C4.litmus"
        same 3 check -e machine --format json $pairs epoch --no-reduction --max-states 60000 "$work/C4.litmus"
        same 0 trace --format json --state a0=1,a1=1,a2=1,c=0 "$work/C3.litmus"
    }
}

# The worker of a run that is under way, once it has all its threads.
has_threads() { # how many
    program=$(children "$run") && [ -n "$program" ] && workers=$(children "$program") && [ -n "$workers" ] &&
        [ "$(ls /proc/"$workers"/task 2>/dev/null | wc -l)" -ge "$1" ]
}
is_gone() { [ $# -eq 1 ] && { ! [ -e "/proc/$1/status" ] || grep -qs "^State:.Z" "/proc/$1/status"; }; }
begin() { # threads, arguments
    size=$1
    shift
    # shellcheck disable=SC2086 # options
    timeout -k 5 180 "$CRASHLIT" check -e machine $long --machine-threads "$size" --format json "$@" \
        "$work/C5.litmus" litmus/spb/def1.litmus >"$work/out" 2>"$work/err" &
    run=$!
    await "a worker explores with $size threads" has_threads "$size"
}
kills() {
    for size in $sizes; do
        # A worker that is killed: its test is an error, the other is not touched.
        begin "$size" --memory 2000
        # shellcheck disable=SC2086 # it is one
        kill -KILL $workers
        wait "$run" 2>/dev/null
        status=$?
        [ "$status" -eq 70 ]
        verdict $? "a killed worker of $size threads shows in the status (70, it was $status)"
        out_lines '"file":"[^"]*C5.litmus".*"verdict":"error".*"reason":"its worker was ended by signal 9' 1
        out_lines '"test":"def1".*"verdict":"ok"' 1
        # A run that is killed takes all along.
        begin "$size" --memory 2000
        # shellcheck disable=SC2086 # it is one
        kill -KILL $program
        wait "$run" 2>/dev/null
        # shellcheck disable=SC2086 # it is one
        await "its worker of $size threads is gone" is_gone $workers
        ! grep -q '"verdict"' "$work/out"
        verdict $? "and nothing was answered"
    done
}

# One that stands still with all its threads is stopped at the limit of time.
stops() {
    begin 8 --memory 2000 --timeout 2
    # shellcheck disable=SC2086 # it is one
    kill -STOP $workers
    wait "$run"
    status=$?
    [ "$status" -eq 3 ]
    verdict $? "a stopped worker shows in the status (3, it was $status)"
    out_lines '"test":"C-5".*"verdict":"unknown".*"doubt":"the time limit ran out' 1
    out_lines '"test":"def1".*"verdict":"ok"' 1
}

# An answer `unknown` with its reason, and no other.
unknown() { # reason, arguments
    reason=$1
    shift
    for size in $sizes; do
        # shellcheck disable=SC2086 # options
        leaves 3 check -e machine --format json --machine-threads "$size" $long "$@" "$work/C5.litmus"
        out_lines "\"verdict\":\"unknown\".*\"doubt\":\"$reason" 1
        out_lines '"verdict":"\(ok\|violated\|undefined\|error\)"' 0
    done
}
limits() {
    unknown 'there are more states than are kept' --max-states 60000
    unknown 'the time limit ran out' --timeout 0.2 --memory 2000
    # Under sanitizers no worker has a limit of memory to meet.
    [ -n "${MEMORY_UNBOUNDED:-}" ] || unknown 'the memory limit was met' --memory 1
    # Where no thread can be had there is one, the caller's; and with room for some there are some.
    [ -n "${MEMORY_UNBOUNDED:-}" ] || for memory in 1 40; do
        leaves 0 check -e machine --format json -m hrf-direct -p epoch --no-symmetry --max-states 1000000 \
            --machine-threads 64 --memory $memory "$work/C3.litmus"
        out_lines '"verdict":"ok"' 1
    done
}

for size in 0 -1 65 1000000000 99999999999999999999 2x ''; do
    leaves 2 check -e machine --machine-threads "$size" litmus/spb/def1.litmus
    err_has 'machine-threads'
done
corpora
limits
kills
stops
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
