# Tags in random models and tests, after draw.awk; a file that uses them sets tag_names and has drawn whether it has_tags,
# and sets `published` where adds-to-hb is a name to use. Choices are others than those of draw(): without tags all is
# as it is.

# In a model: which tags it declares, each for one or two kinds.
function declare_tags(    words, count, i)
{
    if (!has_tags)
        return
    count = split(tag_names, words, " ")
    for (i = 1; i <= count; i++) {
        print "instructions " other_pick("F F CM CM W R M RMW LOC LOC THREAD") "['" words[i] "]"
        if (other(2))
            print "instructions " other_pick("F CM W R M RMW LOC THREAD") "['" words[i] (other(3) ? "" : " || '" words[1]) "]"
    }
}

function tag_set(    tag)
{
    tag = other_pick(tag_names)
    return other(4) ? toupper(tag) : "tag2events('" tag ")"
}

# A relation or a set, now and then of tagged events alone, or of others.
function rel_by_tag(rel_)
{
    if (published && other(12) == 0)
        return "adds-to-hb"
    if (!has_tags || other(3))
        return rel_
    if (other(4) == 0)
        return "((po&line);[CM&" tag_set() "])"
    return other(2) ? "([" tag_set() "];" rel_ ")" : "(" rel_ ";[" other_pick("W& CM& F& _& _\\") tag_set() "])"
}

function set_by_tag(set_)
{
    return !has_tags || other(3) ? set_ : "(" set_ other_pick("& | \\") tag_set() ")"
}
