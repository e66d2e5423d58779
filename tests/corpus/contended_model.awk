# contended_model.awk (after draw.awk) -v seed=N: a random model that says where events of some kind and order read from, or
# what is between them in coherence, by what is there and by what is taken away: what a static bound of a
# check may take for sure that is not.

function order() { return draw(5) ? pick(orders) : pick("RLX ACQ REL ACQ_REL SC") }

# Accesses of a kind, perhaps of an order.
function events(kind,    form)
{
    form = draw(7)
    if (form == 0) return kind
    if (form == 1) return "(" kind " & RMW)"
    if (form == 2) return "(" kind " \\ RMW)"
    if (form == 3) return "(" kind " & " order() ")"
    if (form == 4) return "(" kind " \\ " order() ")"
    return "((" kind " & RMW) " pick("& & \\") " " order() ")"
}

function written(    form)
{
    form = draw(5)
    return form < 2 ? "IW" : form == 2 ? "(W \\ IW)" : events("W")
}

# What is known of events alone, for a place in which `of` would be.
function known(of,    text)
{
    text = of == "fr" ? events("R") " * " (draw(3) ? "(W \\ IW)" : written()) : \
           of == "co" ? written() " * " events("W") : \
           of == "rmw" ? events("R") " * " events("W") : written() " * " events("R")
    text = "((" text ")" (draw(5) ? " & loc" : "") ")"
    return draw(6) ? text : "(" text " " pick("& \\") " " pick("int ext id swg po rmw (po&loc)") ")"
}

# The dynamic relations, and others between the same kinds of events.
function shown(of,    form)
{
    form = draw(12)
    if (form < 4) return of
    if (form < 8) return "(" like(of) " " pick("& & \\ \\ |") " " like(of) ")"
    return like(of)
}

function like(of)
{
    if (draw(4) == 0) return of
    if (of == "rf")
        return pick("((fr|rf^-1)^-1) (co?;rf) (rf;rmw;rf) (rf&ext) (rf|(co;rf)) (rf;(rmw;rf)*) ((rf|rmw)+) (fr^-1) " \
                    "(rf\\po) (~(fr^-1)) (~(co;rf)) ((rf^-1)^-1)")
    if (of == "fr")
        return pick("(rf^-1;co) (rf^-1) (fr;co) (fr?) (fr|rmw) (fr\\rmw) (fr;[RMW]) ([RMW];fr) ((fr|co)+) (rf^-1;co+) " \
                    "(fr;rmw^-1;rmw) (~(rf^-1)) (~rmw)")
    if (of == "co")
        return pick("(co^-1) (co+) (rf;rmw) ((rf;rmw)+) (co\\(co;co)) (co\\(rf;rmw)) ((co|rf)+) (rf;fr) (~(co^-1)) " \
                    "(co&(rf;rmw)) (~(rf;rmw))")
    return pick("rmw (rmw\\po) (rmw&(fr;co)) (fr;co) (fr\\(fr;co)) ([domain(rf^-1)];rmw) (rmw;[domain(co)])")
}

function between() { return pick("rf rf rf fr fr co rmw") }

# Part of one of them.
function part(of)
{
    if (draw(3)) return of
    return draw(2) ? "(" of " & " known(of) ")" : "(" of " \\ " (draw(3) ? known(of) : "(" known(of) " & " shown(of) ")") ")"
}

function coherent(    form)
{
    form = draw(5)
    if (form < 3) return "acyclic (po & loc) | rf | co | fr"
    if (form < 4) return "acyclic " part("(po&loc)") " | " part("rf") " | " part("co") " | " part("fr")
    return "irreflexive (po & loc | " part("rf") "); (" part("co") " | " part("fr") ")" pick("+ ? *")
}

function atomic(    form, text)
{
    form = draw(5)
    text = draw(3) ? "(rmw & (" part("fr") "; " part("co") "))" : "(" part("fr") " & (rmw; " part("co") "^-1))"
    if (form < 2) return "empty " text
    if (form == 2) return "empty (" text " " pick("& \\") " " known("rmw") ")"
    if (form == 3) return "empty (rmw \\ (rmw " pick("\\ &") " (fr; " part("co") ")))"
    return "irreflexive " part("rf") "; rmw; " part("rf") "^-1; " part("rmw")
}

# Each reader of a kind has what it takes, and some not what others take.
function turn(    of)
{
    of = between()
    if (draw(3) == 0)
        return "empty " shown(of) " & " known(of)
    if (draw(3))
        return "empty " known(of) " " pick("\\ \\ \\ &~") "(" (draw(3) ? of : shown(of)) ")"
    if (draw(2))
        return pick("acyclic irreflexive") " (" known(of) " " pick("\\ &") " " shown(of) ") | " part(between())
    if (draw(2))
        return pick("~empty ~empty ~acyclic ~irreflexive") " " pick("0 id^-1 rmw") " | (" shown(of) " " pick("& \\") " " known(of) ")"
    return "irreflexive (" known(of) " \\ " of "); " part(pick("rf^-1 rmw co fr (po&loc)"))
}

# Those of one order take the first write, and those of another do not: what they share is another write.
function turns(    first, others, all)
{
    others = draw(4) ? pick_at(orders, 1) : order()
    first = draw(4) ? pick_at(orders, 2) : order()
    print "empty " pick("rf rf (fr^-1) (co?;rf)") " & (IW * (R & " others (draw(3) ? "" : " & RMW") ")) as t1"
    first = draw(2) ? "(R & RMW & " first ")" : "(R & " first ")"
    all = draw(4) ? " & loc)" : ")"
    if (draw(2))
        print "empty ((IW * " first ")" all " " pick("\\ \\ &~") pick("rf rf rf ((fr^-1)^-1) (rf&loc) (rf|rmw)") " as t2"
    else
        print "empty ((" first " * (W \\ IW))" all " " pick("\\ \\ &~") pick("fr fr fr (fr|rmw) (rf^-1;co) (fr|(fr;co))") " as t2"
}

function pick_at(list, number,    words)
{
    split(list, words, " ")
    return words[number]
}

BEGIN {
    start_drawing(seed)
    orders = toupper(pick("rlx rlx acq") " " pick("sc sc acq_rel rel")) # as contended.awk of this seed draws them,
    taking_turns = draw(3)                                              # and this
    print "\"random " seed "\""
    if (draw(5))
        print coherent() " as coherent"
    if (draw(4))
        print "acyclic po | rf as causal" # else values may justify themselves, which engines leave unknown
    if (taking_turns)
        turns()
    if (draw(taking_turns ? 5 : 3) == 0)
        print atomic() " as atomic"
    for (i = draw(taking_turns ? 2 : 3); i > 0; i--)
        print turn() " as c" i
    if (draw(4) == 0)
        print "flag " turn() " as f1"
    if (draw(6) == 0)
        print "undefined_unless " turn() " as u1"
    if (draw(2))
        print "let persist-before = " part(between()) " | " shown(between())
    if (draw(5) == 0)
        print "let durable-before = [W & NVM]; (" known("co") " \\ " shown("co") ")"
}
