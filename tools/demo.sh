#!/bin/sh
# demo.sh: the main job on two stories of "A Case for Scoped Persist Barriers in GPUs"
# (SPB), for a reader. `make check` holds the same tests to all their verdicts.
set -u
status=0

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
1. Figure 4: what can a power failure take away, and who sees which value?
   X is volatile, Y non-volatile. "Crash states" lists what Y can hold after a
   crash at the point named in the test.
================================================================================
END
listing litmus/spb/fig4.litmus
cat <<'END'

When the barrier waits until Y is durable, no crash after A's release loses Y:
END
show litmus/spb/fig4.litmus hrf-indirect epoch-individual
cat <<'END'

When the barrier only orders writes, Y can still be lost at that point:
END
show litmus/spb/fig4.litmus hrf-indirect buffered-epoch-individual
cat <<'END'

When scopes do not combine along a chain (HRF-direct), wi1 and wi3 race:
END
show litmus/spb/fig4.litmus hrf-direct epoch-individual

cat <<'END'

================================================================================
2. Inserting into a B+tree: a node must not be durable before its children.
   Two work-groups each write a leaf, synchronise, and one writes the root.
   How wide must the persist barrier be? The bad crash state is root=1 with a
   leaf still 0.
================================================================================
END
listing litmus/spb/btree-alg1-wi.litmus
for scope in "wi:work-item" "wg:work-group" "kr:kernel"; do
    echo
    echo "With a ${scope#*:} barrier (p_barrier_${scope%%:*}):"
    show "litmus/spb/btree-alg1-${scope%%:*}.litmus" hrf-direct epoch
done
echo
if [ "$status" -eq 0 ]; then
    echo "Narrow barriers corrupt the tree, the kernel-wide one keeps it; every verdict above is"
    echo "the expected one. All tests: $CRASHLIT litmus"
fi
exit "$status"
