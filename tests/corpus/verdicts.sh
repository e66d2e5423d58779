#!/bin/sh
# verdicts.sh COUNT [all]: for each of so many seeds a random model of the sort that users write
# (verdicts_model.awk, and published.awk of what persistency adds to visibility) and small random tests with a
# recovery (verdicts.awk), each answered in several ways:
# listed and decided, by either engine, also with the least thresholds, explained, and in two parts put together. All have to
# agree.
# What a limit leaves unknown is not compared. A short run begins with two models whose livelocks are seen in few ways.
set -u
first=1020 count=$1
[ -z "${2:-}" ] || first=1
folder=$(dirname "$0")
tests=6
mkdir -p "$WORK/verdicts"
work=$(cd "$WORK/verdicts" && pwd)
passed=0 failed=0 unknown=0

random() { # seed, file, variables
    seeded=$1 program=$2
    shift 2
    awk -v seed="$seeded" "$@" -f "$folder/draw.awk" -f "$folder/tags.awk" -f "$folder/$program"
}

answers() { # name, command and options
    to=$work/$1
    shift
    # shellcheck disable=SC2086
    "${TRIED:-$CRASHLIT}" "$@" -f json -j 2 --timeout 1 $options -m "$model" -p "$published" "$work/tests" >"$to" 2>"$to.err"
    status=$?
    [ $status -lt 64 ] || echo "failed: $* leaves with $status: $model $work/tests"
    return 0
}

in_parts() {
    answers part.1 check -e enum --shard 1/2
    answers part.2 check -e enum --shard 2/2
    "$CRASHLIT" merge "$work/part.1" "$work/part.2" >"$work/parts" 2>"$work/parts.err"
    paste -d '\n' "$work/enum-listed" "$work/parts" | sed 's/,"seconds":[^}]*//' | awk '
        /"doubt":/ { sub(/"stats":{[^}]*}/, "") } # of a limit the first is told, and time may have run out as well
        NR % 2 { whole = $0; next }
        whole != $0 && (whole $0) !~ /the time limit ran out/ {
            print "failed: two parts are not the whole:"; print whole; print }'
}

look_at() { # seed
    model=$work/$1.cat published=$work/$1-published.cat
    rm -rf "$work/tests"
    mkdir -p "$work/tests"
    random "$1" verdicts_model.awk >"$model"
    random "$1" published.awk -v tag_names="ta tb tc" >"$published"
    random "$1" verdicts.awk -v count=$tests -v folder="$work/tests"
    options=$(sed -n 's/^(\* options: \(.*\) \*)$/\1/p' "$model")
    answers enum-listed check -e enum
    answers enum-decided check -e enum --decide
    answers smt-listed check -e smt
    answers smt-decided check -e smt --decide
    answers enum-least check -e enum --thresholds least
    answers enum-decided-least check -e enum --decide --thresholds least
    answers smt-decided-least check -e smt --decide --thresholds least
    answers auto-least check --thresholds least
    answers explained explain
    in_parts
    # A random model may give a tag a meaning for fences alone that a read-modify-write has, which is refused (E-cat-tag).
    sed -n 's/.*"engine":"","verdict":"error".*"reason":\(.*\)/failed: cannot be read: \1/p' "$work/enum-listed" |
        grep -v 'an instruction has no meaning'
    awk -f "$folder/verdicts_compare.awk" "$work/enum-listed" "$work/enum-decided" "$work/smt-listed" \
        "$work/smt-decided" "$work/enum-least" "$work/enum-decided-least" "$work/smt-decided-least" \
        "$work/auto-least" "$work/explained"
}

# What failed is kept: the model and the tests.
try() { # seed
    look_at "$1" >"$work/compared"
    read -r p f u <<END
$(tail -n 1 "$work/compared")
END
    f=$(grep -c '^failed: ' "$work/compared")
    [ $((p + f + u)) -gt 0 ] || f=1
    if [ "$f" -gt 0 ]; then
        echo "seed $1, options $options, model $model:"
        sed '$d' "$work/compared" | head -n 10
        rm -rf "$work/tests.$1"
        cp -R "$work/tests" "$work/tests.$1"
    else
        rm -f "$model" "$published"
    fi
    passed=$((passed + p)) failed=$((failed + f)) unknown=$((unknown + u))
}

# Runs that decide with another crash mode: that has to show.
notices() {
    TRIED=$work/mistaken
    printf '#!/bin/sh\ncase " $* " in *" --decide "*) set -- "$@" --crash end ;; esac\nexec "%s" "$@"\n' \
        "$CRASHLIT" >"$TRIED"
    chmod +x "$TRIED"
    look_at 5 >"$work/compared"
    if grep -q '^failed: .*enum-decided: verdicts' "$work/compared"; then
        passed=$((passed + 1))
    else
        echo "failed: another crash mode is not noticed"
        failed=$((failed + 1))
    fi
    unset TRIED
    rm -f "$model" "$published"
}

notices
seed=$first
while [ "$seed" -lt $((first + count)) ]; do
    try "$seed"
    seed=$((seed + 1))
done
[ "$unknown" -eq 0 ] || echo "$unknown left unknown by some run"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
