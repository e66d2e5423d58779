# families.awk: prints one test of a scaling family.
#
#   awk -v family=sb|mp|2+2w|persist|epochs -v n=N -f families.awk
#
#   sb       n threads in a ring, each stores its location and loads the next one
#   mp       a message through n threads, flag to flag, data stored first
#   2+2w     n threads in a ring, each stores its location and the next one
#   persist  one thread stores n NVM locations with a persist barrier between each two
#   epochs   one thread stores n NVM locations in one epoch: 2^n crash states
function thread(id, parameters) { printf "P%d@wg 0, kr 0, dev 0 (%s) {\n", id, parameters }
function atomic(name) { return "global atomic_int* " name }
function store(name, value, order) {
    printf "  atomic_store_explicit(%s, %d, memory_order_%s, memory_scope_device);\n", name, value, order
}
function load(register, name, order) {
    printf "  int %s = atomic_load_explicit(%s, memory_order_%s, memory_scope_device);\n", register, name, order
}
function head(    i) {
    printf "OPENCL %s-%d\n\"scaling family\"\n{", family, n
}
function ring(i,    next_one) {
    next_one = (i + 1) % n
    thread(i, atomic("x" i) ", " atomic("x" next_one))
    store("x" i, 1, "relaxed")
    if (family == "sb") load("r0", "x" next_one, "relaxed")
    else store("x" next_one, 2, "relaxed")
    print "}"
}
function all_of(count, text, format,    i) {
    for (i = 0; i < count; i++) printf "%s%s", i ? " /\\ " : "", sprintf(text, i)
}
BEGIN {
    head()
    if (family == "sb" || family == "2+2w") {
        for (i = 0; i < n; i++) printf " atomic_int x%d = 0;", i
        print " }"
        for (i = 0; i < n; i++) ring(i)
        printf "final exists ("
        all_of(n, family == "sb" ? "%d:r0 = 0" : "x%d = 1")
        print ")"
    } else if (family == "mp") {
        printf " data = 0;"
        for (i = 1; i < n; i++) printf " atomic_int f%d = 0;", i
        print " }"
        for (i = 0; i < n; i++) {
            thread(i, "global int* data" (i > 0 ? ", " atomic("f" i) : "") (i < n - 1 ? ", " atomic("f" i + 1) : ""))
            if (i == 0) print "  *data = 1;"
            else load("r0", "f" i, "acquire")
            if (i > 0 && i < n - 1) print "  if (r0 == 1) {"
            if (i > 0 && i == n - 1) print "  if (r0 == 1) { int r1 = *data; }"
            if (i < n - 1) store("f" i + 1, 1, "release")
            if (i > 0 && i < n - 1) print "  }"
            print "}"
        }
        printf "final exists (%d:r0 = 1)\n", n - 1
    } else {
        for (i = 0; i < n; i++) printf " nvm x%d = 0;", i
        print " }"
        printf "P0@wg 0, kr 0, dev 0 ("
        for (i = 0; i < n; i++) printf "%sglobal int* x%d", i ? ", " : "", i
        print ") {"
        for (i = 0; i < n; i++) {
            printf "  *x%d = 1;\n", i
            if (family == "persist" && i < n - 1) print "  p_barrier(memory_scope_work_item);"
        }
        print "}"
        printf "crash %s (x%d = 1 /\\ x0 = 0)\n", family == "persist" ? "~exists" : "exists", n - 1
    }
}
