#!/bin/sh
# replay.sh PROGRAM...: each replay program on its target's seeds, file by file, and on inputs with long tokens; those that read
# machines or mappings on every one of the tree, the others on every test and model.
set -u
long=$WORK/replay
mkdir -p "$long"
LC_ALL=C awk -v out="$long" -f tests/fuzz/write.awk -f tests/fuzz/long_tokens.awk >"$long/outcomes" || { echo "0 passed, 1 failed"; exit 1; }
passed=0 failed=0 programs=$*
# Many inputs to a process, which takes longer to start than to read one; those of one that failed are tried alone.
runs() { timeout "$1" "$program" $inputs >/dev/null 2>"$long/err"; }
replay() {
    set -- $inputs
    if runs 600; then
        passed=$((passed + $#))
        return
    fi
    cp "$long/err" "$long/together"
    before=$failed
    for inputs in "$@"; do
        if runs 60; then
            passed=$((passed + 1))
        else
            cat "$long/err"
            echo "${program##*/replay_} fails on $inputs"
            failed=$((failed + 1))
        fi
    done
    [ "$failed" -eq "$before" ] || return
    cat "$long/together"
    echo "${program##*/replay_} fails on these in one process, and on none alone: $*"
    failed=$((failed + 1))
}
for program in $programs; do
    target=${program##*/replay_}
    inputs= count=0
    case $target in
    fuzz_machine) set -- models/machines/*.machine tests/malformed/*/*.machine ;;
    fuzz_mapping) set -- models/mappings/*.map tests/malformed/*/*.map ;;
    *) set -- litmus/*/*.litmus models/*.cat models/*/*.cat tests/malformed/*/*.litmus tests/malformed/*/*.cat "$long"/*.litmus ;;
    esac
    set -- "tests/fuzz/seeds/${target#fuzz_}"/* "$@"
    if [ ! -f "$1" ]; then
        echo "failed: $target has no seeds"
        failed=$((failed + 1))
    fi
    for input in "$@" "$long"/*.cat; do
        [ -f "$input" ] || continue
        inputs="$inputs $input" count=$((count + 1))
        if [ $count -eq 100 ]; then
            replay
            inputs= count=0
        fi
    done
    [ -z "$inputs" ] || replay
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
