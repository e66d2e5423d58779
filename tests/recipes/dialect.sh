# A block is a work-group; a level of another dialect is refused, with the words of this one. A table is scanned, lowered,
# and filled in the words of its own row: under hrf-direct + epoch a persist barrier of the group is needed (definition 2
# of SPB) and the agent's does no more, and where there is none it is what is added.
set -eu
$CRASHLIT litmus/spb/hip-block.litmus litmus/spb/hip-blocks.litmus litmus/spb/hsail-group.litmus >"$WORK/out"
grep -q '^Summary: 3 as expected, 0 otherwise' "$WORK/out"
for case in hip-level hsail-word dialect dialect-missing; do
    status=0
    $CRASHLIT check tests/malformed/litmus/$case.litmus 2>"$WORK/err" >"$WORK/out" || status=$?
    [ "$status" -eq 2 ]
    diff tests/malformed/litmus/$case.expected "$WORK/err"
done
grep -q 'HIP' "$WORK/err"
$CRASHLIT check tests/fuzz/seeds/litmus/hip.litmus tests/fuzz/seeds/litmus/hsail.litmus >"$WORK/out"
sed 's/@group 0/@group 0,agent 0/g; s/persist.group/persist.agent/' litmus/spb/hsail-group.litmus >"$WORK/wide.litmus"
$CRASHLIT place --narrow "$WORK/wide.litmus" >"$WORK/out"
grep -q 'persist.group suffices for persist.agent' "$WORK/out"
printf 'HSAIL none\n{ nvm x = 0; nvm y = 0; }\n P0@group 0 ;\n st x, 1 ;\n st y, 1 ;\ncrash ~exists (y = 1 /\\ x = 0)\n' >"$WORK/none.litmus"
$CRASHLIT place --repair --kinds fence,persist "$WORK/none.litmus" >"$WORK/out"
grep -q 'persist.group is added' "$WORK/out"
