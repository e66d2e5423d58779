#!/bin/sh
# step.sh STEP: runs a step of tests/steps.list, or its long run as STEP-long.
#
# Its command finds $COUNT and $SEED, as the caller says or as the table does; ALL=all where all is to be looked at,
# as in a long run; $WORK, a folder; and under their names in capitals what the table says it needs.
# It ends with `N passed, N failed`, like every step.
set -u
step=$1
row() { awk -v step="$1" '!/^#/ && $1 == step' tests/steps.list; }
line=$(row "$step")
if [ -z "$line" ]; then
    line=$(row "${step%-long}")
    ALL=all
fi
[ -n "$line" ] || { echo "step.sh: tests/steps.list has no step '$step'" >&2; exit 2; }
# shellcheck disable=SC2034 # columns that others read
read -r name runs seconds count long needs command <<END
$line
END
[ -z "${ALL:-}" ] || count=$long
COUNT=${COUNT:-$count} SEED=${SEED:-1} ALL=${ALL:-}
export COUNT SEED ALL
mkdir -p "$WORK"
eval "$command"
