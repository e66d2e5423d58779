#!/bin/sh
# oracle.sh PROGRAM [COUNT]: the brute-force interleaver against the checker on COUNT
# seeded random programs. Before that its own tests, and that each mistake it can be
# told to make shows, in those tests or as a disagreement on random programs.
set -u
program=$1 count=${2:-300}
mkdir -p "$WORK"
passed=0 failed=0
verdict() { # status, what was checked
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "failed: $2"
        failed=$((failed + 1))
    fi
}

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
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
