#!/bin/sh
# crosscheck.sh ORACLE [COUNT [all]]: the engines against each other, on the tests below litmus/ (those that smt takes
# seconds for with `all` alone) under the model pairs they name, on other tools' tests where these are at hand, and on COUNT
# seeded random programs (of the program ORACLE, every third with a recovery), each under a random pair of all built-in
# models; and on as many (dependencies.awk) whose runs differ in what depends on which read, under models that look
# at that. A test that an engine cannot answer is not compared; more than a few such fail. Of tests with undefined behaviour
# both engines must draw an execution.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards
oracle=$1 count=${2:-150} extent=${3:-} seed=${SEED:-1}
peers=../shared/peers/litmus
passed=0 failed=0
rm -rf "$WORK/crosscheck"
mkdir -p "$WORK/crosscheck/random"

# Comparisons that agree count as passed. Fails when some disagree, some file cannot be read
# though all must, or more than `spare` were not compared.
compare() { # title, spare, arguments
    title=$1 spare=$2
    shift 2
    "$CRASHLIT" crosscheck -j 2 "$@" >"$WORK/crosscheck/out" 2>"$WORK/crosscheck/err"
    status=$?
    sum=$(sed -n '$s/^Summary: //p' "$WORK/crosscheck/out")
    echo "$title: ${sum:-no summary}"
    # shellcheck disable=SC2046
    set -- $(echo "$sum" | sed 's/[^0-9 ]//g')
    agree=${1:-0} disagree=${2:-1} open=${3:-1}
    passed=$((passed + agree))
    case $status in
    0) [ "$agree" -gt 0 ] && return ;;
    3) [ "$agree" -gt 0 ] && [ "$open" -le "$spare" ] && return ;;
    esac
    failed=$((failed + (disagree > 0 ? disagree : 1)))
    echo "failed: $title (status $status)"
    head -n 60 "$WORK/crosscheck/out"
    grep -A 3 'error:' "$WORK/crosscheck/err" | head -n 20
}

# The tests of answers with undefined behaviour of their own, and of pictures of it, which call models by their own names.
name_undefined() {
    grep '"undefined":\[{' "$1" | grep -v '"undefined":[^]]*"recovery":true' |
        sed 's/"conditions":.*//; s/.*"test":"\([^"]*\)".*/\1/'
}
name_pictures() { sed -n 's/.* label="\(.*\) under .*\\lundefined behaviour.*/\1/p' "$1"; }

# Each of these answers has its picture, and nothing else has one.
draw() { # options
    # What values that justify themselves make undefined smt alone finds. A property's fault has a picture, too.
    files=$(grep -lr '^expect.*: *undefined' litmus | grep -v -e thin-air/ -e properties/ | sort)
    # shellcheck disable=SC2086
    "$CRASHLIT" check -j 2 "$@" --format json --format dot="$WORK/crosscheck/dot" $files \
        >"$WORK/crosscheck/json" 2>"$WORK/crosscheck/err"
    status=$?
    name_undefined "$WORK/crosscheck/json" >"$WORK/crosscheck/wanted"
    name_pictures "$WORK/crosscheck/dot" >"$WORK/crosscheck/found"
    drawn=$(wc -l <"$WORK/crosscheck/found")
    echo "undefined behaviour, check $*: $drawn drawn"
    if [ $status -eq 0 ] && [ "$drawn" -gt 0 ] &&
        cmp "$WORK/crosscheck/wanted" "$WORK/crosscheck/found"; then
        passed=$((passed + drawn))
    else
        failed=$((failed + 1))
        echo "failed: what is undefined is drawn by check $* (status $status)"
        cat "$WORK/crosscheck/err"
    fi
}

# The I-th program of the seed, named after both, and the pair it is checked under: random
# bits of a small generator that gives the same everywhere.
write_programs() {
    "$CRASHLIT" models >"$WORK/crosscheck/models"
    number=0
    while [ "$number" -lt "$count" ]; do
        with=
        [ $((number % 3)) -ne 0 ] || with=--recovery
        # shellcheck disable=SC2086
        "$oracle" $with --print "$number" --seed "$seed" |
            awk -v seed="$seed" -v number="$number" -f tests/corpus/crosscheck.awk \
                "$WORK/crosscheck/models" - >"$WORK/crosscheck/random/$number.litmus" || return
        number=$((number + 1))
    done
}

write_dependencies() {
    mkdir -p "$WORK/crosscheck/dependencies"
    number=0
    while [ "$number" -lt "$count" ]; do
        awk -v seed="$((seed * 10000 + number))" -f tests/corpus/draw.awk -f tests/corpus/dependencies.awk \
            >"$WORK/crosscheck/dependencies/$number.litmus" || return
        number=$((number + 1))
    done
}

# The model that finds coherence out by itself gives random programs the states of the one it stands for.
# That two read-modify-writes read one write it cannot tell: nothing orders the two, and its co is no total order.
own_coherence() {
    grep -L 'fetch_\|exchange' "$WORK"/crosscheck/random/* >"$WORK/crosscheck/plain"
    plain=$(wc -l <"$WORK/crosscheck/plain")
    for model in tests/corpus/own-sc.cat sc; do
        "$CRASHLIT" check --format json --timeout 60 -m $model -p none "@$WORK/crosscheck/plain" 2>"$WORK/crosscheck/err" |
            sed 's/.*"test":"\([^"]*\)".*"final_states"/\1 "final_states"/; s/,"flags".*//' >"$WORK/crosscheck/${model##*/}.states"
    done
    same=$(comm -12 "$WORK/crosscheck/own-sc.cat.states" "$WORK/crosscheck/sc.states" | wc -l)
    echo "$same of $plain random programs have one list of states under own-sc.cat and sc"
    if [ "$plain" -gt 0 ] && [ "$same" -eq "$plain" ]; then
        passed=$((passed + same))
    else
        failed=$((failed + 1))
        echo "failed: states under own-sc.cat differ from those under sc"
        diff "$WORK/crosscheck/own-sc.cat.states" "$WORK/crosscheck/sc.states" | cut -c 1-300 | head -n 4
    fi
}

# A program on which the engines differ is all that is needed to find out why.
show_programs() {
    sed -n 's/^\([^ :]*\): .* engines disagree$/\1/p' "$WORK/crosscheck/out" | head -n 3 |
        while read -r file; do
            echo "---- $file"
            cat "$file"
        done
}

# recovery/add-pending-restarted counts on at every restart, so no machine comes to its end: three pairs. No machine of x86 encodes
# stores of several values (px86/wide-*): three more.
# smt takes minutes for retries/flag-4. Of thin-air enum answers less than smt, and many lists have no end.
# A list names files from where it stands.
find "$PWD/litmus" -name '*.litmus' ! -path '*/retries/flag-4.litmus' ! -path '*/thin-air/*' | sort >"$WORK/crosscheck/litmus"
dear='retries/.*-3|locks/(.*-4|ttas-scope|mcs-2)|lin/fig8.*|recovery/undo-log-bare|published/db-insert-repaired|helper-warps/fig2-stm-repaired|launch/(kernel-transaction|recovery-kernel)'
if [ -z "$extent" ]; then
    grep -vE "/($dear)\.litmus$" "$WORK/crosscheck/litmus" >"$WORK/crosscheck/light"
    mv "$WORK/crosscheck/light" "$WORK/crosscheck/litmus"
fi
compare "tests of litmus/" 6 --timeout 60 "@$WORK/crosscheck/litmus"
compare "tests of litmus/thin-air" 12 --timeout 60 litmus/thin-air
compare "tests of litmus/thin-air, decided" 8 --timeout 60 --decide litmus/thin-air
for engine in enum smt; do
    draw --engine $engine
    draw --engine $engine --decide
done
if [ -d "$peers" ]; then
    compare "C11 under rc11" 2 --timeout 60 -m rc11 -p none $peers/C11
    compare "C11 under c11" 2 --timeout 60 -m c11 -p none $peers/C11
    compare "OPENCL under opencl" 2 --timeout 60 -m opencl -p none $peers/OPENCL
    # The folder has tests of later versions of PTX as well.
    sed "s|,.*||; s|^|$PWD/$peers/../|" $peers/../expected/PTXv6_0.csv >"$WORK/crosscheck/ptx"
    compare "PTX under ptx" 2 --timeout 60 -m ptx -p none "@$WORK/crosscheck/ptx"
else
    echo "skipped: there is no $peers"
fi
write_programs
compare "$count random programs (seed $seed)" $((count / 20)) --timeout 60 "$WORK/crosscheck/random"
[ "$failed" -eq 0 ] || show_programs
compare "$count random programs with the least thresholds" $((count / 20)) --timeout 60 --thresholds least "$WORK/crosscheck/random"
[ "$failed" -eq 0 ] || show_programs
write_dependencies
for model in ptx tests/corpus/dependencies.cat tests/corpus/independence.cat; do
    compare "$count programs with dependencies, under $model" $((count / 20)) --timeout 60 -m $model -p epoch \
        "$WORK/crosscheck/dependencies"
done
own_coherence
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
