#!/bin/sh
#SBATCH --job-name=crashlit
#SBATCH --requeue
#SBATCH --open-mode=append
# slurm-array.sh FOLDER ARGUMENT...: one task of an array job that checks a corpus with
# `crashlit check ARGUMENT...`, a shard a task. Submit it with
#
#   sbatch --array=1-8 slurm-array.sh FOLDER [options] TEST|DIR|@LIST ...
#
# or, for a search, with its command in front of its words:
#
#   sbatch --array=1-8 slurm-array.sh FOLDER distinguish|lattice|generate [options] ...
#
# Each attempt at task K writes a file of its own, FOLDER/part-K.ATTEMPT.jsonl, and takes up what the
# earlier ones answered, whether the task was requeued or the job submitted again. The task fails
# with crashlit's status when it could not do its work, such as 2 for a test that cannot be read; a
# verdict that is not the expected one is a result. CRASHLIT names the program.
set -u
crashlit=${CRASHLIT:-crashlit}
folder=$1
shift
command=check
case ${1:-} in
distinguish | lattice | generate)
    command=$1
    shift
    ;;
esac
refuse() {
    echo "slurm-array.sh: $1" >&2
    exit 2
}

# A task's number and the count of tasks say which shard it has. Of some tasks of an array alone the
# count is another, and what they check would be no shard of the same division.
task=${SLURM_ARRAY_TASK_ID:?} tasks=${SLURM_ARRAY_TASK_COUNT:?}
first=${SLURM_ARRAY_TASK_MIN:?} last=${SLURM_ARRAY_TASK_MAX:?} step=${SLURM_ARRAY_TASK_STEP:-1}
if [ "$step" -ne 1 ] || [ "$first" -gt 1 ] || [ $((last - first + 1)) -ne "$tasks" ]; then
    refuse "the array has $tasks tasks from $first to $last in steps of $step: expected --array=1-N, all \
tasks of it; submit the whole array again, and those that have their answers have nothing to do"
fi

mkdir -p "$folder" || exit 1
part=$folder/part-$task attempt=0
# Nothing that is there is written over, even where another attempt runs at the same time.
until (set -C && : >"$part.$attempt.jsonl") 2>/dev/null; do
    [ -e "$part.$attempt.jsonl" ] || refuse "cannot create '$part.$attempt.jsonl'"
    attempt=$((attempt + 1))
done
# What is there may be cut off in a line, and may lack tests: the first is told, and neither is a fault here.
earlier=$folder/earlier-$task.$attempt
: >"$earlier"
if cat "$part".*.jsonl | grep -q .; then
    "$crashlit" merge "$part".*.jsonl >"$earlier"
fi
"$crashlit" "$command" --format json --shard "$((task - first + 1))/$tasks" --resume "$earlier" "$@" \
    >>"$part.$attempt.jsonl"
status=$?
case $status in
0 | 1 | 3) exit 0 ;;
*) exit "$status" ;;
esac
