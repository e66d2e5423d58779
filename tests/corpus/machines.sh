#!/bin/sh
# machines.sh ORACLE [COUNT [all]]: executable machines against the models that they promise.
#
#   1. Every built-in machine, on every test below litmus/, but for a few on the largest, under each of its model pairs: what it
#      shows on a test that is not undefined is allowed. Pipelines are given the tests of their mechanisms, and the
#      others, and those that take a minute, with `all` alone. Barriers that no machine has are not compared, nor is recovery
#      beyond its last round.
#   2. The same on COUNT seeded random programs (of the program ORACLE), for nvw-fifo, ideal-sc and the
#      bpfs machines, and on a part of them for their variants. About half of the
#      programs are undefined; fewer than four in ten that are compared completely fail.
#   3. What models allow and machines never show, test by test, is the table of
#      docs/models/machines-conservative.md. PROMOTE=1 rewrites it. What of it has a reason: keeps.py.
#   4. Every fault makes this check fail: for each some machine shows a state that is not allowed, in a
#      test of litmus/spb. Machines for this alone are in tests/corpus/*.machine. Each pipeline with each of its
#      faults does so in the test that docs/models/machines.md names.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards
oracle=$1 count=${2:-2200} extent=${3:-} seed=${SEED:-1}
work=$WORK/machines
. tests/corpus/cases.sh
rm -rf "$work"
mkdir -p "$work/some" "$work/rest"

fault() { echo "failed: $*"; failed=$((failed + 1)); }

# The model pairs of a machine, "VISIBILITY+PERSISTENCY" each; as options, the first or one of them.
pairs_of() {
    "$CRASHLIT" machines "$1" | sed 's/^[^ ]* *//; s/ + /+/g; s/, /,/g; s/ .*//' | tr ',' '\n'
}
options() { echo "-m ${1%+*} -p ${1#*+}"; }
pair_of() { options "$(pairs_of "$1" | head -n 1)"; }

# Tests that are contained count as passed. Fails when a state is outside, a file cannot be read,
# nothing was contained, or something was not compared for another reason than the given one.
contain() { # title, machine, accepted reason, arguments
    contain_under "$(pairs_of "$2" | head -n 1)" "$@"
}

contain_under() { # pair, and the same
    pair=$1 title=$2 machine=$3 reason=$4
    shift 4
    # shellcheck disable=SC2046
    "$CRASHLIT" crosscheck -j 2 -e machine --machine "$machine" $(options "$pair") "$@" \
        >"$work/out" 2>"$work/err"
    status=$?
    sum=$(sed -n 's/^Machines: //p' "$work/out")
    echo "$machine, $title: ${sum:-no summary}"
    contained=${sum%% contained*}
    contained=${contained:-0}
    passed=$((passed + contained))
    other=$(sed -n 's/^.*: not compared: //p' "$work/out" | grep -cv -e "$reason" -e '^undefined$')
    case $status in 0 | 3) [ "$contained" -gt 0 ] && [ "$other" -eq 0 ] && return ;; esac
    fault "$machine, $title (status $status, $other not compared)"
    head -n 60 "$work/out"
    head -n 20 "$work/err"
}

# In two folders: the first quarter is what slower machines are given.
write_programs() {
    "$oracle" --print 0 --until "$count" --seed "$seed" |
        awk -v work="$work" -v seed="$seed" -v part="$((count / 4))" '
            /^OPENCL / {
                close(file)
                file = work (number < part ? "/some/" : "/rest/") number ".litmus"
                $2 = "random-" seed "-" number++
            }
            { print >file }'
}

# Tests whose lines, in two levels of caches that write back whenever they like, make more states than are kept.
large='helper-warps/fig6-writetest published/db-insert published/db-insert-repaired retries/flag-4'
# And those that take a minute and more where writes are under way as long as they like, or loops have no end; those of
# mappings are undefined under the pairs of the machines that take long.
slow='published/scor-chain published/scor-chain-atom published/scor-chain-fenced retries/flag-4 retries/busy helper-warps/hw32-abort-in-loop lin/fig8 lin/fig8-flag-waited lin/fig8-repaired mappings/fig8-source mappings/fig8-source-target'
# And those that take seconds in some, which check-long has.
seconds='mappings/loop-back recovery/undo-log-bare recovery/alike-livelock recovery/alike-fault cuda/undo-stale cuda/undo-twice'

without() { # tests
    for test in "$@"; do
        [ -f "litmus/$test.litmus" ] || fault "litmus/$test.litmus is not there"
        echo "litmus/$test.litmus"
    done | grep -vxFf - "$work/all"
}

check_corpus() {
    find litmus -name '*.litmus' | LC_ALL=C sort >"$work/all"
    if [ "$extent" != all ]; then # the machines of lin are given those of lin below
        # shellcheck disable=SC2086 # several tests
        without $slow $seconds >"$work/quick"
        mv "$work/quick" "$work/all"
    fi
    # shellcheck disable=SC2086 # several tests
    without $large >"$work/smaller"
    # shellcheck disable=SC2086
    without $slow >"$work/quicker"
    for machine in $("$CRASHLIT" machines | sed 's/ .*//'); do
        case $machine in nvw-*) list=smaller ;; gpm-ddio | gpm-window | strand-stores) list=quicker ;; *) list=all ;; esac
        [ "$extent" = all ] || ! pipelines | grep -qx -e "$machine" || continue
        for promised in $(pairs_of "$machine"); do
            # shellcheck disable=SC2046 # several tests
            contain_under "$promised" "litmus/ under $promised" "$machine" "not encoded\|after the last round\|unroll bound" \
                -v $(cat "$work/$list")
            [ -f "$work/corpus.$machine" ] || cp "$work/out" "$work/corpus.$machine"
        done
    done
}

check_pipelines() {
    for machine in $(pipelines); do
        folders=$(folders_of "$machine")
        for promised in $(pairs_of "$machine"); do
            # shellcheck disable=SC2046 # several folders
            contain_under "$promised" "$folders under $promised" "$machine" "not encoded\|after the last round" \
                $(for folder in $folders; do echo "litmus/$folder"; done)
        done
    done
}

# A table is in its document as it is now: from the line that is its head to the last that begins with `|`.
check_table() { # page, table
    awk -v table="$2" '
        NR == FNR { if (FNR == 1) head = $0; text = text $0 "\n"; next }
        $0 == head { printf "%s", text; inside = 1; found++ }
        inside && !/^\|/ { inside = 0 }
        !inside
        END { exit found != 1 }' "$2" "$1" >"$work/page"
    status=$?
    [ "$status" -ne 0 ] || [ "${PROMOTE:-0}" != 1 ] || cp "$work/page" "$1"
    if [ "$status" -eq 0 ] && diff "$1" "$work/page"; then
        passed=$((passed + 1))
    else
        fault "$1 has another table: PROMOTE=1 make machines, and read the difference"
    fi
}

check_tables() {
    (cd "$work" && awk -f "$OLDPWD/tests/corpus/conservative.awk" corpus.nvw-fifo \
        corpus.nvw-fifo-small corpus.nvw-fifo-one-unit corpus.bpfs corpus.bpfs-no-wait) >"$work/conservative"
    check_table docs/models/machines-conservative.md "$work/conservative"
}

check_random() {
    states="more states than are kept\|not encoded" # of cache maintenance
    for machine in ideal-sc bpfs bpfs-no-wait nvw-fifo; do
        contain "$count random programs (seed $seed)" "$machine" "$states" --max-states 10000 \
            "$work/some" "$work/rest"
        [ "$((contained * 10))" -ge "$((count * 4))" ] ||
            fault "$machine: $contained of $count random programs are race-free and compared"
    done
    for machine in nvw-fifo-small nvw-fifo-one-unit bpfs-small; do
        contain "$((count / 4)) of them" "$machine" "$states" --max-states 10000 "$work/some"
    done
}

# Is a fault of the machine seen in a test of the corpus? The report has to have the run that leads to
# the state.
shows() { # fault, machine, test
    # shellcheck disable=SC2046
    timeout 60 "$CRASHLIT" crosscheck -e machine --machine "$2" --fault "$1" $(pair_of_file "$2") \
        "litmus/spb/$3.litmus" >"$shown" 2>&1 </dev/null
    [ $? -eq 4 ] && grep -q 'state of machine only' "$shown" && grep -q ' who .* what ' "$shown"
}

# Of a built-in, or of the one whose implementation a file names.
pair_of_file() {
    case $1 in
    *.machine) pair_of "$(sed -n 's/^machine *= *\([^ ]*\).*/\1/p' "$1")" ;;
    *) pair_of "$1" ;;
    esac
}

# Small tests, the ones that show most first.
tests='def1 def2 def3 acquire-forgets release-tells barrier-hands-over persist-coherence-overwrite
    device-barrier-flag flag-one-barrier flag-two-barriers undo-log rmw-count chain-three read-through-nvm
    subgroup-same device-barrier alternative-no-wait-synced persist-through-co persist-through-fr
    alternative-two-versions'

# Gives each line of a list to a function that prints one line, a failure or not; as many at once as there are processors.
for_each() { # list, function
    processors=$(nproc) share=0
    rm -f "$work"/told.*
    while [ "$share" -lt "$processors" ]; do
        shown=$work/shown.$share
        awk -v n="$processors" -v share="$share" 'NR % n == share' "$1" |
            while read -r line; do $2 $line; done >"$work/told.$share" &
        share=$((share + 1))
    done
    wait
    cat "$work"/told.*
    good=$(cat "$work"/told.* | grep -vc '^failed: ')
    passed=$((passed + good)) failed=$((failed + $(wc -l <"$1") - good))
}

find_fault() { # fault
    for machine in nvw-fifo tests/corpus/*.machine nvw-fifo-small bpfs bpfs-no-wait; do
        for test in $tests; do
            if shows "$1" "$machine" "$test"; then
                echo "fault $1: caught on $machine by $test"
                return
            fi
        done
    done
    echo "failed: no test notices $1"
}

check_faults() {
    for machine in nvw-fifo bpfs; do
        "$CRASHLIT" machines -v "$machine" | sed -n '/^Faults/,$s/^  \([^ ]*\) .*/\1/p'
    done | sort -u >"$work/faults"
    [ -s "$work/faults" ] || fault "no faults are listed"
    for_each "$work/faults" find_fault
}

# Every fault of a pipeline is caught by the test that the table of docs/models/machines.md has for it and the machine.
test_of() { # machine, fault
    sed -n '/^### Faults of pipelines/,/^## /p' docs/models/machines.md | grep "^|[^|]*\`$2\`" |
        sed -n "s/.*\`$1\` by \`\([^\`]*\)\`.*/\1/p"
}

find_in_table() { # machine, fault
    if shows "$2" "$1" "../$(test_of "$1" "$2")"; then
        echo "fault $2: caught on $1 by $(test_of "$1" "$2")"
    else
        echo "failed: $1 with $2: the table of docs/models/machines.md has no test that notices it"
    fi
}

check_pipeline_faults() {
    for machine in $(pipelines); do
        "$CRASHLIT" machines -v "$machine" | sed -n "/^Faults/,\$s/^  \([^ ]*\) .*/$machine \1/p"
    done >"$work/pipeline_faults"
    [ -s "$work/pipeline_faults" ] || fault "pipelines have no faults"
    for_each "$work/pipeline_faults" find_in_table
}

check_corpus
check_pipelines
check_tables
write_programs
check_random
check_faults
check_pipeline_faults
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
