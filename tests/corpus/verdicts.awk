# verdicts.awk (after draw.awk and tags.awk) -v seed=N -v count=N -v folder=F: small random tests F/SEED-I.litmus with a
# recovery that branches on what it finds, and conditions of all kinds and quantifiers.

function location() { return pick("x x y y z") }

function value() { return pick("0 1 1 2") }

# A statement; `depth` bounds branches in branches, `here` is `main` or `recovery`.
function statement(depth, here,    form, r, l)
{
    form = draw(25)
    l = location()
    if (form < 6) return "*" l " = " value() ";"
    if (form < 7) return "r" (r = registers++) " = *" l ";"
    if (form < 8) return "*" l " = *" location() ";"
    if (form < 9 && (here == "main" || draw(4) == 0)) return "*" l " = *" l " + 1;"
    if (form < 12) return "p_barrier_wi;"
    if (form < 13 && draw(3) == 0) return pick("sync_barrier_wg p_barrier_wg p_barrier_kr") ";"
    if (form < 14) return "f.store(" value() ", mo_" pick("rel rel sc rlx") ", " pick("wg_scope dev_scope") ");"
    if (form < 15) return "r" (r = registers++) " = f.load(mo_" pick("acq acq sc rlx") ", wg_scope);"
    if (form < 16) return "r" (r = registers++) " = f.fetch_add(1, mo_" pick("rlx acq_rel sc") ", wg_scope);"
    if (form < 17)
        return "r" (r = registers++) " = atomic_compare_exchange_strong_explicit(f, " value() ", 2, mo_acq_rel, mo_rlx, wg_scope);"
    if (form < 18 && here == "main") return "crash;"
    if (form < 19 && draw(2)) return "while (!f.load(mo_acq, wg_scope));"
    if (form < 20 && draw(8) == 0) return "*" l " = 2 / *" location() ";"
    if (form < 20 && draw(8) == 0) return "a[*" location() "] = 1;"
    if (form < 20 && draw(3) == 0) return "while (*" l " == 1) { *" l " = *" location() "; }"
    if (depth > 0)
        return "if (*" l " == " value() ") { " code(1 + draw(2), depth - 1, here) " }" \
               (draw(3) ? "" : " else { " code(1 + draw(2), depth - 1, here) " }")
    return "*" l " = " value() ";"
}

function code(length_, depth, here,    text, i)
{
    for (i = 0; i < length_; i++)
        text = text (i ? " " : "") tagged(statement(depth, here))
    return text
}

# A simple statement, perhaps by what it is and with a tag; maintenance or a fence in the place of some barriers.
function tagged(text,    part)
{
    if (!has_tags || other(2))
        return text
    if (text == "p_barrier_wi;")
        return other(2) ? "__cm{" other_pick(tag_names) "}(" other_pick("x x y z") ");" : "__fence{" other_pick(tag_names) "};"
    split(text, part, /[*;() ]+/)
    if (text ~ /^[*][xyz] = [0-9];$/)
        return "__store{" other_pick(tag_names) "}(" part[2] ", " part[4] ");"
    if (text ~ /^r[0-9]+ = [*][xyz];$/)
        return part[1] " = __load{" other_pick(tag_names) "}(" part[3] ");"
    if (text ~ /^r[0-9]+ = f/ && sub(/f[.]fetch_add[(]1, /, "__atomic_fetch_op{" other_pick(tag_names) ", ", text))
        sub(/wg_scope[)]/, "wg_scope}(f, +, 1)", text)
    return text
}

function place_tag()
{
    return has_tags && other(3) == 0 ? "{" other_pick(tag_names) "}" : ""
}

function parameters()
{
    return "(global int* x, global int* y, global int* z, global atomic_int* f, global int* a)"
}

# Work-items of the program or of recovery; how many registers each has is in used[here, number].
function work_items(count_, length_, here,    text, t, body, i, locals)
{
    for (t = 0; t < count_; t++) {
        registers = 0
        body = code(1 + draw(length_), 2, here)
        used[here, t] = registers
        locals = ""
        for (i = 0; i < registers; i++)
            locals = locals " int r" i " = 0;"
        text = text (here == "main" || count_ > 1 ? "P" t (here == "main" ? place_tag() : "") "@wg " (draw(4) ? 0 : t) " " : "") parameters() " {" locals " " body " }\n"
    }
    return text
}

# ---- PTX: a table; a branch leaves for the end ----

function cell(here,    l, r, form)
{
    l = location()
    form = draw(14)
    r = "r" draw(2)
    if (form < 4) return "st.weak " l ", " value()
    if (form < 5) return "st.weak " l ", " r
    if (form < 7) return "ld.weak " r ", " l
    if (form < 8) return pick("st.release.cta st.relaxed.gpu") " f, " value()
    if (form < 9) return pick("ld.acquire.cta ld.relaxed.gpu") " " r ", f"
    if (form < 10) return "atom." pick("relaxed acq_rel") ".gpu." pick("add exch") " " r ", " pick("f " l) ", 1"
    if (form < 11) return pick("fence.sc.gpu fence.acq_rel.cta bar.cta.sync~0")
    if (form < 12) return "pbar." pick("thread thread cta")
    if (form < 13 && here == "main") return draw(2) ? "crash" : "st.weak " l ", 1"
    return pick("beq bne") " " r ", " value() ", END"
}

function table(count_, rows, here,    text, row, t, line)
{
    for (row = -3; row <= rows; row++) {
        line = ""
        for (t = 0; t < count_; t++) {
            used[here, t] = 2
            line = line (t ? " | " : " ") \
                   (row == -3 ? "P" t (here == "main" && row == -3 ? place_tag() : "") "@cta " (draw(4) ? 0 : t) ",gpu 0" : row < 0 ? "mov r" 2 + row ", 0" : \
                    row == rows ? "END:" : cell(here))
        }
        gsub(/~/, " ", line)
        text = text line " ;\n"
    }
    return text
}

# ---- Conditions ----

function atom(when, here, threads,    t)
{
    t = draw(threads)
    if (when != "crash" && used[here, t] > 0 && draw(3) == 0)
        return t ":r" draw(used[here, t]) " = " value()
    return (when == "crash" && !f_kept || draw(6) ? location() : pick("f " last)) " " pick("= = = != <") " " value()
}

function proposition(when, here, threads, depth)
{
    if (depth > 0 && draw(2))
        return "(" proposition(when, here, threads, depth - 1) pick(" /\\ \\/ => ") " " \
               proposition(when, here, threads, depth - 1) ")"
    return (draw(6) ? "" : "~") "(" atom(when, here, threads) ")"
}

function condition(    when, here)
{
    when = pick("final crash crash recovered recovered recovered")
    here = when == "recovered" ? "recovery" : "main"
    return when " " pick("exists ~exists forall") " (" \
           proposition(when, here, here == "main" ? main_count : recovery_count, 2) ")"
}

function write_test(file,    i)
{
    has_tags = other(2)
    f_kept = draw(3) == 0
    main_count = 1 + (draw(5) > 1)
    recovery_count = 1 + (draw(4) == 0)
    ptx = draw(5) == 0
    last = ptx ? "x" : "a[1]"
    print (ptx ? "PTX" : pick("OPENCL OPENCL C")) " t" > file
    print "{ nvm" place_tag() " x = 0; nvm" place_tag() " y = " pick("0 0 1") "; nvm z = 0; " \
          (has_tags && other(3) == 0 ? "line {x, y}; " : "") (f_kept ? "nvm " : "") \
          (ptx ? "f = 0;" : "atomic_int f = 0; nvm a[2];") " }" > file
    printf "%s", ptx ? table(main_count, 2 + draw(3), "main") \
                     : work_items(main_count, main_count == 1 ? 8 : 5, "main") > file
    printf "recovery%s%s", draw(3) ? "" : " restartable", ptx ? "\n" : " " > file
    printf "%s", ptx ? table(recovery_count, 2 + draw(2), "recovery") \
                     : work_items(recovery_count, recovery_count == 1 ? 5 : 3, "recovery") > file
    if (draw(6) == 0)
        print "filter (" proposition("final", "main", main_count, 1) ")" > file
    for (i = 2 + draw(3); i > 0; i--)
        print condition() > file
    close(file)
}

BEGIN {
    start_drawing(seed)
    tag_names = "ta tb tc"
    for (number = 0; number < count; number++)
        write_test(folder "/" seed "-" number ".litmus")
}
