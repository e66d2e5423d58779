# crosscheck.awk -v seed=S -v number=I MODELS -: a program with a name of its own and an
# `expect` line for a random one of the model pairs that the list MODELS has. Which verdict
# is expected plays no part.
FNR == NR {
    names[$1, count[$1]++] = $2
    next
}
/^OPENCL / { $2 = "random-" seed "-" number }
{ print }

# Of a Lehmer generator; 48271 * 2147483646 is exact in a double.
function draw(kind) {
    state = state * 48271 % 2147483647
    return names[kind, int(state / 2147483647 * count[kind])]
}
END {
    state = (seed * 7919 + number * 104729) % 2147483646 + 1
    draw("visibility")
    print "expect " draw("visibility") " + " draw("persistency") " : ok"
}
