# write.awk: what scripts share that write inputs somebody might make to break the program.
#
# They write `out`/KIND-`size`.litmus and .cat, and print a line for each file: its name, the status that the
# command leaves with, and the id of the diagnostic that it must have, or `-`.

function rep(text, n,    s) {
    for (s = text; length(s) < n; s = s s)
        ;
    return substr(s, 1, n)
}

function put(kind, language, status, id, text,    file) {
    file = out "/" kind "-" size "." language
    printf "%s", text >file
    close(file)
    print kind "-" size "." language, status, id
}

# Around the token: a test that holds.
function opencl(kind, status, id, name, initial, body, conditions) {
    put(kind, "litmus", status, id, "OPENCL " name "\n{" initial " nvm x = 0; }\nP0 (global int* x) {" body " *x = 1; }\n" \
        conditions "\ncrash exists (x = 1)\n")
}
function ptx(kind, status, id, title, cell, label) {
    put(kind, "litmus", status, id, "PTX t\n" title "{ nvm x = 0; }\n P0@cta 0,gpu 0 ;\n" cell " st.weak x, 1 ;\n " label \
        "\ncrash exists (x = 1)\nexpect sc + epoch : ok\n")
}
function model(kind, status, id, text) {
    put(kind, "cat", status, id, text "\nacyclic po | rf | co | fr as sc\n")
}
