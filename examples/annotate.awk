# annotate.awk: reads the JSON lines of `crashlit check --format json` and prints a workflow
# command of GitHub Actions for each test whose verdict is not the expected one, so that it is
# shown at the test's line; a test that could not be read, at the line of its first error. A warning
# is shown at its place. Needs nothing but awk. Records between known=1 and known=0, as in
# `awk -f annotate.awk known=1 KNOWN.jsonl known=0 RUN.jsonl`, are of failures that are known: where
# the run has the same verdict of the same test, model pair and engine, it is not annotated.

# The text or number of a member of the line's outermost object, which come before any list.
function member(name) { return member_of($0, name) }
function member_of(text, name,    at, rest) {
    at = index(text, "\"" name "\":")
    if (!at) return ""
    rest = substr(text, at + length(name) + 3)
    if (substr(rest, 1, 1) == "\"") {
        rest = substr(rest, 2)
        match(rest, /^([^"\\]|\\.)*/)
        return substr(rest, 1, RLENGTH)
    }
    match(rest, /^[0-9]+/)
    return substr(rest, 1, RLENGTH)
}

# The character of \u00XX; of others a question mark.
function character(digits,    high, low) {
    high = index("0123456789abcdef", tolower(substr(digits, 3, 1))) - 1
    low = index("0123456789abcdef", tolower(substr(digits, 4, 1))) - 1
    return substr(digits, 1, 2) == "00" ? sprintf("%c", high * 16 + low) : "?"
}

# The text behind the escapes of JSON, with those that workflow commands ask for.
function shown(text,    at, out) {
    out = ""
    while ((at = index(text, "\\"))) {
        out = out substr(text, 1, at - 1)
        if (substr(text, at + 1, 1) == "u") {
            out = out character(substr(text, at + 2, 4))
            text = substr(text, at + 6)
        } else {
            out = out substr(text, at + 1, 1)
            text = substr(text, at + 2)
        }
    }
    out = out text
    gsub(/%/, "%25", out)
    gsub(/\r/, "%0D", out)
    gsub(/\n/, "%0A", out)
    return out
}

function property(text) {
    text = shown(text)
    gsub(/:/, "%3A", text)
    gsub(/,/, "%2C", text)
    return text
}

# The objects of the list of warnings, of which the message is the last member.
function warn(    at, rest) {
    at = index($0, "\"warnings\":[{")
    for (rest = at ? substr($0, at + 12) : ""; substr(rest, 1, 1) == "{"; rest = substr(rest, RLENGTH + 4)) {
        printf "::warning file=%s,line=%d,title=%s::%s (%s under %s + %s)\n", property(member_of(rest, "file")), \
            member_of(rest, "line"), property(member_of(rest, "name")), shown(member_of(rest, "message")), \
            shown(member("test")), shown(member("model")), shown(member("persistency"))
        rest = substr(rest, index(rest, "\"message\":\"") + 11)
        match(rest, /^([^"\\]|\\.)*/)
    }
}

# What is wrong with the run, such as an answer that no part has: errors without a place.
function fault(    at, rest, sign) {
    sign = "\"severity\":\"error\""
    for (rest = $0; (at = index(rest, sign));) {
        rest = substr(rest, at + length(sign))
        print "::error::" shown(member_of(rest, "text"))
    }
}

# Where no engine was asked the record has the reason. What has no place in its file is told at the
# first line, as there is no line 0.
/^\{/ {
    verdict = member("verdict")
    expected = member("expected")
    answer = member("file") SUBSEP member("model") SUBSEP member("persistency") SUBSEP member("engine") SUBSEP verdict \
        SUBSEP expected
    if (known) is_known[answer] = 1
    if (known) next
    warn()
    if (member("test") != "" && answer in is_known) next
    if (verdict == expected && member("engine") != "") next
    if (member("file") == "crashlit") {
        fault()
        next
    }
    if (member("test") == "") {
        printf "::error file=%s,line=%d::%s\n", property(member("file")), member("line") + 0 ? member("line") : 1, \
            shown(member("reason"))
        next
    }
    level = verdict == "unknown" ? "warning" : "error"
    why = member("engine") == "" ? ": " shown(member("reason")) : " (engine " member("engine") ")"
    printf "::%s file=%s,line=%d,title=%s::%s under %s + %s is %s, expected %s%s\n", level, \
        property(member("file")), member("line"), property(member("test")), shown(member("test")), \
        shown(member("model")), shown(member("persistency")), verdict, expected, why
}
