#!/bin/sh
# oracle.sh PROGRAM [COUNT]: the brute-force interleaver against the checker on COUNT
# seeded random programs. Before that its own tests, and that each mistake it can be
# told to make shows, in those tests or as a disagreement on random programs.
set -u
program=$1 count=${2:-300}
mkdir -p "$WORK"
. tests/corpus/cases.sh

"$program" --self-test
verdict $? "the oracle's own tests"
for mistake in $("$program" --list-mutations); do
    {
        "$program" --self-test --mutate "$mistake" --expect-disagreement ||
            "$program" --binary "$CRASHLIT" --count 300 --mutate "$mistake" --expect-disagreement
    } >"$WORK/oracle.out" 2>&1
    verdict $? "$mistake is noticed"
done
"$program" --binary "$CRASHLIT" --count "$count"
verdict $? "$count random programs: the same executions' states and verdicts"
"$program" --binary "$CRASHLIT" --weak --count "$count"
verdict $? "$count random programs under weak models of its own"
"$program" --binary "$CRASHLIT" --contract --count "$count"
verdict $? "$count random programs under random persistency models"
"$program" --binary "$CRASHLIT" --contract --count 100 --expect-disagreement >"$WORK/oracle.out" 2>&1
verdict $? "a name of the contract that is not heeded is noticed"
recoveries=$((count / 3 + 1))
"$program" --binary "$CRASHLIT" --recovery --count "$recoveries"
verdict $? "$recoveries random programs with a recovery"
"$program" --binary "$CRASHLIT" --recovery --count 120 --seed 13 --pairs sc+strict
verdict $? "a recovery that takes a lock which it also reads plainly"
# With --decide sets are none from two states on. Without it they are products from two states on.
cat >"$WORK/least" <<END
#!/bin/sh
case " \$* " in *" --decide "*) least=least ;; *) least=least,recovered=4294967295 ;; esac
exec "$CRASHLIT" --thresholds \$least "\$@"
END
chmod +x "$WORK/least"
for kind in --weak --contract --recovery ''; do
    # shellcheck disable=SC2086
    "$program" --binary "$WORK/least" $kind --count $((count / 6 + 1)) --seed 2
    verdict $? "$((count / 6 + 1)) random programs with the least thresholds${kind:+, $kind}"
done
# What it would not notice it could not vouch for: a round too few, crashes too many.
for option in '--rounds 1' --recovery-crash; do
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$CRASHLIT" "$option" >"$WORK/mistaken"
    chmod +x "$WORK/mistaken"
    ! "$program" --binary "$WORK/mistaken" --recovery --count 60 --pairs sc+strict \
        >"$WORK/oracle.out" 2>&1
    verdict $? "recovery with $option is noticed"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
