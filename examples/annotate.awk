# annotate.awk: reads the JSON lines of `crashlit check --format json` and prints a workflow
# command of GitHub Actions for each test whose verdict is not the expected one, so that it is
# shown at the test's line; a test that could not be read, at its file. Needs nothing but awk.

# The text or number of a member of the line's outermost object, which come before any list.
function member(name,    at, rest) {
    at = index($0, "\"" name "\":")
    if (!at) return ""
    rest = substr($0, at + length(name) + 3)
    if (substr(rest, 1, 1) == "\"") {
        rest = substr(rest, 2)
        match(rest, /^([^"\\]|\\.)*/)
        return substr(rest, 1, RLENGTH)
    }
    match(rest, /^[0-9]+/)
    return substr(rest, 1, RLENGTH)
}

# Escapes of JSON that are left, and those that workflow commands ask for.
function shown(text) {
    gsub(/\\"/, "\"", text)
    gsub(/\\\\/, "\\", text)
    gsub(/%/, "%25", text)
    return text
}

function property(text) {
    text = shown(text)
    gsub(/:/, "%3A", text)
    gsub(/,/, "%2C", text)
    return text
}

/^\{/ {
    verdict = member("verdict")
    expected = member("expected")
    if (verdict == expected) next
    if (member("test") == "") {
        printf "::error file=%s::%s\n", property(member("file")), shown(member("reason"))
        next
    }
    level = verdict == "unknown" ? "warning" : "error"
    printf "::%s file=%s,line=%d,title=%s::%s under %s + %s is %s, expected %s (engine %s)\n", level, \
        property(member("file")), member("line"), property(member("test")), shown(member("test")), \
        shown(member("model")), shown(member("persistency")), verdict, expected, member("engine")
}
