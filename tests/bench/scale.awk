# scale.awk: prints one test of a family that grows, for hrf-direct + epoch.
#
#   awk -v family=A..H -v n=WORK-ITEMS [-v m=TIMES] [-v broken=1] -f scale.awk
#
#   A  one work-group: each writes its leaf, sync_barrier_wg, p_barrier_wg; P0 then writes the root
#   B  a chain: P(i) awaits f(i-1), writes x(i), p_barrier_wi, releases f(i)
#   C  each writes a(i), p_barrier_wi, adds 1 to one non-volatile counter
#   D  one work-item, a loop over n elements: a[i] = i + 1, p_barrier_wi, c = i, p_barrier_wi
#   E  one work-item: n stores in one epoch, p_barrier_wi, c = 1
#   F  each stores m times to one location, every store its own value, with a p_barrier_wi behind
#      each; P0 then writes y
#   G  each takes a spin lock by compare-exchange, writes a and b, with a p_barrier_wi behind each,
#      and releases it
#   H  each takes a slot by a fetch_add on a tail in NVRAM, p_barrier_wi, writes that slot
#
# Work-items of B to H sit in a work-group each and synchronise at device scope. The condition asks
# for a crash that leaves what comes behind a barrier without what comes before it.
#
# The answer is `ok` for each family and n (of D from 2 on: c = 0 at first). By durable-before
# ([NVW]; po; [PB]; syncpb) a write is durable before the barrier behind it executes, its own and all
# of its instance's, and by executes-before (po | rf | syncbar) before what then comes executes, and
# persists. What comes, of which the condition has the value:
#   A  the root: P0's barrier is of one instance with the leaf's
#   B  x(n-1): from P0's barrier it is reached by po, and rf of each flag
#   C  c = n: of n read-modify-writes each reads from the one before, so that version has all of them
#      before it by rf and po, P0's too, and a0's barrier before that
#   D  c = n - 1, which the last turn alone writes, behind the barrier behind a[n-1]
#   E  c
#   F  y: some store of P0 is durable then, and x, by strong persist atomicity, holds it or a later
#      one, of which none is 0
#   G  b = 1, which P0 alone writes; a holds P0's 1 or what was written later, never 0
#   H  q[0] = 1: P0 took slot 0, so it wrote 1 to the tail before its barrier, and no version of the
#      tail that is later is 0
# Nothing is undefined: what is not atomic is of one work-item, but for a and b, which the lock keeps
# apart, and q, of which no two work-items have one slot, as all that fetch_add returns differs.
#
# With broken=1 the persist barriers are left out. Then durable-before and barrier-order are empty and
# persist-before orders versions of one location alone, so the last write may be durable with none of
# the other location: `violated`. (H: P0 may be the first to take a slot. C: c = n without a0.)
function thread(id, group, parameters) { printf "P%d@wg %d (%s) {\n", id, group, parameters }
function plain(name) { return "global int* " name }
function atomic(name) { return "global atomic_int* " name }
function p_barrier(scope) { return broken ? "" : " p_barrier_" scope ";" }
function statement(text) { print "  " text }
function close_thread() { print "}" }
function series(format, count,    i) { for (i = 0; i < count; i++) printf format, i }

function tree(    i) {
    series(" nvm leaf%d = 0;", n)
    print " nvm root = 0; }"
    for (i = 0; i < n; i++) {
        thread(i, 0, plain("leaf" i) (i ? "" : ", " plain("root")))
        statement("*leaf" i " = 1;")
        statement("sync_barrier_wg;" p_barrier("wg"))
        if (i == 0) statement("*root = 1;")
        close_thread()
    }
    condition = "root = 1 /\\ leaf" n - 1 " = 0"
}
function chain(    i) {
    series(" nvm x%d = 0;", n)
    series(" atomic_int f%d = 0;", n)
    print " }"
    for (i = 0; i < n; i++) {
        thread(i, i, plain("x" i) ", " atomic("f" i) (i ? ", " atomic("f" i - 1) : ""))
        if (i) statement("while (!f" i - 1 ".load(mo_acq, dev_scope));")
        statement("*x" i " = 1;" p_barrier("wi"))
        statement("f" i ".store(1, mo_rel, dev_scope);")
        close_thread()
    }
    condition = "x" n - 1 " = 1 /\\ x0 = 0"
}
function counter(    i) {
    series(" nvm a%d = 0;", n)
    print " nvm atomic_int c = 0; }"
    for (i = 0; i < n; i++) {
        thread(i, i, plain("a" i) ", " atomic("c"))
        statement("*a" i " = 1;" p_barrier("wi"))
        statement("c.fetch_add(1, mo_acq_rel, dev_scope);")
        close_thread()
    }
    condition = "c = " n " /\\ a0 = 0"
}
function loop() {
    print " nvm a[" n "]; nvm c = 0; }"
    thread(0, 0, plain("a") ", " plain("c"))
    statement("for (int i = 0; i < " n "; i++) { a[i] = i + 1;" p_barrier("wi") " *c = i;" p_barrier("wi") " }")
    close_thread()
    condition = "c = " n - 1 " /\\ a[" n - 1 "] = 0"
}
function epoch() {
    print " nvm a[" n "]; nvm c = 0; }"
    thread(0, 0, plain("a") ", " plain("c"))
    series("  a[%d] = 1;\n", n)
    if (!broken) statement("p_barrier_wi;")
    statement("*c = 1;")
    close_thread()
    condition = "c = 1 /\\ a[" n - 1 "] = 0"
}
function versions(    i, j) {
    print " nvm atomic_int x = 0; nvm y = 0; }"
    for (i = 0; i < n; i++) {
        thread(i, i, atomic("x") (i ? "" : ", " plain("y")))
        for (j = 1; j <= m; j++) statement("x.store(" i * m + j ", mo_rel, dev_scope);" p_barrier("wi"))
        if (i == 0) statement("*y = 1;")
        close_thread()
    }
    condition = "y = 1 /\\ x = 0"
}
function lock(    i) {
    print " nvm a = 0; nvm b = 0; atomic_int l = 0; }"
    for (i = 0; i < n; i++) {
        thread(i, i, plain("a") ", " plain("b") ", " atomic("l"))
        statement("while (!l.compare_exchange_strong(0, 1, mo_acq, mo_rlx, dev_scope));")
        statement("*a = " i + 1 ";" p_barrier("wi"))
        statement("*b = " i + 1 ";" p_barrier("wi"))
        statement("l.store(0, mo_rel, dev_scope);")
        close_thread()
    }
    condition = "b = 1 /\\ a = 0"
}
function slots(    i) {
    print " nvm atomic_int tail = 0; nvm q[" n "]; }"
    for (i = 0; i < n; i++) {
        thread(i, i, atomic("tail") ", " plain("q"))
        statement("int s = tail.fetch_add(1, mo_acq_rel, dev_scope);" p_barrier("wi"))
        statement("q[s] = " i + 1 ";")
        close_thread()
    }
    condition = "q[0] = 1 /\\ tail = 0"
}
BEGIN {
    printf "OPENCL %s%s-%s\n{", family, broken ? "-broken" : "", m ? n "x" m : n
    if (family == "A") tree()
    else if (family == "B") chain()
    else if (family == "C") counter()
    else if (family == "D") loop()
    else if (family == "E") epoch()
    else if (family == "F") versions()
    else if (family == "G") lock()
    else if (family == "H") slots()
    print "crash ~exists (" condition ")"
}
