#!/bin/sh
# demo.sh: the main job on two stories of the scoped-barriers paper. For a reader, so
# it says what to look for; `make check` holds the same tests to their verdicts.
set -u
status=0
show() { # test
    echo
    echo "\$ build/crashlit $1"
    "$CRASHLIT" check "$1" || status=$?
}

echo "== 1. Figure 4: which stores can be lost when the power fails? =="
show litmus/spb/fig4.litmus

echo
echo "== 2. Inserting into a B+tree: how wide must the persist barrier be? =="
for scope in wi wg kr; do
    show litmus/spb/btree-alg1-$scope.litmus
done
echo
if [ "$status" -eq 0 ]; then
    echo "All verdicts are the expected ones. More: README.md, or build/crashlit litmus"
fi
exit "$status"
