#!/bin/sh
# decide.sh FOLDER: with --decide every condition of every test below the folder has the
# verdict, and every test the flags, that listing all states gives. So too for other tools' tests, when the folder with
# them is beside the checkout (../shared/peers). The families of bench-scale have their verdicts at small sizes.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE # a runner's own shards
mkdir -p "$WORK"
peers=../shared/peers/litmus
passed=0 failed=0

# Without the chains of crashes and recoveries: of a condition that something undefined decides
# there may be one or not.
without_chains() {
    awk '{
        while (i = index($0, ",\"chain\":{")) {
            depth = 1
            for (j = i + 10; depth && j <= length($0); j++) {
                c = substr($0, j, 1)
                depth += (c == "{") - (c == "}")
            }
            $0 = substr($0, 1, i - 1) substr($0, j)
        }
        print
    }' "$1"
}

# What a line of results says of its test up to the conditions, and its flags, without the states that
# were counted, or decide a condition, the sentences that tell of these, and the doubts that were met: to decide takes fewer of either. That there are no states
# is no doubt: listed or decided, the reason is the same.
verdicts() {
    without_chains "$1" | sed -E 's/,"words":"([^"\\]|\\.)*"//g' | sed 's/,"deciding":\[[0-9,]*\]//g; s/,"deciding_state":{[^{}]*}//g
         s/,"positive":[0-9nul]*,"negative":[0-9nul]*//g; s/,"reason":"[^v][^"]*"//g; s/,"reason":"v[^a][^"]*"//g
         s/,"final_states":.*\(,"flags":\[[^]]*\]\).*/\1/; s/,"decided":true.*\(,"flags":\[[^]]*\]\).*/\1/'
}

compare() { # folder, options for both runs
    of=$1
    shift
    "$CRASHLIT" check -e enum --format json "$@" "$of" >"$WORK/decide.all" 2>"$WORK/decide.err"
    for engine in $engines; do decide "$engine" "$@"; done
}

decide() { # engine, options for both runs
    engine=$1
    shift
    "$CRASHLIT" check --format json --decide --engine "$engine" "$@" "$of" >"$WORK/decide.one" 2>>"$WORK/decide.err"
    verdicts "$WORK/decide.all" >"$WORK/decide.listed"
    verdicts "$WORK/decide.one" | sed "s/,\"engine\":\"$engine\"\(,\"decided_by\":\"[a-z]*\"\)\{0,1\}/,\"engine\":\"enum\"/" >"$WORK/decide.decided"
    tests=$(wc -l <"$WORK/decide.listed")
    decided=$(grep -c '"decided":true' "$WORK/decide.one")
    differ=$(diff "$WORK/decide.listed" "$WORK/decide.decided" | grep -c '^[<>]')
    if [ "$tests" -gt 0 ] && [ "$decided" -eq "$tests" ] && [ "$differ" -eq 0 ] &&
        ! grep -q 'internal error' "$WORK/decide.err"; then
        passed=$((passed + tests))
    else
        diff "$WORK/decide.listed" "$WORK/decide.decided" | head -n 10
        grep 'internal error' "$WORK/decide.err"
        echo "failed: $of $engine $*: $tests listed, $decided decided, $differ lines differ"
        failed=$((failed + 1))
    fi
}

# px86/wide-*: under these pairs enum and smt are asked by name, as no machine encodes the stores; so auto is not asked.
find "$PWD/$1" -name '*.litmus' ! -path '*/thin-air/*' ! -path '*/px86/wide-eadr.*' ! -path '*/px86/wide-torn.*' \
    ! -path '*/px86/wide-unit.*' | sort >"$WORK/decide.tests"
engines="enum auto"
compare "@$WORK/decide.tests"
engines=enum
compare "$1/thin-air" # auto asks smt, which answers more than enum lists
compare "$1" -m c11 -p epoch # under which many tests race
engines=smt
compare "$1/opencl"
compare "$1/opencl" -m c11 -p epoch
engines=enum
if [ -d "$peers" ]; then
    compare "$peers/C11" -m rc11
    compare "$peers/C11" -m c11
    compare "$peers/OPENCL" -m opencl
    # The folder has tests of later versions of PTX as well.
    sed "s|,.*||; s|^|$PWD/$peers/../|" "$peers/../expected/PTXv6_0.csv" >"$WORK/decide.ptx"
    compare "@$WORK/decide.ptx" -m ptx
else
    echo "skipped: there is no $peers"
fi

# Each with no option, and decided by an engine alone, at two sizes.
families="A B C D E F G H btree"
for name in $families; do families="$families $name-broken"; done
if SCALE=$families SCALE_SIZES="2 3" SCALE_ENGINES=smt SCALE_TURNS=1 sh tests/bench/bench_scale.sh >"$WORK/decide.scale" &&
    grep -qx 'answers as derived: 72' "$WORK/decide.scale"; then
    passed=$((passed + 72))
else
    grep -e '^failed' -e '^answers' "$WORK/decide.scale"
    echo "failed: a family of bench-scale has not its verdict"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
