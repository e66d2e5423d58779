"""pipeline_tests: the interpreter of pipeline.py itself, held to small machines and programs whose crash states are derived by hand."""

# A cache that holds what is not committed, and survives.
ABORTS = ("durable\nstage A per system order any hold\nisolate aborts\non tx_begin : begin\non tx_end : commit ; release\n"
          "on tx_abort : abort ; release")

# Each: a title, the statements of a machine, locations, work-items with their headers, what a crash leaves of the locations in their order,
# and why. x, y and z are non-volatile.
TESTS = (
    ("any order", "stage A per device order any\ndurable", "x y", ("P0: *x = 1; *y = 1;",), {(0, 0), (1, 0), (0, 1), (1, 1)},
     "y may leave before x and x before y"),
    ("fifo", "stage A per device order fifo\ndurable", "x y", ("P0: *x = 1; *y = 1;",), {(0, 0), (1, 0), (1, 1)},
     "x came first and leaves first"),
    ("fifos of two devices", "stage A per device order fifo\ndurable", "x y", ("P0@dev 0: *x = 1;", "P1@dev 1: int r = *x; *y = r;"),
     {(0, 0), (1, 0), (0, 1), (1, 1)}, "x waits in another queue than y"),
    ("versions land in order", "stage A per thread order any\ndurable", "x", ("P0: *x = 1;", "P1: *x = *x + 1;"),
     {(0,), (1,), (2,)}, "x = 1 read or over x = 2: with 2 newest it is last; P1 first leaves 1 and then 1 again"),
    ("merged versions leave once", "stage A per device order any merge\nstage B per device order any\ndurable\n"
     "on a : drain own A ; await", "x y", ("P0: *x = 1; *x = 2; __fence{a}; *y = 1;",),
     {(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)}, "behind the fence x is in B, which is volatile: any of its versions may be lost"),
    ("durable stage", "stage A per device order any\ndurable\nstage B per device order any\non a : move own A ; await", "x y",
     ("P0: *x = 1; __fence{a}; *y = 1;",), {(0, 0), (1, 0), (1, 1)}, "what is in B survives, and x is there behind the fence"),
    ("no await", "stage A per device order any\ndurable\non a : move own A", "x y", ("P0: *x = 1; __fence{a}; *y = 1;",),
     {(0, 0), (1, 0), (0, 1), (1, 1)}, "an obligation that nobody waits for"),
    ("own entries", "stage A per device order any\ndurable\non a : drain own A ; await", "x y",
     ("P0: *x = 1;", "P1: int r = *x; __fence{a}; *y = r;"), {(0, 0), (1, 0), (0, 1), (1, 1)}, "P0's entry is not P1's to wait for"),
    ("all entries", "stage A per device order any\ndurable\non a : drain all A ; await", "x y",
     ("P0: *x = 1;", "P1: int r = *x; __fence{a}; *y = r;"), {(0, 0), (1, 0), (1, 1)}, "y = 1 read x = 1, which the fence waits for"),
    ("through", "stage A per device order any\nstage B per device order any\ndurable\non s : through\non a : await", "x y",
     ("P0: __store{s}(x, 1); __fence{a}; *y = 1;",), {(0, 0), (1, 0), (1, 1)}, "the store is owed up to the medium"),
    ("marks", "stage A per unit order marks\ndurable\non a : mark own A", "x y z", ("P0: *x = 1; *y = 1; __fence{a}; *z = 1;",),
     {(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1)}, "the mark keeps z behind x and y, and these in no order"),
    ("marks of others", "stage A per unit order marks\ndurable\non a : mark own A", "x y",
     ("P0@wg 0: *x = 1;", "P1@wg 0: __fence{a}; int r = *x; __fence{a}; *y = r;"), {(0, 0), (1, 0), (0, 1), (1, 1)},
     "P1's mark says nothing of P0's x"),
    ("marks of a unit", "units = 1\nstage A per unit order marks\ndurable\non a : mark unit A", "x y",
     ("P0@wg 0: *x = 1;", "P1@wg 1: int r = *x; __fence{a}; *y = r;"), {(0, 0), (1, 0), (1, 1)}, "both work-groups are on one unit"),
    ("marks of a line", "stage A per thread order marks\ndurable\non m : mark x A", "x y",
     ("P0: *x = 1;", "P1: int r = *x; __cm{m}(x); *y = r;"), {(0, 0), (1, 0), (1, 1)}, "y = 1 read x = 1, and is behind it in P0's queue"),
    ("marks of another line", "stage A per thread order marks\ndurable\non m : mark x A", "x y",
     ("P0: *x = 1;", "P1: int r = *x; __cm{m}(y); *y = r;"), {(0, 0), (1, 0), (0, 1), (1, 1)}, "nobody has stored y"),
    ("marks of one's own line", "stage A per thread order marks\ndurable\non m : mark x A", "x y",
     ("P0: *x = 1; __cm{m}(x); *y = 1;",), {(0, 0), (1, 0), (0, 1), (1, 1)}, "a mark of a line is of what others have stored"),
    ("marks of a line, and before it", "stage A per thread order marks\ndurable\non m : mark x A\non a : mark own A", "x y z",
     ("P0: *x = 1; __fence{a}; *y = 1;", "P1: int r = *y; __cm{m}(y); *z = r;"),
     {(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)}, "z = 1 is behind y, and y behind x"),
    ("strands", "stage A per thread order marks\ndurable\non a : mark strand A\non b : strand", "x y z",
     ("P0: *x = 1; __fence{a}; *y = 1; __fence{b}; *z = 1;",),
     {(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1) if x or not y}, "y behind x; z is of another strand"),
    ("hold", "stage A per system order any hold\ndurable\non tx_begin : begin\non tx_end : commit", "x y",
     ("P0: __fence{tx_begin}; *x = 1; *y = 1; __fence{tx_end};",), {(0, 0), (1, 0), (0, 1), (1, 1)},
     "nothing before the commit, and then one after the other"),
    ("commit in a durable stage", "durable\nstage A per system order any hold\non tx_begin : begin\non tx_end : commit\n"
     "on tx_abort : abort", "x y z",
     ("P0: __fence{tx_begin}; *x = 1; *y = 1; __fence{tx_end}; __fence{tx_begin}; *z = 1; __fence{tx_abort};",),
     {(0, 0, 0), (1, 1, 0)}, "both commit in one step, and are durable where they are; what is aborted is dropped"),
    ("isolate aborts: none", ABORTS, "x y", ("P0: __fence{tx_begin}; *x = 1; while (!*y); __fence{tx_end};",
      "P1: while (!*x); __fence{tx_begin}; *y = 1; __fence{tx_end};"),
     {(0, 0), (0, 1), (1, 0), (1, 1)}, "nothing can abort, so both go on at once: each sees what the other stored, and either ends first"),
    ("isolate aborts: one", ABORTS, "x y", ("P0: __fence{tx_begin}; *x = 1; while (!*y); __fence{tx_end};",
      "P1: while (!*x); __fence{tx_begin}; *y = 1; __fence{tx_end}; __fence{tx_begin}; __fence{tx_abort};"),
     {(0, 0)}, "P1 has seen x, so P0's transaction goes on, and waits for what P1 does when it has ended"),
    ("write sets", "stage A per device order fifo group\ndurable\non tx_begin : begin\non tx_end : enqueue", "x y z",
     ("P0: __fence{tx_begin}; *x = 1; *y = 1; __fence{tx_end}; *z = 1;",), {(0, 0, 0), (1, 1, 0), (1, 1, 1)}, "whole, and in order"),
    ("a write set goes on", "stage A per device order any group\nstage B per device order fifo\ndurable\non tx_begin : begin\n"
     "on tx_end : enqueue", "x y z", ("P0: __fence{tx_begin}; *y = 1; *x = 1; __fence{tx_end}; *z = 1;",),
     {(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)}, "x and y come to B in one step; z may come there first"),
    ("a write set before another", "stage A per device order fifo group\nstage B per device order fifo merge\ndurable\n"
     "on tx_begin : begin\non tx_end : enqueue", "x y",
     ("P0: __fence{tx_begin}; *x = 1; *y = 1; __fence{tx_end}; *x = 2;",), {(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)},
     "x = 2 is behind x = 1 and y = 1, and so is no one with x = 1"),
    ("transactions apart", "stage A per thread order any apart hold\ndurable\non tx_begin : begin\non tx_end : commit", "x y z",
     ("P0: __fence{tx_begin}; *x = 1; *y = 1; while (!*z); __fence{tx_end};",
      "P1: while (!*y); __fence{tx_begin}; *x = 2; __fence{tx_end}; *z = 1;"), 
     {(x, y, z) for x in (0, 1, 2) for y in (0, 1) for z in (0, 1)},
     "P1's transaction ends while P0's goes on; then x = 1 may land after x = 2"),
    ("apart", "stage A per thread order fifo apart\ndurable", "x", ("P0: *x = 1;", "P1: int r = *x; if (r) { *x = 2; }"),
     {(0,), (1,), (2,)}, "2 is later, and may land first, so that 1 replaces it"),
    ("bypass", "stage A per device order any\nstage B per system order any\ndurable\nbypass A by cpu\nbypass B not by cpu\n"
     "on sfence : drain own A ; await", "x y", ("P0{cpu}: *x = 1; __fence{sfence}; *y = 1;",), {(0, 0), (1, 0), (0, 1), (1, 1)},
     "the host's stores are not in A"),
    ("room", "entries = 1\nstage A per device order any\ndurable", "x y", ("P0: *x = 1; *y = 1;",), {(0, 0), (1, 0), (1, 1)},
     "y's store waits until x has left"),
    ("when", "variable v = on | off\nstage A per system order any when v = on\ndurable\non a : set v = off", "x y",
     ("P0: __fence{a}; *x = 1; *y = 1;",), {(0, 0), (1, 0), (1, 1)}, "no stage is left: durable at once"),
    ("view", "stage A per system order any\ndurable\nview medium by cpu", "x y", ("P0: *x = 1;", "P1{cpu}: int r = *x; *y = r;"),
     {(0, 0), (1, 0), (1, 1)}, "who reads 1 reads it where it is durable"),
    ("line", "stage A per device order any\ndurable\non m : move x A\non a : await", "x y z",
     ("P0: *x = 1; *y = 1; *z = 1; __cm{m}(x); __fence{a}; *z = 2;",),
     {(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)} | {(1, 1, 2)}, "x and y are in the line; z = 2 lands last"),
    ("lines", "stage A per device order any lines\ndurable", "x y z", ("P0: *x = 1; *y = 1; *z = 1;",),
     {(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1) if x or not y}, "what is in one line leaves as it came"),
    ("line here", "stage A per device order any\ndurable\non m : move here A\non a : await", "x y z",
     ("P0@dev 0: *x = 1; *y = 1; __cm{m}(x); __fence{a}; *z = 1;",), {(x, y, 0) for x in (0, 1) for y in (0, 1)} | {(1, 1, 1)},
     "x and y are in the line, and in the instance"),
    ("here is not there", "stage A per device order any\ndurable\non m : move here A\non a : await", "x y",
     ("P0@dev 0: *x = 1;", "P1@dev 1: int r = *x; __cm{m}(x); __fence{a}; *y = r;"), {(0, 0), (1, 0), (0, 1), (1, 1)},
     "P0's x is in the instance of another device"),
    ("past", "stage A per device order any hold\nstage B per device order any\ndurable\non tx_begin : begin\n"
     "on tx_end : commit ; move own A past B ; await", "x y",
     ("P0: __fence{tx_begin}; *x = 1; __fence{tx_end}; *y = 1;",), {(0, 0), (1, 0), (1, 1)}, "x is in A at the end, and has to leave B"),
    ("past too late", "stage A per device order any\nstage B per device order any\ndurable\non a : move own A past B ; await", "x y",
     ("P0: *x = 1; __fence{a}; *y = 1;",), {(0, 0), (1, 0), (0, 1), (1, 1)}, "x may be in B before the fence, which then leaves it there"),
    ("await behind a store", "stage A per device order any\ndurable\non s : through ; access ; await", "x y",
     ("P0: __store{s}(x, 1); *y = 1;", "P1: int r = *x; *y = r + r;"), {(0, 0), (1, 0), (1, 1), (0, 2), (1, 2)},
     "P0's y = 1 is behind its x = 1, which P1 reads before; y = 0 of P1's is no other"),
    ("await behind a load", "stage A per device order any\ndurable\non load : access ; drain x A ; await", "x y",
     ("P0: *x = 1; *x = 2;", "P1: int r = *x; *y = r;"), {(0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2)},
     "P1 goes on when what it has read has left"),
    ("await before a load", "stage A per device order any\ndurable\non load : drain x A ; await", "x y",
     ("P0: *x = 1; *x = 2;", "P1: int r = *x; *y = r;"), {(0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (1, 2), (2, 2)},
     "P1 waits for x = 1, and then reads x = 2"),
    ("await of a scope", "stage A per device order any\ndurable\non a : drain own A\non b : await wg", "x y",
     ("P0@wg 0: *x = 1; __fence{a}; *y = 1;", "P1@wg 0: int r = *y; __fence{b}; *y = r + r;"), {(0, 0), (1, 0), (0, 1), (1, 1), (1, 2)},
     "y = 2 has read y = 1, which comes behind P0's obligation, and P1 waits for that"),
    ("line with one state", "durable\nstage A per system order any hold joint\non tx_begin : begin\non tx_end : commit", "x y z",
     ("P0: __fence{tx_begin}; *y = 1; *z = 1; while (*y); __fence{tx_end};",
      "P1: while (!*z); __fence{tx_begin}; *x = 1; __fence{tx_end};"), {(0, 0, 0), (1, 1, 0)},
     "P0 never ends; P1's commit flips the line, and y with x; z is in another"),
    ("meet", "stage A per device order any\ndurable\non p_barrier : meet ; drain own A ; await", "x y",
     ("P0: *x = 1; p_barrier_wg;", "P1: p_barrier_wg; *y = 1;"), {(0, 0), (1, 0), (1, 1)}, "both leave when x has left"),
    ("commit together", "durable\nstage A per device order any hold\non tx_begin : begin\non tx_end : commit\n"
     "on p_barrier : meet ; commit", "x y",
     ("P0: __fence{tx_begin}; int r = *x; if (r) { *x = 2; } p_barrier_wg; *y = 1; __fence{tx_end};",
      "P1: __fence{tx_begin}; *x = 1; p_barrier_wg; __fence{tx_end};"), {(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)},
     "P0's x = 2 is behind P1's x = 1, which is committed in the same step"),
)


def text_of(title, locations, work_items):
    names = locations.split()
    rows = ["OPENCL %s" % title.replace(" ", "-"), "{ %s %s }" % (" ".join("nvm %s = 0;" % x for x in names),
                                                                  "line {x, y};" if title.startswith("line") else "")]
    for item in work_items:
        header, body = item.split(":", 1)
        rows.append("%s (%s) {%s }" % (header, ", ".join("global int* %s" % x for x in names), body))
    return "\n".join(rows + ["crash exists (true)"]) + "\n"


def states_expected():
    for title, statements, locations, work_items, states, why in TESTS:
        yield "machine = pipeline\n%s\n" % statements, text_of(title, locations, work_items), locations.split(), states, why
