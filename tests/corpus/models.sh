#!/bin/sh
# models.sh FROM TO: random models (models.awk, and published.awk of what persistency adds to visibility), one for each
# seed of the range: both engines give
# every test below the same states, flags, undefined behaviour and verdicts. What one of them
# leaves unknown is not compared.
set -u
folder=$(dirname "$0")
mkdir -p "$WORK/models"
work=$(cd "$WORK/models" && pwd)
tests="litmus/c11/sb-fence.litmus litmus/c11/lb-rlx.litmus litmus/c11/operands-and.litmus
    litmus/opencl/mp-ra.litmus litmus/opencl/2+2w-sc.litmus litmus/opencl/barrier-local.litmus
    litmus/opencl/kv-flag.litmus litmus/hrf-relaxed/corr.litmus litmus/spb/rmw-claim.litmus
    litmus/spb/await-stuck.litmus litmus/spb/flag-one-barrier.litmus litmus/spb/kv-insert.litmus
    litmus/spb/divergence-branch.litmus litmus/spb/point-before-barrier.litmus
    litmus/ptx/bar-quorum.litmus litmus/ptx/bar-arrive.litmus litmus/ptx/coherence-partial.litmus
    litmus/ptx/nvm-coww.litmus litmus/ptx/iriw-fence-sc.litmus litmus/ptx/claim.litmus
    litmus/tags/line.litmus litmus/tags/other-writer.litmus litmus/tags/places.litmus litmus/tags/through.litmus"
passed=0 failed=0 unknown=0

# What an engine says of each test, without figures; cycles have other witnesses in each.
answers() { # engine, model
    # shellcheck disable=SC2086
    timeout 300 "$CRASHLIT" check -e "$1" -f json --timeout 20 -m "$2" -p "$work/published.cat" $tests \
        >"$work/out.$1" 2>"$work/err.$1"
    status=$?
    awk -f "$folder/models_answers.awk" "$work/out.$1" >"$work/says.$1"
    [ $status -ge 64 ] && echo "status $status" >>"$work/says.$1"
}

seed=$1
while [ "$seed" -le "$2" ]; do
    model=$work/$seed.cat
    awk -v seed="$seed" -f "$folder/draw.awk" -f "$folder/tags.awk" -f "$folder/models.awk" >"$model"
    awk -v seed="$seed" -v tag_names="sfence clwb st_wt swap_wt board cpu" -f "$folder/draw.awk" \
        -f "$folder/tags.awk" -f "$folder/published.awk" >"$work/published.cat"
    answers enum "$model"
    answers smt "$model"
    paste -d '\n' "$work/says.enum" "$work/says.smt" | awk -v seed="$seed" '
        # That there was nothing to look at is an answer like others.
        function doubted(line) {
            if (gsub(/"verdict":"unknown","positive":0,"negative":0,"reason":"vacuous/, "", line))
                sub(/"verdict":"unknown","expected"/, "", line)
            return line ~ /"verdict":"unknown"|"doubt":"the time limit ran out"/
        }
        NR % 2 { first = $0; next }
        # That a tag means fences around a read-modify-write is no answer, by either engine.
        /"reason":"an instruction has no meaning"/ && first == $0 { unknown++; next }
        /"verdict":"error"/ { failed++; print "failed: seed " seed ": " $0; next }
        doubted(first) || doubted($0) { unknown++; next }
        first == $0 { passed++; next }
        { failed++; print "failed: seed " seed; print "  enum " first; print "  smt  " $0 }
        END { print passed + 0, failed + 0, unknown + 0 }' >"$work/compared"
    sed '$d' "$work/compared"
    read -r p f u <<END
$(tail -n 1 "$work/compared")
END
    if [ $((p + f + u)) -eq 0 ]; then
        f=1
        head -n 5 "$work/err.enum"
        echo "failed: seed $seed: no answers"
    fi
    if [ "$f" -eq 0 ]; then rm -f "$model"; else cp "$work/published.cat" "$work/$seed-published.cat"; fi
    passed=$((passed + p)) failed=$((failed + f)) unknown=$((unknown + u))
    seed=$((seed + 1))
done
[ "$unknown" -eq 0 ] || echo "$unknown left unknown by an engine"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
