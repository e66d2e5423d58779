#!/bin/sh
# slurm.sh [COUNT]: an array job over COUNT generated tests on a Slurm cluster of this one machine.
# munged, slurmctld and slurmd are started on loopback with keys, ports and folders of their own; one
# worker is killed half-way and requeued; the merged parts are compared with a run without Slurm; the
# job is submitted again, and in part.
# Skipped where Slurm is not installed, or when not root.
set -u
count=${1:-10000}
. tests/corpus/cases.sh
skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed"
    exit 0
}
for command in munged slurmctld slurmd sbatch squeue scontrol; do
    command -v $command >/dev/null 2>&1 || PATH=$PATH:/usr/sbin
    command -v $command >/dev/null 2>&1 || skip "Slurm's $command is not installed (Debian: slurm-wlm, munge)"
done
[ "$(id -u)" -eq 0 ] || skip "only root starts Slurm's daemons here"

root=$(pwd)
case $CRASHLIT in /*) ;; *) CRASHLIT=$root/$CRASHLIT ;; esac
export CRASHLIT
# Sockets have short paths, and munge wants folders that nobody else may write.
work=$(mktemp -d /tmp/crashlit-slurm.XXXXXX) || exit 1
chmod 755 "$work"
daemons=
stop() {
    scancel --state=RUNNING,PENDING -u root >/dev/null 2>&1
    # shellcheck disable=SC2086 # several
    {
        kill $daemons 2>/dev/null
        until_true 200 daemons_are_gone || kill -KILL $daemons 2>/dev/null
        wait $daemons 2>/dev/null
    }
    [ "$failed" -eq 0 ] && rm -rf "$work"
}
trap stop EXIT

# Two ports that nobody listens at; a collision shows as a daemon that does not start.
port=$((20000 + $$ % 20000))
host=$(uname -n) host=${host%%.*}
configure() {
    mkdir -p "$work/munge" "$work/state" "$work/spool" "$work/out" "$work/kept"
    chmod 700 "$work/munge"
    head -c 1024 /dev/urandom >"$work/munge/key"
    chmod 600 "$work/munge/key"
    cat >"$work/slurm.conf" <<END
ClusterName=crashlit
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CryptoType=crypto/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobRequeue=1
MinJobAge=600
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF="$work/slurm.conf"
}

start_daemons() {
    munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
        --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed" \
        >/dev/null 2>&1 &
    daemons="$daemons $!"
    until_true 50 test -S "$work/munge/socket" || return
    slurmctld -D -i >"$work/slurmctld.out" 2>&1 &
    daemons="$daemons $!"
    until_true 100 scontrol ping || return
    slurmd -D -N "$host" >"$work/slurmd.out" 2>&1 &
    daemons="$daemons $!"
    until_true 100 node_is_idle
}
daemons_are_gone() {
    for daemon in $daemons; do [ ! -e "/proc/$daemon/exe" ] || return 1; done
}
node_is_idle() { [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; }
until_true() { # tenths of a second, command
    tenths=$1
    shift
    while [ "$tenths" -gt 0 ]; do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
        tenths=$((tenths - 1))
    done
    return 1
}

# The corpus, and what one machine says of it without Slurm.
prepare() {
    awk -v count="$count" -v seed=1 -v folder="$work/tests" -f tests/bench/corpus.awk
    "$CRASHLIT" check --format json "$work/tests" >"$work/alone.jsonl"
}

# Submits the tasks of the corpus; sets job.
array() { # tasks
    job=$(cd "$work" && sbatch --parsable --array="$1" --chdir="$work" "$root/tools/slurm-array.sh" \
        "$work/out" "$work/tests")
}

# Task 1's process is stopped when it is seen, goes on in small steps until it has answered something, and
# is killed. It would have all its answers in less than a second, so nobody sleeps over it.
# Its shard is an argument, this cluster is in its environment. (A pattern does not find itself.)
task_runs() {
    victims=
    for process in $(grep -lszx '[1]/4' /proc/[0-9]*/cmdline); do
        process=${process%/cmdline}
        if grep -qszx "SLURM_CONF=$work/slurm.conf" "$process/environ"; then victims="$victims ${process#/proc/}"; fi
    done
    [ -n "$victims" ]
}
kill_half_way() {
    limit=$(($(date +%s) + 60))
    until task_runs; do [ "$(date +%s)" -lt $limit ] || return; done
    # shellcheck disable=SC2086
    while kill -STOP $victims; [ ! -s "$work/out/part-1.0.jsonl" ]; do
        kill -CONT $victims
        sleep 0.01
        task_runs && [ "$(date +%s)" -lt $limit ] || return
    done
    # shellcheck disable=SC2086
    kill -KILL $victims
    answered=$(wc -l <"$work/out/part-1.0.jsonl")
    [ "$answered" -gt 0 ] && [ "$answered" -lt $((count / 4)) ]
}
queue_is_empty() { [ -z "$(squeue -h -t PENDING,RUNNING,COMPLETING,CONFIGURING,REQUEUED)" ]; }
show() {
    tail -n 15 "$work"/*.log "$work"/*.out 2>/dev/null
    cat "$work"/slurm-*.out 2>/dev/null | tail -n 15
}

configure
start_daemons
verdict $? "munged, slurmctld and slurmd start"
[ "$failed" -eq 0 ] || { show; echo "$passed passed, $failed failed"; exit 1; }
prepare
array 1-4
verdict $? "the array job is taken"
kill_half_way
verdict $? "a worker is killed half-way"
until_true 1200 queue_is_empty
verdict $? "the job comes to its end"
"$CRASHLIT" merge --manifest "$work/tests" "$work"/out/part-*.jsonl >"$work/lacking.jsonl" 2>"$work/lacking.err"
[ $? -eq 2 ] && grep -q 'E-cli-manifest' "$work/lacking.err"
verdict $? "a merge without the killed worker's tests fails"
scontrol requeue "${job}_1" && scontrol update JobId="${job}_1" StartTime=now # not in two minutes
verdict $? "the killed task is requeued"
until_true 300 test -e "$work/out/part-1.1.jsonl"
verdict $? "its second attempt starts"
until_true 1200 queue_is_empty
verdict $? "the job comes to its end once more"
first=$(wc -l <"$work/out/part-1.0.jsonl") second=$(wc -l <"$work/out/part-1.1.jsonl")
whole=$(wc -l <"$work/alone.jsonl")
[ "$first" -gt 0 ] && [ $((first + second)) -eq $((whole / 4)) ]
verdict $? "the second attempt does what the first left over ($first + $second of $((whole / 4)))"
"$CRASHLIT" merge --manifest "$work/tests" "$work"/out/part-*.jsonl >"$work/merged.jsonl"
[ $? -eq 1 ] # some tests are violated, as on one machine
verdict $? "the parts make the whole"
"$CRASHLIT" diff "$work/alone.jsonl" "$work/merged.jsonl" >"$work/diff"
verdict $? "nothing differs from a run on one machine"
grep -q "^Summary: $whole same, 0 changed, 0 mended, 0 regressed, 0 gone, 0 new" "$work/diff"
verdict $? "all $whole records are the same"
# The same array once more is another job, and has nothing left to do.
cp "$work"/out/part-*.jsonl "$work/kept"
array 1-4
until_true 1200 queue_is_empty
verdict $? "the job that is submitted again comes to its end"
unchanged=0
for part in "$work"/kept/*; do cmp -s "$part" "$work/out/${part##*/}" || unchanged=1; done
verdict $unchanged "no finished part is written over"
[ -e "$work/out/part-1.2.jsonl" ] && [ -e "$work/out/part-4.1.jsonl" ] && ! [ -s "$work/out/part-1.2.jsonl" ] &&
    ! [ -s "$work/out/part-4.1.jsonl" ]
verdict $? "nothing is answered twice"
for tasks in 3 1-4:3; do
    array $tasks
    until_true 1200 queue_is_empty
    grep -q 'expected --array=1-N' "$work/slurm-${job}"_*.out
    verdict $? "--array=$tasks is refused"
done
[ "$failed" -eq 0 ] || { show; tail -n 5 "$work/diff"; }
echo "$count tests in $(ls "$work"/out/part-*.jsonl | wc -l) parts"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
