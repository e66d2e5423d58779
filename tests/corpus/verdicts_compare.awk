# verdicts_compare.awk RUN...: the JSON lines of several runs over the same tests, one file a run, against
# those of the first, which lists the states; the last may be explanations. What a run leaves unknown is not
# compared, nor states with the least thresholds, which are no lists. Prints what differs and `PASSED FAILED UNKNOWN`.

# The value of a key, up to its closing bracket; "" when there is none.
function list_of(line, key,    at, depth, i, c, text)
{
    at = index(line, ",\"" key "\":[")
    if (!at)
        return ""
    text = substr(line, at + length(key) + 4)
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += (c == "[") - (c == "]")
        if (depth == 0)
            return substr(text, 1, i)
    }
}

# Verdicts of the test and of its conditions, in order. That there are no states is an answer, with its reason.
function verdicts_of(line,    text, reason)
{
    sub(/,"final_states":.*/, "", line)
    sub(/,"decided":true.*/, "", line)
    while (match(line, /"verdict":"unknown"(,"positive":(0|null),"negative":(0|null))?,"reason":"vacuous[^"]*"/)) {
        reason = substr(line, RSTART + 19, RLENGTH - 19)
        sub(/.*"reason":/, "", reason)
        gsub(/[^a-z]/, "", reason)
        line = substr(line, 1, RSTART - 1) "\"verdict\":\"" reason "\"" substr(line, RSTART + RLENGTH)
    }
    while (match(line, /"verdict":"[a-z]*"/)) {
        text = text " " substr(line, RSTART + 11, RLENGTH - 12)
        line = substr(line, RSTART + RLENGTH)
    }
    return text
}

function kinds_of(line,    text, kinds, kind, sorted, n, i, j)
{
    text = list_of(line, "undefined")
    while (match(text, /"kind":"[^"]*"/)) {
        kind = substr(text, RSTART + 8, RLENGTH - 9)
        text = substr(text, RSTART + RLENGTH)
        for (i = 1; i <= n && sorted[i] < kind; i++);
        if (i <= n && sorted[i] == kind)
            continue
        for (j = ++n; j > i; j--)
            sorted[j] = sorted[j - 1]
        sorted[i] = kind
    }
    text = ""
    for (i = 1; i <= n; i++)
        text = text " " sorted[i]
    return text
}

function keep(    k)
{
    verdicts[run, FNR] = verdicts_of($0)
    decided[run, FNR] = index($0, ",\"decided\":true") > 0
    doubt[run, FNR] = index($0, ",\"doubt\":") > 0
    match($0, /"file":"[^"]*"/)
    file[FNR] = substr($0, RSTART + 8, RLENGTH - 9)
    for (k = 1; k <= key_count; k++)
        if (!decided[run, FNR])
            listed[run, FNR, keys[k]] = list_of($0, keys[k])
    kinds[run, FNR] = kinds_of($0)
}

# May the run have missed what gives the other run this verdict in the place of its own? A witness
# outweighs a doubt, but what is undefined or a livelock may lie in the doubt.
function excused(own, other, r, line)
{
    return own == "unknown" || (doubt[r, line] && (other == "undefined" || other == "error" && own != "undefined"))
}

# "" or what differs between two runs.
function difference(r, line,    a, b, i, n, what, k)
{
    n = split(verdicts[1, line], a, " ")
    if (split(verdicts[r, line], b, " ") != n)
        return "conditions"
    for (i = 1; i <= n; i++)
        if (a[i] != b[i] && !excused(a[i], b[i], 1, line) && !excused(b[i], a[i], r, line))
            return "verdicts" verdicts[1, line] " /" verdicts[r, line]
    if (decided[1, line] || decided[r, line] || doubt[1, line] || doubt[r, line])
        return ""
    for (k = 1; k <= key_count; k++)
        if (listed[1, line, keys[k]] != listed[r, line, keys[k]] && (keys[k] == "flags" || name[r] !~ /least/))
            return keys[k] " " listed[1, line, keys[k]] " / " listed[r, line, keys[k]]
    return kinds[1, line] == kinds[r, line] ? "" : "undefined" kinds[1, line] " /" kinds[r, line]
}

BEGIN {
    key_count = split("final_states crash_states recovered_states recovered_from restarts livelocks flags", keys, " ")
}
# How many states decide each condition: of `forall` those that fail it.
function count_deciding(    text, part, n)
{
    text = $0
    sub(/,"final_states":.*/, "", text)
    while (match(text, /"text":"[^"]*","verdict":"[a-z]*","positive":[0-9]*,"negative":[0-9]*/)) {
        part = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(part ~ /^"text":"forall/ ? ".*\"negative\":" : ".*\"positive\":", "", part)
        deciding[FNR, ++n] = part + 0
    }
}

# An explanation of a condition: is a state that decides it reachable? Of a livelock that is told instead.
function hold_explanation(    line, number, says)
{
    match($0, /"file":"[^"]*"/)
    line = line_of[substr($0, RSTART + 8, RLENGTH - 9)]
    match($0, /"number":[0-9]*/)
    number = substr($0, RSTART + 9, RLENGTH - 9)
    match($0, /"reachable":(true|false|null)/)
    says = substr($0, RSTART + 12, RLENGTH - 12)
    if (says == "null" || listed[1, line, "livelocks"] != "[]")
        unknown++
    else if ((says == "true") == (deciding[line, number] > 0))
        passed++
    else if (doubt[1, line] && says == "true")
        unknown++
    else {
        failed++
        print "failed: " file[line] ": " name[1] " / explained: condition " number ": " \
              deciding[line, number] " states / reachable " says
    }
}

{ gsub(/,"words":"([^"\\]|\\.)*"/, "") } # sentences say what other fields do
FNR == 1 { run++; name[run] = FILENAME; sub(/.*\//, "", name[run]) }
/^[{]"schema":1,"test":.*,"number":[0-9]*,"condition":/ { explained = run; hold_explanation(); next }
{ keep(); lines = FNR > lines ? FNR : lines }
run == 1 { count_deciding(); line_of[file[FNR]] = FNR }
END {
    if (explained)
        run--
    for (line = 1; line <= lines; line++)
        for (r = 2; r <= run; r++) {
            what = difference(r, line)
            if (what != "") {
                failed++
                print "failed: " file[line] ": " name[1] " / " name[r] ": " what
            } else if (verdicts[1, line] verdicts[r, line] ~ /unknown/)
                unknown++
            else
                passed++
        }
    print passed + 0, failed + 0, unknown + 0
}
