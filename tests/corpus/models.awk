# models.awk (after draw.awk and tags.awk) -v seed=N: a random model, the same for the same seed. Every form of the language
# that means something in an execution has its chance; what it says has no sense.

function name_of(names,    words, count)
{
    count = split(names, words, " ")
    return words[1 + draw(count)]
}

# `names` may be used where nothing negates them: they are defined by what is being written.
function set(depth, names,    form)
{
    if (depth <= 0 || draw(10) < 3)
        return sets != "" && draw(3) == 0 ? name_of(sets) : set_by_tag(pick(base_sets))
    form = draw(7)
    if (form == 0) return "(" set(depth - 1, names) " | " set(depth - 1, names) ")"
    if (form == 1) return "(" set(depth - 1, names) " & " set(depth - 1, names) ")"
    if (form == 2) return "(" set(depth - 1, names) " \\ " set(depth - 1, "") ")"
    if (form == 3) return "(~" set(depth - 1, "") ")"
    if (form <= 5) return pick("domain range") "(" rel(depth - 1, names) ")"
    return set_by_tag(pick(base_sets))
}

function rel(depth, names,    form)
{
    if (names != "" && draw(5) == 0)
        return name_of(names)
    if (depth <= 0 || draw(10) < 2)
        return rels != "" && draw(3) == 0 ? name_of(rels) : rel_by_tag(pick(base_rels))
    form = draw(18)
    if (form <= 3) return "(" rel(depth - 1, names) " | " rel(depth - 1, names) ")"
    if (form <= 5) return "(" rel(depth - 1, names) " & " rel(depth - 1, names) ")"
    if (form <= 6) return "(" rel(depth - 1, names) " \\ " rel(depth - 1, "") ")"
    if (form <= 7) return "(~" rel(depth - 1, "") ")"
    if (form <= 10) return "(" rel(depth - 1, names) "; " rel(depth - 1, names) ")"
    if (form <= 11) return "(" rel(depth - 1, names) ")^-1"
    if (form <= 12) return "(" rel(depth - 1, names) ")?"
    if (form <= 13) return "((" rel(depth - 1, names) ")+)"
    if (form <= 14) return "((" rel(depth - 1, names) ")*)"
    if (form <= 15) return "[" set(depth - 1, names) "]"
    if (form <= 16) return "(" set(depth - 1, names) " * " set(depth - 1, names) ")"
    return rel_by_tag(pick(base_rels))
}

# A recursion that has no least solution (docs/models/cat.md): every member adds to itself, none is under a closure, and what
# else there is depends on neither `rf` nor `co`.
function define_in_turn(i,    form, all, known, of, may_name)
{
    all = base_rels
    known = rels
    of = sets
    may_name = published # adds-to-hb, which may depend on rf
    published = 0
    base_rels = "po po po-loc loc int ext id rmw addr data ctrl swg (po&loc)"
    rels = sets = ""
    form = draw(4)
    if (form == 0)
        print "let rec r" i " = r" i " | (" rel(1, "") " \\ (r" i pick("; |") " " rel(1, "") "))"
    else if (form == 1) {
        print "let rec r" i " = r" i " | (" rel(1, "") " & ~(v" i "; " rel(1, "") "))"
        print "and v" i " = v" i " | (((r" i "; " rel(1, "") ") | " rel(1, "") ") \\ r" i ")"
    } else if (form == 2) {
        print "let rec t" i " = t" i " | (" set(1, "") " \\ range([t" i "]; " rel(1, "") "))"
        print "let r" i " = " rel(1, "") "; [t" i "]"
    } else
        print "let rec r" i " = r" i " | " rel(1, "") " | (((r" i "; " rel(1, "") ") \\ (" rel(1, "") "; r" i ")))"
    base_rels = all
    published = may_name
    rels = known " r" i
    sets = of (form == 2 ? " t" i : "")
    print "flag ~empty r" i " & (rf | co | fr | po) as d" i "c"
}

function define(i,    form)
{
    if (other(5) == 0) {
        define_in_turn(i)
        return
    }
    form = draw(12)
    if (form >= 10) {
        if (draw(2)) # a set, started by little, that could hold itself up
            print "let rec t" i " = " pick("domain range") "(" pick("rf co fr") " & " rel(1, "") ")" \
                  " | " pick("domain range") "([t" i "]; (po | po^-1)" pick("+ *") "; [t" i "])" \
                  " | range([t" i "]; " rel(2, "") ")"
        else { # with a relation
            print "let rec t" i " = " set(1, "") " & " set(1, "") " | " pick("domain range") "(u" i ")"
            print "and u" i " = " rel(2, "") " | ([t" i "]; " rel(2, "u" i) ") | (t" i " * " set(1, "") ")"
            rels = rels " u" i
        }
        sets = sets " t" i
        print "flag ~empty t" i " & " set(1, "") " as d" i
        if (draw(4) == 0)
            print "~empty t" i " as e" i
    } else if (form <= 3) {
        print "let r" i " = " rel(3, "")
        rels = rels " r" i
    } else if (form <= 4) {
        print "let s" i " = " set(3, "")
        sets = sets " s" i
    } else if (form <= 6) {
        if (draw(2)) # what starts it is rare, and it could hold itself up
            print "let rec r" i " = (" pick("rf fr co") " & " rel(1, "") ") | (r" i "; (po | po^-1))"
        else
            print "let rec r" i " = " rel(1, "") " | " rel(3, "r" i)
        rels = rels " r" i
        print "flag ~empty r" i " & " rel(1, "") " as d" i
        if (draw(4) == 0)
            print "~empty r" i " as e" i
    } else if (form <= 7) {
        print "let rec p" i " = " rel(2, "") " | " rel(2, "p" i " q" i)
        print "and q" i " = " rel(3, "p" i " q" i)
        rels = rels " p" i " q" i
    } else if (form <= 8) {
        print "with w" i " from linearisations(" pick("W&NVM SC W&RLX F R&ACQ W&~IW") ", " \
              pick("po co 0 rf po-loc id&~id") ")"
        rels = rels " w" i
    } else {
        print "with w" i " from {" rel(2, "") ", " rel(2, "") "}"
        rels = rels " w" i
    }
}

# A relation that has a meaning, cut down by one that has none.
function part(of)
{
    return draw(3) ? "(" of " & " rel(2, "") ")" : draw(2) ? of : "0"
}

# Most random relations are broken by every execution, or by none; these by some.
function check(i,    kind, what, negation, body)
{
    kind = draw(10)
    kind = kind < 5 ? "" : kind < 8 ? "flag " : "undefined_unless "
    what = pick("acyclic acyclic irreflexive empty empty")
    negation = kind == "flag " ? pick("~ ~ +") : pick("+ + + + + + + ~")
    if (negation == "+")
        negation = ""
    if (draw(10) < 3)
        body = what == "empty" && draw(4) == 0 ? set(3, "") : rel(3, "")
    else if (what == "acyclic")
        body = part("po") " | " part("rf") " | " part("co") " | " part("fr")
    else if (what == "irreflexive")
        body = part(pick("rf fr co")) "; (" part("po") " | " part("(rf|fr)") " | " part("(co|fr)") \
               ")" pick("+ * ?")
    else
        body = part(pick("fr rf co")) " & " rel(2, "")
    # Names that end in `c`: no events are named alike by all engines.
    print kind negation what " " body " as k" i (what == "empty" && negation == "" ? "" : "c")
}

BEGIN {
    start_drawing(seed)
    base_sets = "R W M F B PB NVM RLX ACQ REL SC RMW IW ATOMIC _"
    base_rels = "po po rf rf co co fr fr loc int ext id rmw addr data ctrl sr swg syncbar syncpb " \
                "sync_fence rf&ext fr&ext co&ext po&loc"
    gsub(/[a-z]+&[a-z]+/, "(&)", base_rels)
    print "\"random " seed "\""
    tag_names = "sfence clwb st_wt swap_wt board cpu" # of litmus/tags
    has_tags = other(3)
    published = 1
    declare_tags()
    definitions = 1 + draw(5)
    for (i = 1; i <= definitions; i++)
        define(i)
    if (draw(3) == 0)
        print "acyclic " pick("po (po&loc)") " | rf | co | fr as coherent"
    checks = 1 + draw(4)
    for (i = 1; i <= checks; i++)
        check(i)
    if (draw(2)) print "let persist-before = " part("po") " | " part(pick("rf co fr (po;po)")) " | " rel(1, "")
    if (draw(2)) print "let durable-before = [W & NVM]; " rel(3, "")
    if (draw(3) == 0) print "let durable-after = " rel(3, "") "; [W & NVM]"
    if (draw(4) == 0) print "let can-persist = " set(3, "")
    if (draw(4) == 0) print "let lands-before = " pick("co po-loc (po&loc|co) co;co") pick("& \\") " " rel(2, "")
    if (draw(2)) print "let executes-before = " part("po") " | " part("rf") " | " pick("0 " base_rels)
    if (draw(3) == 0) print "let persist-atomic = " rel(2, "")
    if (draw(3) == 0) print "let waits = B | PB"
}
