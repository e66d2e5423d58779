#!/bin/sh
#SBATCH --job-name=crashlit
#SBATCH --requeue
#SBATCH --open-mode=append
# slurm-array.sh FOLDER ARGUMENT...: one task of an array job that checks a corpus with
# `crashlit check ARGUMENT...`, a shard a task. Submit it with
#
#   sbatch --array=1-8 slurm-array.sh FOLDER [options] TEST|DIR|@LIST ...
#
# Task K writes FOLDER/part-K.ATTEMPT.jsonl. A task that was lost and requeued takes up what its
# earlier attempts answered. The task fails only when crashlit could not do its work: a
# verdict that is not the expected one is a result. CRASHLIT names the program.
set -u
crashlit=${CRASHLIT:-crashlit}
folder=$1
shift
task=$SLURM_ARRAY_TASK_ID attempt=${SLURM_RESTART_COUNT:-0}
first=${SLURM_ARRAY_TASK_MIN:-1} tasks=${SLURM_ARRAY_TASK_COUNT:?}
mkdir -p "$folder" || exit 1
part=$folder/part-$task
if ls "$part".*.jsonl >/dev/null 2>&1; then
    # What is there may be cut off in a line, and may lack tests: both are no fault here.
    "$crashlit" merge "$part".*.jsonl >"$folder/earlier-$task"
    set -- --resume "$folder/earlier-$task" "$@"
fi
"$crashlit" check --format json --shard "$((task - first + 1))/$tasks" "$@" >"$part.$attempt.jsonl"
status=$?
case $status in
0 | 1 | 3) exit 0 ;;
*) exit "$status" ;;
esac
