# long_chains.awk: chains of one operator, which are as long as one likes, and nesting, which is not.
#
#     awk -v out=FOLDER [-v sizes=5000] -f tests/fuzz/write.awk -f tests/fuzz/long_chains.awk

function chain(text, between,    s, i) {
    s = text
    for (i = 1; i < size; i++)
        s = s between text
    return s
}
# A test with these conditions.
function conditions(kind, status, id, text) {
    opencl(kind, status, id, "t", "", "", text)
}
# One that computes r.
function register(kind, status, id, value, wanted) {
    opencl(kind, status, id, "t", " int two[3] = 0; int y = 1;", " int q = 1; int r = " value "; ", "exists (0:r = " wanted ")")
}

BEGIN {
    n = split(sizes ? sizes : "5000 10000", each, " ")
    for (i = 1; i <= n; i++) {
        size = each[i]
        deep = rep("(", 3 * size); close_deep = rep(")", 3 * size) # the parser has room for 10,000
        conditions("and", 0, "-", "exists (" chain("x = 1", " /\\ ") ")")
        conditions("or", 0, "-", "exists (" chain("x = 0", " \\/ ") " \\/ x = 1)")
        conditions("or-and", 0, "-", "~exists (" chain("x = 1 /\\ x = 0", " \\/ ") ")")
        conditions("and-nested", 0, "-", "exists (" chain("(x = 1 \\/ x = 2 /\\ ~(x = 3))", " /\\ ") ")")
        conditions("filters", 0, "-", chain("filter (x = 1)", "\n") "\nexists (x = 1)")
        conditions("parentheses", 2, "E-lit-too-deep", "exists " deep "x = 1" close_deep)
        conditions("not", 2, "E-lit-too-deep", "exists " rep("~", size) "x = 1")
        conditions("implies", 2, "E-lit-too-deep", "exists (" chain("x = 1", " => ") ")")
        register("plus", 0, "-", chain("1", " + "), size)
        register("minus", 0, "-", chain("q", " - "), 2 - size)
        register("both", 0, "-", chain("q && q", " || "), 1)
        register("comma", 0, "-", "(" chain("q", ", ") ")", 1)
        register("bits", 0, "-", chain("q", " ^ "), size % 2)
        register("shifts", 0, "-", chain("q | q", " | "), 1)
        register("sum-deep", 2, "E-lit-too-deep", deep "1" close_deep " + 1", 2)
        register("sum-right", 2, "E-lit-too-deep", chain("1", " + (") rep(")", size - 1), 2)
        register("choices", 2, "E-lit-too-deep", rep("q?1:", 4 * size) "1", 1)
        register("casts", 2, "E-lit-too-deep", rep("(int)", 5 * size) "1", 1)
        opencl("constant", 0, "-", "t", "const n = " chain("1", "+") "; int y = n;", "", "exists (y = " size ")")
        opencl("address", 2, "E-lit-index", "t", "", " int r = *(x + " chain("1", " + ") ");")
        opencl("address-minus", 2, "E-lit-type", "t", "", " int r = *(x - " chain("1", " + ") ");")
        opencl("blocks", 2, "E-lit-too-deep", "t", "", rep("{", size) rep("}", size))
        opencl("ifs", 2, "E-lit-too-deep", "t", "", rep("if (1) ", 7 * size) ";")
        opencl("empty", 0, "-", "t", "", rep(";", size))

        model("union", 0, "-", "acyclic " chain("po; [W]; rf", " | "))
        model("union-sets", 0, "-", "empty " chain("R & W", " | "))
        model("intersection", 0, "-", "acyclic " chain("po & ext", " & "))
        model("sequence", 0, "-", "acyclic " chain("po", "; "))
        model("difference", 2, "E-cat-too-deep", "acyclic " chain("po", " \\ "))
        model("parentheses", 2, "E-cat-too-deep", "acyclic " deep "po" close_deep)
        model("complements", 2, "E-cat-too-deep", "acyclic " rep("~", size) "po")
        model("closures", 2, "E-cat-too-deep", "acyclic po" rep("?", size))
    }
}
