# c_families.awk: prints one test of a scaling family in the C dialect, without scopes, so
# that other tools read the same file.
#
#   awk -v family=sb|iriw|2+2w|mp|count -v n=THREADS -f c_families.awk
#
# All locations are atomic and 0 at first; thread numbers are those of the test.
#
#   sb     relaxed; thread i stores 1 to x(i) and loads x(i+1), round a ring.
#          exists: every load reads 0
#   iriw   n even: n/2 writers, writer i stores 1 to x(i) with release; n/2 readers, reader
#          i loads x(i) and then x(i+1), round a ring, both with acquire.
#          exists: every reader reads 1 and then 0, so no two agree on the order of writes
#   2+2w   relaxed; thread i stores 1 to x(i) and 2 to x(i+1), round a ring.
#          exists: every location ends with 1
#   mp     thread 0 stores 1 to data, relaxed, and 1 to f1 with release; thread i loads f(i)
#          with acquire and, when it reads 1, stores 1 to f(i+1) with release; the last
#          loads f(n-1) with acquire and then data, relaxed.
#          exists: the last reads 1 from its flag and 0 from data
#   count  relaxed; every thread does one fetch_add of 1 on c.
#          exists: c ends with n - 1, so one increment was lost
function thread(id, names,    list, count, i) {
    count = split(names, list)
    printf "P%d (", id
    for (i = 1; i <= count; i++) printf "%satomic_int* %s", (i > 1 ? ", " : ""), list[i]
    print ") {"
}
function store(name, value, order) {
    printf "  atomic_store_explicit(%s, %d, memory_order_%s);\n", name, value, order
}
function load(register, name, order) {
    printf "  int %s = atomic_load_explicit(%s, memory_order_%s);\n", register, name, order
}
function initial(prefix, from, to,    i) {
    for (i = from; i <= to; i++) printf " [%s%d] = 0;", prefix, i
}
function all_of(from, to, format,    i) {
    for (i = from; i <= to; i++) {
        printf "%s", (i > from ? " /\\ " : "")
        printf format, i, i
    }
}
function ring(    i, own, other) {
    for (i = 0; i < n; i++) {
        own = "x" i
        other = "x" (i + 1) % n
        thread(i, own " " other)
        store(own, 1, "relaxed")
        if (family == "sb") load("r0", other, "relaxed")
        else store(other, 2, "relaxed")
        print "}"
    }
}
function iriw(half,    i, other) {
    for (i = 0; i < half; i++) {
        thread(i, "x" i)
        store("x" i, 1, "release")
        print "}"
    }
    for (i = 0; i < half; i++) {
        other = "x" (i + 1) % half
        thread(half + i, "x" i " " other)
        load("r0", "x" i, "acquire")
        load("r1", other, "acquire")
        print "}"
    }
}
function message_passing(    i) {
    thread(0, "data f1")
    store("data", 1, "relaxed")
    store("f1", 1, "release")
    print "}"
    for (i = 1; i < n; i++) {
        thread(i, "f" i " " (i < n - 1 ? "f" i + 1 : "data"))
        load("r0", "f" i, "acquire")
        if (i == n - 1) {
            load("r1", "data", "relaxed")
        } else {
            print "  if (r0 == 1) {"
            store("f" i + 1, 1, "release")
            print "  }"
        }
        print "}"
    }
}
function count_up(    i) {
    for (i = 0; i < n; i++) {
        thread(i, "c")
        print "  int r0 = atomic_fetch_add_explicit(c, 1, memory_order_relaxed);"
        print "}"
    }
}
BEGIN {
    printf "C %s-%d\n{", family, n
    if (family == "sb" || family == "2+2w") initial("x", 0, n - 1)
    else if (family == "iriw") initial("x", 0, n / 2 - 1)
    else if (family == "mp") { printf " [data] = 0;"; initial("f", 1, n - 1) }
    else printf " [c] = 0;"
    print " }"
    if (family == "sb" || family == "2+2w") ring()
    else if (family == "iriw") iriw(n / 2)
    else if (family == "mp") message_passing()
    else count_up()
    printf "exists ("
    if (family == "sb") all_of(0, n - 1, "%d:r0=0")
    else if (family == "iriw") all_of(n / 2, n - 1, "%d:r0=1 /\\ %d:r1=0")
    else if (family == "2+2w") all_of(0, n - 1, "x%d=1")
    else if (family == "mp") printf "%d:r0=1 /\\ %d:r1=0", n - 1, n - 1
    else printf "c=%d", n - 1
    print ")"
}
