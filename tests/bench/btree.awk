# btree.awk: prints a test of the family "B+tree insertion": SPB section 5.1, algorithm 1, with
# one work-item for each leaf.
#
#   awk -v n=WORK-ITEMS -v scope=kr|wi -f btree.awk
#
# The tree has three levels: n leaves, an inner node for every 8 leaves (for every 4 when n is
# below 16), a root. Leaves, nodes and root are non-volatile; the leaves below one node are
# the work-items of one work-group. Each work-item writes its leaf and claims a slot in its
# parent by a fetch_add on the parent's volatile counter. The level ends, as in lines 19 and 20,
# with sync_barrier_kr and a persist barrier of the given scope. The first work-item of each
# group then writes the inner node, the level ends in the same way, and work-item 0 writes
# the root. The condition is that of a tree that a crash leaves whole: no parent is durable
# whose child is not.
#
# The answers under hrf-direct + epoch, for every n from 2. No work-item races: a leaf, a node and
# the root have one writer and no reader, the counters are atomics of device scope on one device.
#
# kr: ok. W leaf po PB syncpb PB po W node, the PBs those of the first level's barrier, is
#     barrier-order, so leaf persists before node; so does node before root, at the second
#     level's barrier. A location is written once, so a durable parent has durable children.
#
# wi: violated, already by node0 = 1 with leaf1 = 0. A barrier of scope wi is alone in its
#     instance. Barrier-order takes W leaf1 over P1's own first PB only, to what follows that in P1:
#     the second level's B, and from there, by syncbar, to what is behind the second level
#     elsewhere. W node0 is before that B in P0, and nobody reads leaf1 or writes it again: leaf1
#     does not persist before node0. Nor must it be durable before W node0 executes: that is
#     so of P1's PB alone, and W node0 waits for P1 up to its first B, which precedes that PB. So
#     there is a cut with W node0 durable, P1 stopped at its PB, and W leaf1 not durable.
function counter(j) { return "global atomic_int* new" j }
function device() { return "memory_order_relaxed, memory_scope_device" }
function end_of_level() { printf "  sync_barrier_kr; p_barrier_%s;\n", scope }
function memory(    i) {
    printf "{"
    for (i = 0; i < n; i++) printf " nvm leaf%d = 0;", i
    for (i = 0; i < nodes; i++) printf " nvm node%d = 0; atomic_int new%d = 0;", i, i
    print " nvm root = 0; }"
}
function work_item(i, j,    first) {
    first = i % fan_out == 0
    printf "P%d@wg %d (global int* leaf%d, %s", i, j, i, counter(j)
    if (first) printf ", global int* node%d", j
    if (i == 0) printf ", global int* root"
    print ") {"
    printf "  *leaf%d = 1;\n", i
    printf "  atomic_fetch_add_explicit(new%d, 1, %s);\n", j, device()
    end_of_level()
    if (first) {
        printf "  int keys = atomic_load_explicit(new%d, %s);\n", j, device()
        printf "  *node%d = 1;\n", j
    }
    end_of_level()
    if (i == 0) print "  *root = 1;"
    print "}"
}
function condition(    i) {
    printf "crash ~exists ("
    for (i = 0; i < n; i++) printf "(node%d = 1 /\\ leaf%d = 0) \\/ ", int(i / fan_out), i
    for (i = 0; i < nodes; i++) printf "%s(root = 1 /\\ node%d = 0)", i ? " \\/ " : "", i
    print ")"
}
BEGIN {
    fan_out = n < 16 ? 4 : 8
    nodes = int((n + fan_out - 1) / fan_out)
    printf "OPENCL btree-%s-%d\n", scope, n
    print "\"B+tree insertion, a leaf for each work-item (SPB section 5.1, algorithm 1)\""
    memory()
    for (i = 0; i < n; i++) work_item(i, int(i / fan_out))
    condition()
}
