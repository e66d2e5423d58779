# Writes the fenced blocks of a document that are run into the folder `work`, each
# under its own name or as block.N, and lists them:
#   N PLACE KIND NAME-or-dash OPTION
function begin(    count, i, words, info) {
    info = $0
    sub(/^```/, "", info)
    count = split(info, words, " ")
    kind = words[1]
    name = "-"
    option = kind == "litmus" ? 0 : kind == "cat" ? "-m" : "-"
    for (i = 2; i <= count; i++) {
        if (words[i] ~ /^status=/) option = substr(words[i], 8)
        else if (words[i] == "persistency") option = "-p"
        else name = words[i]
    }
    run = kind == "litmus" || kind == "cat" || kind == "def" || kind == "map" || kind == "machine" || kind == "console"
    if (!run) return
    number++
    file = work "/" (name == "-" ? "block." number : name)
    printf "" > file
    print number, document ":" NR, kind, name, option
}
/^```/ {
    inside = !inside
    if (inside) begin()
    else if (run) { close(file); run = 0 }
    next
}
inside && run { print > file }
END { if (inside) { print document ": a fenced block is not closed" > "/dev/stderr"; exit 1 } }
