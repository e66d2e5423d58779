# verdicts_model.awk (after draw.awk and tags.awk) -v seed=N: a random model of the sort that users write: a built-in
# one, and more that makes some executions inconsistent, undefined or flagged, or orders persists
# otherwise. What it calls undefined need not be a race. Its second line has options for a run.

# Holds something in some executions of most small tests.
function rel(depth)
{
    if (depth > 0 && draw(3) == 0)
        return "(" rel(depth - 1) pick("| & ; \\") rel(depth - 1) ")"
    if (depth > 0 && draw(6) == 0)
        return "(" rel(depth - 1) ")" pick("+ ^-1 ?")
    if (named != "" && draw(4) == 0)
        return pick(named)
    return rel_by_tag(pick("(rf&int) (rf&ext) (co&ext) (fr&ext) (fr&int) (co&int) ([IW];rf) ([IW];co) (po&loc) rmw " \
                "addr data ctrl po (rf;[NVM]) ([R];po;[W]) ([W];po;[PB]) ([PB];po;[W&NVM]) syncbar syncpb " \
                "(ext&(W*R)&loc) (int&(W*W)&loc) sr (po;[B])"))
}

function set(depth)
{
    if (depth > 0 && draw(3) == 0)
        return "(" set(depth - 1) pick("| & \\") set(depth - 1) ")"
    if (draw(3) == 0)
        return pick("domain range") "(" rel(1) ")"
    return set_by_tag(pick("(R&NVM) (W&NVM) RMW (F&SC) PB B (R&ACQ) (W&REL) (R\\ATOMIC) (W&NA)"))
}

function define(i,    form)
{
    form = draw(5)
    if (form == 0)
        print "let d" i " = " rel(2)
    else if (form == 1)
        print "let rec d" i " = " rel(1) " | (d" i "; " rel(1) ")"
    else if (form == 2)
        print "with d" i " from linearisations(" pick("(W&NVM)\\IW F&SC R&ACQ W&REL") ", " \
              pick("po co 0 po-loc (co|po-loc^-1)") ")"
    else if (form == 3)
        print "with d" i " from {" rel(1) ", " rel(1) "}"
    else
        print "let d" i " = [" set(1) "]; po; [" set(1) "]"
    named = named " d" i
}

function test()
{
    if (draw(8) == 0)
        return pick("empty ~empty") " " set(1)
    if (draw(10) == 0)
        return "~" pick("empty acyclic irreflexive") " " rel(1)
    if (draw(2))
        return "empty " rel(0) " & " rel(1)
    if (draw(2))
        return "acyclic " rel(0) " | " rel(1)
    return "irreflexive " rel(1) "; " rel(1)
}

BEGIN {
    start_drawing(seed)
    print "\"random " seed "\""
    print "(* options: " (draw(4) ? "" : "--crash " pick("points end anywhere")) " " \
          (draw(3) ? "" : "--recovery-crash") " " (draw(5) ? "" : "--rounds " pick("1 2 3")) " *)"
    tag_names = "ta tb tc"
    has_tags = other(3)
    declare_tags()
    base = pick("sc sc sc sc hrf-direct hrf-indirect-relaxed rc11 tso c11 ptx ptx none")
    print base == "none" ? "let hb = po\nacyclic po | rf" : "include \"" base ".cat\""
    for (i = 1; i <= draw(3); i++)
        define(i)
    if (draw(3) == 0)
        print "undefined_unless " test() " as u1"
    if (draw(4) == 0)
        print test() " as c1"
    if (draw(8) == 0)
        print "undefined_unless " test() " as u2"
    if (draw(4) == 0)
        print "flag " test() " as f1"
    persistency = draw(3) ? pick("epoch epoch buffered-epoch epoch-individual strict") : ""
    if (persistency != "")
        print "include \"" persistency ".cat\""
    if (draw(5) == 0) print "let persist-before = " pick("(po&loc) (po;[PB];po) co rf po (rf|co)+") " | " rel(1)
    if (draw(5) == 0) print "let durable-before = [W & NVM]; " pick("po po;[PB] rf " rel(1))
    if (draw(6) == 0) print "let durable-after = (" pick("po po;[PB] rf " rel(1)) ")^-1; [W & NVM]"
    if (draw(8) == 0) print "let can-persist = (W&NVM) " pick("& \\") " " pick("range(po) range(po;[PB]) domain(po;[PB]) RMW domain(rf) " set(1))
    if (draw(8) == 0) print "let lands-before = " pick("co&int co&ext co&(swg|IW*W) [W\\RMW];co;[W\\RMW] co\\int po-loc co&" rel(1))
    if (draw(6) == 0) print "let executes-before = po | rf | " pick("syncbar syncpb co fr " rel(0))
    if (draw(5) == 0) print "let persist-atomic = [W&NVM]; (" pick("(po&loc) po (int&(W*W)) rmw (data^-1;data) " rel(1)) "); [W&NVM]"
    if (draw(6) == 0) print "let waits = B | " pick("PB (PB&WG) 0")
}
