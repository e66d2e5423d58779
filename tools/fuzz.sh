#!/bin/sh
# fuzz.sh TARGET...: runs each fuzz target for $SECONDS_EACH seconds from its seeds
# in tests/fuzz/seeds/NAME (of fuzz_NAME) and from inputs with long tokens; what it learns stays in build/fuzz/corpus/TARGET.
# There are as many at once as processors. An input that crashes, leaks or takes over 25 s is saved in build/fuzz/found and
# fails the run. Without clang and libFuzzer the targets are left out by name.
set -u
passed=0 failed=0
if ! echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }' |
    clang -x c -fsanitize=fuzzer -o /dev/null - >/dev/null 2>&1; then
    echo "skipped: no clang with libFuzzer, so not fuzzed: $*"
    echo "0 passed, 0 failed"
    exit 0
fi
$RUN_MAKE MODE=fuzz $(printf "build/fuzz/tests/fuzz/%s " "$@") || { echo "0 passed, 1 failed"; exit 1; }
long=build/fuzz/long
mkdir -p "$long"
LC_ALL=C awk -v out="$long" -v sizes=16390 -f tests/fuzz/write.awk -f tests/fuzz/long_tokens.awk >/dev/null || { echo "0 passed, 1 failed"; exit 1; }
fuzz_one() { # target
    corpus=build/fuzz/corpus/$1 found=build/fuzz/found
    mkdir -p "$corpus" "$found" "tests/fuzz/seeds/${1#fuzz_}"
    dictionary=
    [ ! -f "tests/fuzz/$1.dict" ] || dictionary=-dict=tests/fuzz/$1.dict
    # shellcheck disable=SC2086 # no word when there is no dictionary
    "build/fuzz/tests/fuzz/$1" -max_total_time="$SECONDS_EACH" -timeout=25 \
        -rss_limit_mb=2048 -max_len=262144 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$found/$1-" $dictionary "$corpus" "tests/fuzz/seeds/${1#fuzz_}" "$long"
}

runs=build/fuzz/runs processors=$(nproc) share=0
rm -rf "$runs"
mkdir -p "$runs"
while [ "$share" -lt "$processors" ]; do
    number=0
    for target in "$@"; do
        [ $((number % processors)) -ne "$share" ] ||
            { fuzz_one "$target" >"$runs/$target.log" 2>&1 && : >"$runs/$target.passed"; }
        number=$((number + 1))
    done &
    share=$((share + 1))
done
wait
for target in "$@"; do
    cat "$runs/$target.log"
    if [ -e "$runs/$target.passed" ]; then
        passed=$((passed + 1))
    else
        echo "$target failed; inputs are in build/fuzz/found"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
