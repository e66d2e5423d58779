#!/bin/sh
# demo.sh: the main job on two stories of "A Case for Scoped Persist Barriers in GPUs"
# (SPB), for a reader. `make check` holds the same tests to all their verdicts.
set -u
status=0
output=$(mktemp)

# The program and its conditions; what is expected of it stands below them.
listing() {
    echo
    sed -n '/^\/\/ \|^expect/q; p' "$1" | sed 's/^/    /'
}
show() { # test, visibility, persistency
    echo
    echo "\$ $CRASHLIT -m $2 -p $3 $1"
    "$CRASHLIT" check -m "$2" -p "$3" "$1" || status=$?
}

cat <<'END'
================================================================================
Each answer begins with Holds, Violated or Undefined. A state that breaks a condition
has a ! before it, one that an exists asks for a +.

1. Figure 4: what can a power failure take away, and who sees which value?
   X is volatile, Y non-volatile. "A crash can leave" lists what Y can hold after
   a crash at the point named in the test. P0 is the paper's wi1, P1 wi2, P2 wi3.
================================================================================
END
listing litmus/spb/fig4.litmus
cat <<'END'

The paper says that all work-items of the group execute p_barrier_wg together, and lets
wi1 execute it alone. Read the first way ("epoch"), wi1 waits for wi2 for ever:
END
show litmus/spb/fig4.litmus hrf-direct epoch
cat <<'END'

Read the second way ("-individual": wi1 does it for its group), the figure runs. R2 is 1:
A's release and acquire have one scope. R3 and R4 are undefined: A is of work-group scope
and B of device scope, and under HRF-direct the two do not add up, barrier or not:
END
show litmus/spb/fig4.litmus hrf-direct epoch-individual
cat <<'END'

Under HRF-indirect they add up, and R3 and R4 are 1. The barrier waits until Y is durable,
so no crash after A's release loses Y:
END
show litmus/spb/fig4.litmus hrf-indirect epoch-individual
cat <<'END'

When the barrier only orders writes ("buffered"), Y can still be lost at that point:
END
show litmus/spb/fig4.litmus hrf-indirect buffered-epoch-individual

cat <<'END'

================================================================================
2. Inserting into a B+tree: a node must not be durable before its children.
   Two work-groups each write a leaf, synchronise, and one writes the root.
   How wide must the persist barrier be? sync_barrier_kr makes both leaves
   visible; only a persist barrier that covers the other work-group makes its leaf
   durable before the root. The bad crash state is root=1 with a leaf still 0.
================================================================================
END
listing litmus/spb/btree-alg1-wi.litmus
for scope in "wi:work-item" "wg:work-group" "kr:kernel"; do
    echo
    echo "With a ${scope#*:} barrier (p_barrier_${scope%%:*}):"
    test=litmus/spb/btree-alg1-${scope%%:*}.litmus
    echo
    echo "\$ $CRASHLIT -m hrf-direct -p epoch $test"
    "$CRASHLIT" check -m hrf-direct -p epoch "$test" >"$output" || status=$?
    cat "$output"
    echo
    barrier=p_barrier_${scope%%:*} corrupt=$(sed -n 's/^  ! \(.*root=1\) .*/\1/p' "$output" | head -n 1)
    case $(head -n 1 "$output") in
    Violated:*root=1*) echo "==== $barrier: BROKEN. A crash can leave a corrupt tree: $corrupt" ;;
    Holds:*) echo "==== $barrier: SAFE. No crash leaves root=1 with a leaf that is 0." ;;
    *)
        echo "==== $barrier: no answer."
        status=70
        ;;
    esac
done
rm -f "$output"
echo
if [ "$status" -eq 0 ]; then
    echo "Narrow barriers corrupt the tree, the kernel-wide one keeps it; every verdict above is"
    echo "the expected one. All tests: $CRASHLIT litmus"
fi
exit "$status"
