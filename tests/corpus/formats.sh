#!/bin/sh
# formats.sh: the formats of --format, each read by somebody else's reader: xmllint with a
# schema, perl's TAP::Parser and prove, a JSON-schema validator, and a browser. Every reader is
# also shown to refuse a spoilt document.
#
# CHROMIUM names the browser; JUNIT_SCHEMA and SARIF_SCHEMA name further schemas to hold to.
set -u
unset TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE
schemas=$(pwd)/tests/schemas facts=$(pwd)/tests/corpus/formats_facts.py
rm -rf "$WORK/formats"
mkdir -p "$WORK/formats"
work=$(cd "$WORK/formats" && pwd)
. tests/corpus/cases.sh

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -W ignore -c 'import jsonschema' 2>/dev/null && python=$candidate && break
done
find_browser() {
    for browser in "${CHROMIUM:-}" chromium-headless-shell chromium google-chrome; do
        [ -n "$browser" ] && command -v "$browser" && return
    done
}
browser=$(find_browser)

is() { # got, wanted, what
    [ "$1" = "$2" ]
    verdict $? "$3 is '$2' (it was '$1')"
}
refused() { # what, command
    what=$1
    shift
    ! "$@" >/dev/null 2>&1
    verdict $? "$what is refused"
}

# ---- The tests: ten cases in nine files, derived by hand -----------------------------------
#
#   1-ok        passes             x = 1 is durable in some crash state
#   2-violated  fails              the same is forbidden; the condition is 3:1 to 3:21
#   3-race      fails: undefined   `*x = 1` at 3:22 to 3:27, `*x` at 5:19 to 5:20, as characters
#   4-expected  passes             the same race, which an expect line names
#   5-stale     fails              as 1-ok, with a line that expects violated
#   6-unknown   an error           a loop of three rounds under the bound of two
#   7-known     is skipped         the same, expected
#   8-pairs     passes twice       two expect lines
#   9 ...       an error           cannot be read; a name that every format has to escape
body='{ nvm x = 0; } P0@wg 0 (global int* x) { *x = 1; }'
write_race() { # title
    printf 'OPENCL race %s\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\n' "$1"
    printf 'P1 (global int* x) {\n  /* \303\251 */ int r = *x;\n}\nexists (1:r = 1)\n'
}
write_bound() {
    printf 'OPENCL bound\n{ atomic_int x = 3; }\nP0 (global atomic_int* x) { int r = 1;\n'
    printf 'while (r > 0) { r = atomic_fetch_sub_explicit(x, 1, memory_order_relaxed); } }\n'
    printf 'exists (0:r = 0)\n'
}
# A quote, brackets, an ampersand, a line end, a control byte and a byte that is no UTF-8.
strange=$(printf "9 \"<&>'#\n\001\377 [\303\251].litmus")
write_tests() {
    mkdir -p "$work/t"
    printf 'OPENCL ok\n%s\ncrash exists (x = 1)\n' "$body" >"$work/t/1-ok.litmus"
    printf 'OPENCL violated\n%s\ncrash ~exists (x = 1)\n' "$body" >"$work/t/2-violated.litmus"
    write_race '' >"$work/t/3-race.litmus"
    write_race "$(printf '\n"<b> & ]]> %s \001\377\303\251"' "'")" | sed 's/ $//' >"$work/t/4-expected.litmus"
    echo 'expect hrf-direct + epoch : undefined' >>"$work/t/4-expected.litmus"
    cat "$work/t/1-ok.litmus" >"$work/t/5-stale.litmus"
    echo 'expect hrf-direct + epoch : violated' >>"$work/t/5-stale.litmus"
    write_bound >"$work/t/6-unknown.litmus"
    write_bound >"$work/t/7-known.litmus"
    echo 'expect hrf-direct + epoch : unknown' >>"$work/t/7-known.litmus"
    cat "$work/t/1-ok.litmus" >"$work/t/8-pairs.litmus"
    printf 'expect sc + epoch : ok\nexpect sc + strict : ok\n' >>"$work/t/8-pairs.litmus"
    printf 'OPENCL broken\n{ nvm x = ; }\n' >"$work/t/$strange"
}

# What text leaves with, every format does: 3, as something is not known.
run_all() {
    leaves 3 check "$work/t"
    for format in json junit tap sarif html md dot tex svg; do
        leaves 3 check --format $format "$work/t"
        cp "$work/out" "$work/report.$format"
        leaves 3 check --format $format --jobs 3 "$work/t"
        steady <"$work/out" >"$work/parallel"
        steady <"$work/report.$format" | cmp -s - "$work/parallel"
        verdict $? "$format is the same with three jobs"
    done
}
# Without times, dates and the command line.
steady() {
    sed -e 's/ time="[^"]*"//' -e 's/timestamp="[^"]*"//' -e 's/"seconds":[^,}]*//' \
        -e 's/"peak_kib":[^,}]*//' -e 's/, [0-9.]* s<.p>//' -e 's/"commandLine".*//' \
        -e 's/^<p class="path">crashlit .*//'
}

# ---- JUnit ------------------------------------------------------------------------------------

xpath() { xmllint --xpath "$2" "$1" 2>&1; }
valid_junit() { xmllint --noout --schema "$1" "$2" 2>/dev/null; }
junit() {
    file=$work/report.junit
    for schema in "$schemas/junit.xsd" ${JUNIT_SCHEMA:+"$JUNIT_SCHEMA"}; do
        valid_junit "$schema" "$file"
        verdict $? "the JUnit report conforms to $schema"
    done
    is "$(xpath "$file" 'count(//testsuite)')" 9 "the number of suites"
    is "$(xpath "$file" 'count(//testcase)')" 10 "the number of cases"
    is "$(xpath "$file" 'count(//failure)')" 3 "the number of failures"
    is "$(xpath "$file" 'count(//error)')" 2 "the number of errors"
    is "$(xpath "$file" 'count(//skipped)')" 1 "the number of skipped cases"
    for counter in tests=testcase failures=testcase/failure errors=testcase/error \
        skipped=testcase/skipped; do
        is "$(xpath "$file" "count(//testsuite[@${counter%%=*} != count(${counter#*=})])")" 0 \
            "the number of suites whose ${counter%%=*} are miscounted"
    done
    is "$(xpath "$file" 'string(//testsuite[3]/testcase/@name)')" \
        "race under hrf-direct + epoch [auto]" "the name of the race's case"
    is "$(xpath "$file" 'string(//testsuite[3]/testcase/failure/@message)')" \
        "verdict undefined, expected ok" "what the race's failure says"
    xpath "$file" 'string(//testsuite[3]//failure)' |
        grep -q "3-race.litmus:3:22: race: P0's W x at line 3 and P1's R x at line 5"
    verdict $? "the race is told with its place"
    is "$(xpath "$file" 'string(//testsuite[9]//error/@type)')" E-lit-syntax "the fault's type"
    xpath "$file" 'string(//testsuite[9]//error)' | grep -q '9 .*\\n\\x01\\xff \[.*litmus:2:11: found'
    verdict $? "the fault's file keeps to a line"
    is "$(xpath "$file" 'string(//testsuite[4]//property[@name="title"]/@value)')" \
        "$(printf "<b> & ]]> ' \342\220\201\357\277\275\303\251")" "the title that needs escaping"
    sed 's/ failures="[0-9]*"//' "$file" >"$work/spoilt"
    refused "a suite without failures=" valid_junit "$schemas/junit.xsd" "$work/spoilt"
    sed 's/<skipped/<missed/; s/skipped>/missed>/' "$file" >"$work/spoilt"
    refused "an element of no meaning" valid_junit "$schemas/junit.xsd" "$work/spoilt"
}

# ---- TAP --------------------------------------------------------------------------------------

# Numbers of passed, failed and skipped tests, the plan, parse errors and YAML blocks read.
read_tap() {
    perl -MTAP::Parser -e '
        local $/; open my $file, "<", shift or die; my $yaml = 0; my $line = "?";
        my $parser = TAP::Parser->new({ tap => <$file> });
        while (my $r = $parser->next) {
            next unless $r->is_yaml;
            $yaml++;
            $line = $r->data->{line} if $r->data->{type} eq "E-lit-syntax";
        }
        printf "%d %d %d plan %s, %d errors, %d blocks, fault at %s\n", scalar $parser->passed,
            scalar $parser->failed, scalar $parser->skipped, $parser->plan,
            scalar $parser->parse_errors, $yaml, $line;' "$1"
}
tap() {
    file=$work/report.tap
    # Passed are 4 and the one that is skipped; the others have a block each.
    is "$(read_tap "$file")" "5 5 1 plan 1..10, 0 errors, 5 blocks, fault at 2" "what TAP::Parser reads"
    is "$(sed -n '/^not ok 10/,$p' "$file" | grep -c '^    - ')" 1 "findings of what cannot be read"
    prove -e cat "$file" >"$work/proved" 2>&1
    is $? 1 "prove's status"
    grep -q 'Failed tests:  2-3, 5-6, 10$' "$work/proved"
    verdict $? "prove names the tests that fail"
    "$CRASHLIT" --format tap "$work/t/1-ok.litmus" >"$work/good.tap"
    prove -e cat "$work/good.tap" >"$work/proved" 2>&1
    verdict $? "prove passes a test that is ok"
    sed '$d' "$file" >"$work/spoilt.tap"
    read_tap "$work/spoilt.tap" | grep -q ' [1-9][0-9]* errors'
    verdict $? "TAP without its plan is refused"
}

# ---- SARIF ------------------------------------------------------------------------------------

valid_sarif() { "$python" -W ignore -m jsonschema -i "$2" "$1" >/dev/null 2>&1; }
# Rule, kind, file, first place, second place; the places as derived above, the loop's condition
# at 5:1 and the expect line that is stale at 4:1.
sarif_results() {
    cat <<'END'
condition-violated fail 2-violated.litmus 3:1-22
race fail 3-race.litmus 3:22-28 5:19-21
race fail 4-expected.litmus 4:22-28 6:19-21 suppressed
unexpected-verdict fail 5-stale.litmus 4:1
unknown open 6-unknown.litmus 5:1-17
unknown open 7-known.litmus 5:1-17 suppressed
input fail 9 "<&>'#\n\x01\xff [\xc3\xa9].litmus 2:11-12
END
}
sarif() {
    file=$work/report.sarif
    for schema in "$schemas/sarif.schema.json" ${SARIF_SCHEMA:+"$SARIF_SCHEMA"}; do
        valid_sarif "$schema" "$file"
        verdict $? "the SARIF report conforms to $schema"
    done
    sarif_results >"$work/wanted"
    "$python" "$facts" results "$file" >"$work/got"
    diff "$work/wanted" "$work/got"
    verdict $? "SARIF has the seven results at their places"
    is "$("$python" "$facts" run "$file")" "crashlit 7 3 False" "tool, results, status, all read"
    # P1 of this one never comes to P0's barrier: the link says what is at its other end.
    cat >"$work/divergent.litmus" <<'END'
OPENCL divergent
{ nvm x = 0; }
P0@wg 0 (global int* x) { *x = 1; p_barrier_wg; }
P1@wg 0 { sync_barrier_wg; }
crash exists (x = 1)
END
    "$CRASHLIT" check -m sc -p epoch --format sarif "$work/divergent.litmus" >"$work/divergent.sarif"
    grep -q '(\[P1 stops here\](1))' "$work/divergent.sarif"
    verdict $? "SARIF links to where a thread stops"
    # A warning of what is wider than needed has fixes; one that changes nothing is none.
    "$CRASHLIT" check --warn-wide -m hrf-direct -p epoch --format sarif litmus/spb/btree-alg2-wg.litmus >"$work/wide.sarif"
    grep -q '"ruleId":"wider-than-needed"' "$work/wide.sarif" && valid_sarif "$schemas/sarif.schema.json" "$work/wide.sarif"
    verdict $? "SARIF with fixes conforms"
    # So does one of a word that is nearly right: `exits` at 3:7, and `epohc` at 4:13.
    for line in 'crash exits (x = 1)|3:7-12 exists' 'crash exists (x = 1)\nexpect sc + epohc : ok|4:13-18 epoch'; do
        printf "OPENCL typo\n$body\n${line%|*}\n" >"$work/typo.litmus"
        leaves 2 check --format sarif "$work/typo.litmus"
        valid_sarif "$schemas/sarif.schema.json" "$work/out"
        verdict $? "SARIF with a word that was meant conforms"
        is "$(sed -n 's/.*"deletedRegion":{"startLine":\([0-9]*\),"startColumn":\([0-9]*\),"endLine":[0-9]*,"endColumn":\([0-9]*\)},"insertedContent":{"text":"\([a-z]*\)"}.*/\1:\2-\3 \4/p' "$work/out")" \
            "${line#*|}" "what SARIF would have a word be"
    done
    sed 's/"fixes":\[[^]]*\]/"fixes":[]/' "$work/wide.sarif" >"$work/spoilt"
    refused "a result with no fix in its fixes" valid_sarif "$schemas/sarif.schema.json" "$work/spoilt"
    sed 's/"startLine":3/"startLine":"3"/' "$file" >"$work/spoilt"
    refused "a line that is no number" valid_sarif "$schemas/sarif.schema.json" "$work/spoilt"
    sed 's/"ruleIndex":[0-9]*,//' "$file" >"$work/spoilt"
    refused "a result without a rule" valid_sarif "$schemas/sarif.schema.json" "$work/spoilt"
}

# ---- The rules of SARIF's readers -------------------------------------------------------------------

ruled() { # what; the file is $work/out
    "$python" tests/corpus/sarif_rules.py "$work/out" >"$work/told" && [ ! -s "$work/told" ]
    verdict $? "rules of SARIF's readers say nothing of $1 ($(head -n 1 "$work/told"))"
}
# A report with one thing that a rule forbids, which a line of Python puts there, is told by that rule.
unruled() { # rule, line of Python
    "$python" - "$work/good.sarif" "$2" >"$work/spoilt.sarif" <<'END'
import json, sys
log = json.load(open(sys.argv[1], encoding="utf-8"))
run = log["runs"][0]
rule, first, last = run["tool"]["driver"]["rules"][0], run["results"][0], run["results"][-1]
exec(sys.argv[2])
json.dump(log, sys.stdout)
END
    "$python" tests/corpus/sarif_rules.py "$work/spoilt.sarif" >"$work/told"
    grep -q ": $1: " "$work/told"
    verdict $? "$1 is told of: $2"
}
sarif_rules() {
    leaves 3 check --format sarif "$work/t"
    ruled "check"
    cp "$work/out" "$work/good.sarif"
    unruled GH1001 'del first["locations"]'
    unruled GH1001 'first["locations"][0] = {}'
    unruled GH1003 'del first["locations"][0]["physicalLocation"]["region"]'
    unruled GH1003 'del first["locations"][0]["physicalLocation"]["region"]["startLine"]'
    unruled GH1004 'run["results"] = [first] * 25001'
    unruled GH1005 'first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "http:x"'
    unruled GH1006 'first["locations"][0]["physicalLocation"]["artifactLocation"] = {"uri": "file:///x"}; run["invocations"][0].pop("workingDirectory", 0)'
    unruled GH1007 'first["message"]["text"] = " "'
    unruled GH1013 'log["version"] = "2.0.0"'
    unruled GH1018 'run["tool"]["driver"]["name"] = " "'
    unruled GH2012 'del rule["fullDescription"]'
    unruled SARIF1001 'rule["name"] = rule["id"]'
    unruled SARIF1002 'first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = "a b"'
    unruled SARIF1004 'first["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] = "x"'
    unruled SARIF1007 'first["locations"][0]["physicalLocation"]["region"]["endColumn"] = 0'
    unruled SARIF1009 'first["ruleIndex"] = 99'
    unruled SARIF1010 'first["ruleId"] = ""'
    unruled SARIF1011 'log["$schema"] = "https://x/2.0.0.json"'
    unruled SARIF2001 'first["message"]["text"] = "x"'
    unruled SARIF2005 'run["tool"]["driver"]["version"] = "x"'
    unruled 3.27.10 'first["kind"] = "pass"'
    unruled 3.11.6 'first["message"]["text"] += " ([x](7))."'
    unruled DOCS 'del first["partialFingerprints"]'
    leaves 3 check --format "json=$work/ruled.jsonl" "$work/t"
    leaves 3 report --format sarif "$work/ruled.jsonl"
    ruled "report"
    leaves 2 check --format sarif "$work/none.litmus" "$work/t/1-ok.litmus"
    ruled "a file that is not there"
    case $CRASHLIT in /*) program=$CRASHLIT ;; *) program=$(pwd)/$CRASHLIT ;; esac
    (cd / && "$program" check --format sarif "$work/t/3-race.litmus") >"$work/out"
    ruled "a run in the root"
    cp "$work/t/3-race.litmus" "$work/e.litmus"
    (cd "$work/t" && "$program" check --format sarif "$work/e.litmus") >"$work/out"
    grep -q '"workingDirectory":{"uri":"file:///.*/"}' "$work/out"
    verdict $? "absolute paths have a folder that they are counted from"
    ruled "absolute paths"
    leaves 0 explain -p epoch --format sarif litmus/spb/kv-insert-bare.litmus litmus/spb/fig4.litmus
    ruled "explain"
    ! grep -q '"decidedBy"' "$work/out" && grep -q '"engine":"enum"' "$work/out"
    verdict $? "the engine of explain is the one that answered" # both are small enough for the lists of enum
    leaves 0 place --narrow -p strict --format sarif litmus/spb/kv-insert.litmus
    ruled "place"
    leaves 1 mutate --bound events=2 -p epoch --format sarif sc litmus/spb/kv-insert.litmus
    grep -q '"ruleId":"untested-rule"' "$work/out"
    verdict $? "mutants of a built-in model that are alive are results"
    ruled "mutate"
    # What is known to fail is suppressed, and said on the page, by the run and of its records.
    leaves 3 check --format "json=$work/known.jsonl" "$work/t/2-violated.litmus" "$work/t/6-unknown.litmus"
    leaves 0 check --known "$work/known.jsonl" --format sarif --format "html=$work/known.html" "$work/t/2-violated.litmus" "$work/t/6-unknown.litmus"
    ruled "known failures"
    valid_sarif "$schemas/sarif.schema.json" "$work/out"
    verdict $? "SARIF of known failures conforms"
    is "$(grep -o '"suppressions":\[{"kind":"external"' "$work/out" | wc -l)" 2 "known failures that are suppressed"
    is "$(grep -o 'expected ok, a known failure' "$work/known.html" | wc -l)" 2 "known failures on a page"
    leaves 0 merge --known "$work/known.jsonl" --format html "$work/known.jsonl"
    is "$(grep -o 'expected ok, a known failure' "$work/out" | wc -l)" 2 "known failures on a page of records"
    # 201 times 100 violations and 51 times 100 that are expected: 20000 and 5000 stay of these 25200.
    { printf 'OPENCL a\n%s\n' "$body" && yes 'crash ~exists (x = 1)' | head -n 100; } >"$work/a.litmus"
    { cat "$work/a.litmus" && echo 'expect hrf-direct + epoch : violated'; } >"$work/b.litmus"
    { yes "$work/b.litmus" | head -n 51 && yes "$work/a.litmus" | head -n 201; } >"$work/list"
    leaves 1 check --format sarif "@$work/list"
    grep -q '200 results are left out' "$work/out"
    verdict $? "SARIF counts results that code scanning would refuse"
    is "$(grep -o '"suppressions"' "$work/out" | wc -l) $(grep -o '"ruleId"' "$work/out" | wc -l)" "5000 25000" "results that stay"
    ruled "25200 results"
}

# ---- HTML -------------------------------------------------------------------------------------

# Counts elements; XHTML's namespace is left aside.
count_html() { xpath "$work/plain.html" "count($1)"; }
html() {
    file=$work/report.html
    xmllint --noout "$file" 2>"$work/faults"
    verdict $? "the HTML report is well-formed"
    sed 's/ xmlns="[^"]*"//' "$file" >"$work/plain.html"
    is "$(count_html '//article')" 9 "the number of tests shown"
    is "$(count_html '//table[@id="tests"]/tbody/tr')" 9 "the number of rows"
    is "$(count_html '//table[@id="tests"]/tbody/tr[@class="unexpected"]')" 5 "rows with something unexpected"
    is "$(count_html '//table[@id="tests"]/thead/tr[2]/th')" 3 "the number of model pairs"
    is "$(count_html '//details[@class="pair"]')" 9 "the number of answers"
    # The race's two lines, in both tests, are marked, and say so.
    is "$(count_html '//article[3]//li[@class="marked"]')" 2 "marked lines of the race"
    is "$(xpath "$work/plain.html" 'string(//article[3]//li[5]/span[@class="note"])')" \
        "$(printf "\342\226\262 race: P0's W x at line 3 and P1's R x at line 5")" "the note at the race's second line"
    is "$(count_html '//article[2]//details[@class="states"][2]//tbody/tr')" 2 "crash states shown"
    is "$(xpath "$work/plain.html" 'string(//article[2]//details[@class="states"][2]//span[@class="breaks"])')" \
        "breaks 1" "what the crash state x = 1 means"
    is "$(count_html '//article[2]//details[@class="execution"]')" 1 "executions shown: the one that decides"
    # Each of nine answers has one, in closed parts too: what decides its condition, or a crash before the loop that met its
    # bound. A race has that and what is undefined. Nothing waits for a script.
    is "$(count_html '//details[@class="execution"]//*[local-name()="svg"]')" 11 "pictures that stand in the page"
    is "$(count_html '//article[8]//details[@class="pair"][not(@open)]//details[@class="execution"]//*[local-name()="svg"]')" 1 \
        "pictures of a pair that is closed"
    is "$(count_html '//script')" 1 "scripts, and parts that wait for one"
    is "$(xpath "$work/plain.html" 'string(//header/p[@class="counts"])')" \
        "5 as expected, 4 otherwise, 1 files with errors; exit status 3" "the page's counts"
    is "$(count_html '//a[starts-with(@href, "#f")][not(substring(@href, 2) = //@id)]')" 0 "links that lead nowhere"
    is "$(count_html '//p[@id="filter"][@hidden]')" 1 "filters shown without scripts"
    ! sed 's/xmlns="[^"]*"//' "$file" | grep -q 'https\{0,1\}:'
    verdict $? "the HTML report refers to nothing outside of it"
}

open_page() { # url, further arguments; standard error in $work/console
    url=$1
    shift
    timeout 60 "$browser" --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --enable-logging=stderr --user-data-dir="$work/profile" "$@" "$url" 2>"$work/console"
}
in_browser() {
    if [ -z "$browser" ]; then
        echo "no browser: \`make check-deps\` installs chromium-headless-shell; HTML was not opened in one"
        return
    fi
    page=file://$work/report.html
    open_page "$page" --screenshot="$work/report.png" --window-size=1300,1600 >/dev/null
    # An empty page of this size is a file of about 7 KiB.
    [ "$(wc -c <"$work/report.png" 2>/dev/null || echo 0)" -gt 30000 ]
    verdict $? "the browser draws the page (there is $work/report.png)"
    ! grep CONSOLE "$work/console"
    verdict $? "the browser's console is silent"
    open_page "$page#filter=race" --dump-dom >"$work/dom"
    grep -q '<output>2 of 9 tests</output>' "$work/dom"
    verdict $? "the filter finds the two races"
    is "$(grep -c '<tr data-file=[^>]* hidden' "$work/dom")" 7 "the number of rows that the filter hides"
    ! grep CONSOLE "$work/console"
    verdict $? "the browser's console is silent while filtering"
    # x = 1 is durable at some crash under every model: the first line expects that, the second does not.
    printf 'OPENCL two\n%s\ncrash ~exists (x = 1)\nexpect hrf-direct + none : violated\nexpect hrf-direct + epoch : ok\n' "$body" >"$work/two.litmus"
    leaves 1 check --crash anywhere --format "html=$work/two.html" "$work/two.litmus"
    sed 's|</body>|<script>for (const cell of document.querySelectorAll("#tests td")) cell.title = getComputedStyle(cell).color == getComputedStyle(document.body).color</script></body>|' \
        "$work/two.html" >"$work/painted.html"
    open_page "file://$work/painted.html" --dump-dom >"$work/dom"
    is "$(grep -o '<td class="[^>]* title=[^>]*>' "$work/dom" | tr '\n' ' ')" '<td class="v-violated" title="true"> <td class="v-violated off" title="false"> ' \
        "what is as expected has the colour of text, beside what is not"
    sed 's/apply();/applied();/' "$work/report.html" >"$work/spoilt.html"
    open_page "file://$work/spoilt.html" --dump-dom >/dev/null
    grep -q 'CONSOLE.*applied is not defined' "$work/console"
    verdict $? "a fault of the script would show on the console"
}

# ---- The whole --------------------------------------------------------------------------------

# Why, in words: of what is violated, and of what is ok against expectation, by the execution that was found. In lost.litmus y = 1 is
# lost and x = 1 durable, with nothing between the two writes of line 3. No state has x = 2: that has no execution. The command that asks
# a solver has the options of the question, and no others.
reasons() {
    write_pictures
    printf 'OPENCL never\n%s\ncrash exists (x = 2)\n' "$body" >"$work/p/never.litmus"
    leaves 1 check --crash anywhere -p epoch --unroll 5 --timeout 60 --format "html=$work/why.html" "$work/p/lost.litmus" "$work/p/never.litmus" "$work/t/5-stale.litmus"
    sed 's/ xmlns="[^"]*"//' "$work/why.html" >"$work/plain.html"
    is "$(count_html '//ul[@class="why"]')" 3 "tests whose reasons are told"
    xpath "$work/plain.html" 'string(//article[1]//ul[@class="why"]//pre)' >"$work/got"
    grep -q "^      lost: P0's W y at line 3" "$work/got" && grep -q "nothing makes P0's W y at line 3 durable before P0's W x at line 3" "$work/got" &&
        grep -q '^  no fence, flush or persist barrier stands between them' "$work/got"
    verdict $? "the report says which order is missing"
    is "$(count_html '//article[2]//ul[@class="why"]//pre')" 0 "executions of what no state satisfies"
    xpath "$work/plain.html" 'string(//article[2]//ul[@class="why"]/following-sibling::p)' | grep -q '^Of what has no steps above check --explain adds the reason'
    verdict $? "what is left out is told"
    xpath "$work/plain.html" 'string(//article[3]//ul[@class="why"]//pre)' | grep -q '^State x=1;'
    verdict $? "how what was not expected comes about is told"
    # The state that a sentence names is the one whose steps follow, which need not be the first of the list.
    leaves 1 check -m sc -p none --format "html=$work/why.html" litmus/spb/btree* litmus/mappings
    sed -n 's/.*<li>\(.* by the [cf][a-z]* state .*\)<br\/><span class="small">how <code>\(.*\)<.code> comes about.*/\1|\2/p' "$work/why.html" >"$work/got"
    [ "$(wc -l <"$work/got")" -gt 30 ] && awk -F '|' '{ n = length($1) - length($2); if (substr($1, n + 1) != $2 || substr($1, n - 6, 7) != " state ") { print; bad = 1 } } END { exit bad }' "$work/got"
    verdict $? "sentences name the states whose steps follow"
    command=$(xpath "$work/plain.html" 'string(//article[1]//ul[@class="why"]/following-sibling::p/code)')
    is "$command" "crashlit explain -m hrf-direct -p epoch --crash anywhere --unroll 5 $work/p/lost.litmus" "the command that asks the same"
    "$CRASHLIT" ${command#crashlit } >"$work/out" && out_has '^Violated: a state '
    # A machine is named as it was; a property of its own has another command's words or none.
    leaves 1 check --engine machine --fault marker-overtakes --machine nvw-fifo --max-states 1000 --format html "$work/p/lost.litmus"
    out_has "<code>crashlit trace --fault marker-overtakes --machine nvw-fifo --max-states 1000 $work/p/lost.litmus</code>"
    leaves 1 check --engine machine --format html "$work/p/lost.litmus"
    out_has "<code>crashlit trace --machine nvw-fifo $work/p/lost.litmus</code>"
    leaves 1 check --property recovers-to 'x = 1' --format html "$work/r/lost.litmus"
    out_has "<code>crashlit explain -m hrf-direct -p epoch --property recovers-to .x = 1. $work/r/lost.litmus</code>"
    leaves 1 check --property idempotent-recovery --format html "$work/r/lost.litmus"
    ! grep -q '<code>crashlit explain' "$work/out"
    verdict $? "explain is not named where it would answer another question"
}

# Colours of verdicts are 16 apart and more of 255 for who sees no red from green; those of a page that takes one for the other are not.
# On paper all of a page of few pairs is open, of one of many what was open, with its pictures.
opened_for_print() { # page, what to count among the parts that can be opened
    sed 's|</body>|<script>dispatchEvent(new Event("beforeprint"))</script></body>|' "$1" >"$work/print.html"
    shift
    open_page "file://$work/print.html" --dump-dom >"$work/dom"
    grep -o '<details[^>]*>' "$work/dom" | grep -c "$@"
}
on_paper() {
    $python tests/corpus/picture_facts.py verdicts "$work/why.html" >"$work/got"
    is "$(wc -l <"$work/got"):$(awk '$NF < 16' "$work/got")" "12:" "verdicts that look alike"
    sed 's/--violated: #[0-9a-f]*/--violated: #ffeae6/' "$work/why.html" >"$work/spoilt"
    [ -n "$($python tests/corpus/picture_facts.py verdicts "$work/spoilt" | awk '$NF < 16')" ]
    verdict $? "verdicts that look alike show"
    [ -n "$browser" ] || return
    is "$(opened_for_print "$work/why.html" -v ' open')" 0 "parts of a page of three pairs that are not printed"
    [ "$(grep -c '<svg ' "$work/dom")" -ge 2 ]
    verdict $? "its pictures are"
    leaves 0 check --format "html=$work/many-pairs.html" litmus/spb/kv-insert-bare.litmus litmus/spb/kv-insert.litmus
    is "$(opened_for_print "$work/many-pairs.html" 'class="pair".* open')" 2 "pairs of a page of twenty that are printed"
}

# Several at once; what belongs to standard output stays there.
several() {
    leaves 3 check --format "junit=$work/side.junit" --format "json=$work/side.jsonl" "$work/t"
    out_has '^Summary: 5 as expected, 4 otherwise, 1 files with errors'
    steady <"$work/report.junit" >"$work/wanted"
    steady <"$work/side.junit" | cmp -s - "$work/wanted"
    verdict $? "a report in a file is the one of standard output"
    steady <"$work/report.json" >"$work/wanted"
    steady <"$work/side.jsonl" | cmp -s - "$work/wanted"
    verdict $? "so are JSON lines in a file"
    # The semicolon of "{ nvm x = ; }", the second line.
    is "$(awk -f examples/annotate.awk "$work/side.jsonl" | grep -ac ']\.litmus,line=2::found .*expected an expression')" 1 \
        "annotations at the line of the first error of what cannot be read"
    leaves 2 check --format "html=$work/absent/file" "$work/t"
    is "$(wc -c <"$work/out")" 0 "what is printed when a report cannot be written"
    # Nor is one written over what the run needs, by whatever name, or over another report.
    cp "$work/t/1-ok.litmus" "$work/kept.litmus"
    cp "$work/report.json" "$work/kept.jsonl"
    ln -sf kept.jsonl "$work/kept.link"
    leaves 2 check --resume "$work/kept.jsonl" --format "json=$work/kept.link" "$work/t"
    leaves 2 check --format "tap=$work/kept.litmus" "$work/kept.litmus"
    leaves 2 check --format "tap=$work/both" --format "json=$work/../formats/both" "$work/t/1-ok.litmus"
    is "$(wc -c <"$work/out")" 0 "what is printed when two reports name one file"
    cmp -s "$work/t/1-ok.litmus" "$work/kept.litmus" && cmp -s "$work/report.json" "$work/kept.jsonl"
    verdict $? "a report leaves the test and the earlier run as they were"
    leaves 0 check --format tap=/dev/null --format json=/dev/null "$work/t/1-ok.litmus"
    if [ -w /dev/full ]; then
        for format in json junit svg; do
            leaves 2 check --format herd --format "$format=/dev/full" "$work/t/1-ok.litmus"
            grep -q "error: cannot write '/dev/full': No space left on device \[E-file-write\]" "$work/err"
            verdict $? "a $format report that does not fit names its file and the reason"
            out_has '^Summary: 1 as expected, 0 otherwise, 0 files with errors'
        done
    fi
}

# The command line that a report names can be pasted: a POSIX shell makes the same words of it.
command_lines() {
    odd="$work/p/it's  \$HOME & \"co\".litmus"
    mkdir -p "$work/p"
    cp "$work/t/1-ok.litmus" "$odd"
    leaves 0 check --format "html=$work/line.html" --format sarif --model hrf-direct -p epoch "$odd"
    for command in "$(xpath "$work/line.html" "string(//*[local-name()='code'][1])")" \
        "$("$python" -c 'import json, sys
print(json.load(sys.stdin)["runs"][0]["invocations"][0]["commandLine"])' <"$work/out")"; do
        is "$(sh -c "printf '<%s>' $command" 2>&1)" \
            "<crashlit><check><--format><html=$work/line.html><--format><sarif><--model><hrf-direct><-p><epoch><$odd>" \
            "what a shell reads"
        is "${command#* --model hrf-direct -p epoch}" " '$(echo "$odd" | sed "s/'/'\\\\''/")'" \
            "what is quoted"
    done
}

# A model that cannot be loaded, a folder without tests, engines side by side.
odd_runs() {
    mkdir -p "$work/empty"
    leaves 2 check --format junit -m "$work/none.cat" "$work/t/1-ok.litmus" "$work/empty"
    is "$(xpath "$work/out" 'count(//error)')" 2 "errors of the model and of the folder"
    valid_junit "$schemas/junit.xsd" "$work/out"
    verdict $? "and the report conforms"
    leaves 2 check --format sarif -m "$work/none.cat" "$work/t/1-ok.litmus" "$work/empty"
    "$python" "$facts" results "$work/out" >"$work/got"
    printf 'input fail crashlit 1:-\ninput fail 1-ok.litmus 1:-\n' | diff - "$work/got"
    verdict $? "SARIF has both"
    leaves 0 check --format tap --engine all "$work/t/1-ok.litmus"
    out_has '^ok 4 - .*: ok under hrf-direct + epoch \[engines agree\]'
    out_has '^1\.\.4$'
}

# Recovery that loses x = 2 to a second crash, which finds log = 2 and does nothing any more; and
# recovery that waits for f, which is volatile and 0 after each crash: it completes from neither
# of the crash states x = 0 and x = 1. Recovered by the first are log, x = 0, 0 (nothing had
# happened), 2, 2, and, after a second crash that only log = 2 outlives, 2, 0 and 2, 1.
recovery() {
    mkdir -p "$work/r"
    {
        printf 'OPENCL lost\n{ nvm log = 0; nvm x = 0; }\nP0 (global int* log, global int* x) {\n'
        printf '  *log = 1;\n  p_barrier_wi;\n  *x = 1;\n}\n'
        printf 'recovery restartable (global int* log, global int* x) {\n  int l = *log;\n'
        printf '  if (l == 1) { *x = 2; *log = 2; }\n}\nrecovered ~exists (log = 2 /\\ x = 1)\n'
    } >"$work/r/lost.litmus"
    {
        printf 'OPENCL stuck\n{ nvm x = 0; atomic_int f = 0; }\n'
        printf 'P0 (global int* x, global atomic_int* f) { *x = 1; }\n'
        printf 'recovery restartable (global atomic_int* f) {\n'
        printf '  while (!atomic_load_explicit(f, memory_order_relaxed, memory_scope_device));\n}\n'
        printf 'recovered exists (x = 1)\n'
    } >"$work/r/stuck.litmus"
    leaves 1 check --format sarif --format "html=$work/r.html" --format "junit=$work/r.junit" "$work/r"
    "$python" "$facts" results "$work/out" >"$work/got"
    printf 'condition-violated fail lost.litmus 12:1-37\nlivelock fail stuck.litmus 4:1-9\n' |
        diff - "$work/got"
    verdict $? "SARIF has what recovery breaks and where it never completes"
    out_has 'is violated by the recovered state log=2; x=1'
    out_has 'livelock: recovery never completes from x=0, nor from 1 more'
    sed 's/ xmlns="[^"]*"//' "$work/r.html" >"$work/plain.html"
    is "$(xpath "$work/plain.html" 'string(//article[1]//details[@class="states"][3]/summary)')" \
        "Recovered states: 4" "the number of recovered states"
    is "$(xpath "$work/plain.html" 'string(//article[1]//span[@class="breaks"]/../../td[3])')" 1 \
        "the x of the state that breaks the condition"
    xpath "$work/plain.html" 'string(//pre[@class="chain"])' |
        grep -q 'Crash in recovery, which leaves log=2; x=1;'
    verdict $? "the page shows the chain to it"
    is "$(xpath "$work/r.junit" 'string(//testsuite[2]//error/@message)')" "verdict error, expected ok" \
        "what the livelock's case says"
}

# Memory grows with one file, not with the run: ten thousand tests in 100 MiB.
many() {
    yes "$work/t/1-ok.litmus" | head -n 10000 >"$work/list"
    "$python" "$facts" peak "$CRASHLIT" check --format "html=$work/many.html" \
        --format "junit=$work/many.junit" --format tap "@$work/list" >"$work/out" 2>"$work/peak"
    verdict $? "ten thousand tests are ok"
    is "$(tail -n 1 "$work/out")" 1..10000 "the plan of ten thousand tests"
    is "$(xpath "$work/many.junit" 'count(//testcase)')" 10000 "cases of ten thousand tests"
    is "$(grep -o '<span>1-ok <small>(ok)</small></span>' "$work/many.html" | wc -l)" 10000 "names of ten thousand tests"
    peak=$(cat "$work/peak")
    [ "$peak" -gt 0 ] && { [ "$peak" -lt 102400 ] || [ -n "${MEMORY_UNBOUNDED:-}" ]; }
    verdict $? "ten thousand tests take less than 100 MiB ($peak KiB)"
    rm -f "$work"/many.*
}

# ---- Markdown -----------------------------------------------------------------------------------

# Bars of a row that end a cell, as GitHub's reader takes them: a backslash takes what follows it.
bars() { sed 's/\\[^ ]//g; s/[^|]//g'; }
markdown() {
    format=md
    file=$work/report.$format
    is "$(sed -n 's/^| \(.*\) | `.*\/\([0-9]\)[^`]*` | .* | \(.*\) | `.*/\1 \2 \3/p' "$file" | tr '\n' ';')" \
        "$(for row in '2 violated, expected ok' '3 undefined, expected ok' '5 ok, expected violated' '6 unknown, expected ok' '9 error'; do
            printf '\342\234\227 %s;' "$row"
        done)" "rows of what is not as expected"
    is "$(grep -c '^<details><summary>4 tests are as expected, in 1 folder</summary>' "$file")" 1 "the rest"
    leaves 3 check --format "json=$work/md.jsonl" "$work/t"
    leaves 3 report --format md "$work/md.jsonl"
    cmp -s "$work/out" "$file"
    verdict $? "Markdown of records is that of the run"
    odd='a|b`c``d\|@all <b> #1'
    mkdir -p "$work/odd"
    sed 's/^OPENCL .*/OPENCL odd/' "$work/t/2-violated.litmus" >"$work/odd/$odd.litmus"
    leaves 1 check --format md "$work/odd"
    is "$(grep '^| .* odd\|^| .*@all' "$work/out" | bars)" '||||||' "ends of cells, whatever the name"
    grep -q '^| [^`]* | ```[^`].*@all <b> #1.litmus:3``` | ' "$work/out"
    verdict $? "the name is code"
}

# ---- Pages of many tests ------------------------------------------------------------------------

# A folder of so many tests that are ok: x = 1 is durable in some crash state.
write_many() { # folder, number, condition
    mkdir -p "$1"
    i=1
    while [ "$i" -le "$2" ]; do
        printf 'OPENCL n%s\n%s\ncrash %s (x = 1)\n' "$i" "$body" "$3" >"$1/n$i.litmus"
        i=$((i + 1))
    done
}
# Of 100 tests a page has all; of 101 verdicts, and all there is to say of what is not as expected.
page_of_many() {
    write_many "$work/m/a" 99 exists
    mkdir -p "$work/m/b"
    cp "$work/t/2-violated.litmus" "$work/m/b"
    leaves 1 check --format "html=$work/m.html" "$work/m"
    is "$(grep -c '<article id=' "$work/m.html")" 100 "tests shown in full of a hundred"
    cp "$work/t/8-pairs.litmus" "$work/m/b"
    leaves 1 check --format "html=$work/m.html" --format "json=$work/m.jsonl" --executions pictures "$work/m"
    leaves 1 check -j 3 --format "html=$work/m3.html" "$work/m"
    steady <"$work/m.html" >"$work/one"
    steady <"$work/m3.html" | cmp -s - "$work/one"
    verdict $? "a page of many tests is the same with three jobs"
    leaves 1 report --format "html=$work/told.html" "$work/m.jsonl"
    for page in m told; do
        xmllint --noout "$work/$page.html" 2>"$work/faults"
        verdict $? "the page of many tests ($page) is well-formed"
        sed 's/ xmlns="[^"]*"//' "$work/$page.html" >"$work/plain.html"
        is "$(count_html '//article')" 1 "tests shown in full of 101 ($page)"
        is "$(xpath "$work/plain.html" 'string(//article/header/h2)')" violated "the one that is shown ($page)"
        is "$(count_html '//table[@class="tests"]//tr[@class="unexpected"]')" 1 "rows with something unexpected ($page)"
        is "$(count_html '//details[@class="folder"]')" 2 "folders ($page)"
        is "$(count_html '//th[@class="names"]/span')" 100 "names of what is as expected ($page)"
        is "$(count_html '//details[@class="folder"][1]//tbody/tr')" 1 "rows of 99 tests with the same verdicts ($page)"
        is "$(xpath "$work/plain.html" 'string(//details[@class="folder"][2]//td/details/summary)')" \
            "$(printf '\342\234\223\302\2402 ok')" "two pairs in a column ($page)" # with sc, under epoch and strict
        is "$(xpath "$work/plain.html" 'string(//p[@class="counts"])')" \
            "101 as expected, 1 otherwise, 0 files with errors; exit status 1" "the counts ($page)"
        is "$(count_html '//a[starts-with(@href, "#")][not(substring(@href, 2) = //@id)]')" 0 "links that lead nowhere ($page)"
    done
    is "$(grep -c '<svg' "$work/m.html")" 1 "pictures of what is not as expected"
    is "$(grep -o '<img alt="" src="data:image/svg+xml;base64,[A-Za-z0-9+/=]*"/>' "$work/told.html" | wc -l)" 1 "pictures that a record has"
    sed 's/<svg[^>]*>/&<script>alert(1)<\/script>/g' "$work/m.jsonl" >"$work/hostile.jsonl"
    leaves 1 report --format "html=$work/told.html" "$work/hostile.jsonl"
    is "$(grep -c '<script' "$work/told.html")" 1 "scripts of a page whose record has one in a picture"
}
# Parts have 2000 tests at most: of 2001 there are two. All of them are violated, more than a page has room for.
parts_of_many() {
    write_many "$work/l" 2001 '~exists'
    leaves 1 check --decide --format "html=$work/l.html" --format "html=$work/parts/" --format "md=$work/l.markdown" "$work/l"
    [ "$(wc -m <"$work/l.markdown")" -lt 65536 ] && grep -q '^There is no room for [0-9]* more rows' "$work/l.markdown"
    verdict $? "Markdown fits a comment, and says what it has no room for"
    rows=$(grep -c '^| .* | violated, expected ok | ' "$work/l.markdown")
    is "$((rows + $(sed -n 's/^There is no room for \([0-9]*\) more rows.*/\1/p' "$work/l.markdown")))" 2001 "rows that are there, and those that are not"
    for page in "$work/l.html" "$work"/parts/*.html; do
        xmllint --noout "$page" 2>"$work/faults" && [ "$(wc -c <"$page")" -lt 5000000 ]
        verdict $? "$(basename "$page") is well-formed and small"
    done
    grep -q '^<p>There are [0-9]* more, which <code>--format html=FOLDER/' "$work/l.html" &&
        grep -q 'Of [0-9]* of these there is no room for more on this page' "$work/l.html"
    verdict $? "a page says what it has no room for"
    is "$(cat "$work"/parts/part-*.html | grep -c '<article id=')" 2001 "tests shown in full in parts"
    is "$(cat "$work"/parts/part-*.html | grep -c '<tr class="unexpected" ')" 2001 "rows of parts"
    # Who asks the index finds each test in its part.
    sed -n 's/^crashlitTests(//; s/);$//; p' "$work/parts/tests.js" >"$work/tests.json"
    "$python" "$facts" parts "$work/parts" <"$work/tests.json" >"$work/got"
    is "$(cat "$work/got")" "2001 tests, 0 astray" "where tests.js says that tests are"
    # Without what failed, parts of 2000.
    write_many "$work/k" 2001 exists
    leaves 0 check --decide --format "html=$work/fine/" "$work/k"
    is "$(cd "$work/fine" && echo *)" "index.html part-0001.html part-0002.html tests.js" "files of 2001 tests"
    is "$(grep -o '<span id="t[0-9]*">' "$work/fine/part-0002.html" | wc -l)" 1 "tests of the second part"
    leaves 0 explain --format "html=$work/explained/" "$work/k/n1.litmus"
    is "$(grep -c '<article id=' "$work/explained/part-0001.html")" 1 "explanations in parts"
    # A part takes the place of no file that the run reads.
    cp "$work/k/n1.litmus" "$work/fine/index.html"
    leaves 2 check --format "html=$work/fine/" "$work/fine/index.html"
    cmp -s "$work/k/n1.litmus" "$work/fine/index.html"
    verdict $? "the index takes no input's place"
    if [ -n "$browser" ]; then
        open_page "file://$work/m.html#filter=n12%20epoch:ok" --dump-dom >"$work/dom"
        grep -q '<output>1 of 101 tests</output>' "$work/dom" && ! grep CONSOLE "$work/console"
        verdict $? "the filter of many tests finds one" # n12 alone has that in its name
        open_page "file://$work/parts/index.html#filter=n12%20epoch:violated" --virtual-time-budget=5000 --dump-dom >"$work/dom"
        grep -q '<output>111 of 2001 tests</output>' "$work/dom" && ! grep CONSOLE "$work/console"
        verdict $? "the filter of the index finds n12, n120 to n129 and n1200 to n1299"
    fi
    rm -rf "$work/l" "$work/k" "$work/parts" "$work/fine"
}

# x = 1 /\ x = 0 is no state: ok, and vacuous. So the run fails with --fail-on-vacuous for this one of two tests, whatever shows it:
# here a page of two tests, a page of many in parts, one of records, and Markdown of both.
what_else_fails() {
    mkdir -p "$work/v"
    printf 'OPENCL vain\n%s\ncrash ~exists (x = 1 /\\ x = 0)\n' "$body" >"$work/v/vain.litmus"
    cp "$work/t/1-ok.litmus" "$work/v"
    leaves 1 check --fail-on-vacuous --format "html=$work/v.html" --format "md=$work/v.markdown" --format "json=$work/v.jsonl" "$work/v"
    tells_vain "$work/v.html" "$work/v.markdown"
    leaves 1 report --fail-on-vacuous --format "html=$work/v.html" --format "md=$work/v.markdown" "$work/v.jsonl"
    tells_vain "$work/v.html" "$work/v.markdown"
    is "$(grep -c '<article id=' "$work/v.html")" 1 "tests shown of two, of which one fails"
    leaves 1 check --fail-on-vacuous --format "html=$work/v/parts/" --format "md=$work/v.markdown" "$work/v"
    tells_vain "$work/v/parts/index.html" "$work/v.markdown"
    is "$(grep -c '<article id=' "$work/v/parts/part-0001.html")" 1 "tests shown in a part of two, of which one fails"
    # Without the option nothing fails.
    leaves 0 report --format "html=$work/v.html" --format md "$work/v.jsonl"
    out_has '^### crashlit: as expected$'
    is "$(grep -c 'class="unexpected"' "$work/v.html")" 0 "what a page marks where nothing fails"
    # With both stores behind each other persist-before has a cycle, which is a warning.
    printf 'joins "joins"\nlet persist-before = [W]; (po | po^-1); [W]\n' >"$work/v/joins.cat"
    printf 'OPENCL two\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; *x = 2; }\ncrash exists (x = 2)\n' >"$work/v/two.litmus"
    leaves 1 check --fail-on-warnings -m sc -p "$work/v/joins.cat" --format "html=$work/v.html" --format md "$work/v/two.litmus"
    out_has '^### crashlit: 1 not as expected$'
    out_has ' | ok, but a warning | .*persist-cycle'
    grep -q '<strong>0</strong> as expected, <strong class="unexpected">1</strong> otherwise' "$work/v.html"
    verdict $? "a page counts what fails for a warning"
}
tells_vain() { # page, Markdown
    sed 's/ xmlns="[^"]*"//' "$1" >"$work/plain.html"
    is "$(xpath "$work/plain.html" 'string(//p[@class="counts"])')" "1 as expected, 1 otherwise, 0 files with errors; exit status 1" \
        "the counts of $(basename "$1")"
    is "$(count_html '//table[@class="tests"]//tr[@class="unexpected"][contains(., "vain")][contains(., "but vacuous")]')" 1 "rows with what fails"
    grep -q '^### crashlit: 1 not as expected$' "$2" && grep -q '^| .*vain.litmus:3` | .* | ok, but vacuous | `crash .* is vacuous' "$2"
    verdict $? "Markdown has what fails"
}
# No engines disagree: one record says so that does not hold. Its test is ok, and what is wrong all the same.
disagreeing() {
    leaves 0 check --engine all --format "json=$work/d.jsonl" "$work/t/1-ok.litmus" "$work/t/8-pairs.litmus"
    sed '1,/"accord"/s/"accord":{"result":"[a-z-]*"/"accord":{"result":"disagree"/' "$work/d.jsonl" >"$work/disagree.jsonl"
    leaves 4 report --format "html=$work/d.html" --format "html=$work/d/" --format md "$work/disagree.jsonl"
    out_has '^### crashlit: 1 not as expected$'
    for page in "$work/d.html" "$work/d/index.html" "$work/d/part-0001.html"; do
        sed 's/ xmlns="[^"]*"//' "$page" >"$work/plain.html"
        is "$(count_html '//table[@class="tests"]//tr[@class="unexpected"][contains(., "engines disagree")]')" 1 "rows of engines that disagree ($page)"
    done
    # So is an answer that a checker refuses: ok, as expected, and of status 4.
    leaves 0 check --format "json=$work/d.jsonl.one" "$work/t/1-ok.litmus" "$work/t/8-pairs.litmus"
    sed '1s/"verdict":/"disputed":true,&/' "$work/d.jsonl.one" >"$work/refused.jsonl"
    leaves 4 report --format "html=$work/d2/" --format md "$work/refused.jsonl"
    out_has '^### crashlit: 1 not as expected$'
    out_has '1-ok.litmus.* | ok, but disputed | '
    sed 's/ xmlns="[^"]*"//' "$work/d2/index.html" >"$work/plain.html"
    is "$(count_html '//table[@class="tests"]//tr[@class="unexpected"][contains(., "but disputed")]')" 1 "rows of disputed answers"
    sed 's/ xmlns="[^"]*"//' "$work/d.html" >"$work/plain.html"
    is "$(xpath "$work/plain.html" 'string(//section[@id="expected"]/h2)')" "As expected: 1" "tests that are as expected beside it"
    is "$(xpath "$work/plain.html" 'substring-before(//p[@class="counts"], " files")')" "$(wc -l <"$work/d.jsonl") as expected, 0 otherwise, 1 where engines disagree, 0" \
        "counts where engines disagree"
}

# Records of so many tests in one folder, each with a name of its own behind `before`, under a model by that number.
records_of() { # number, before, model
    "$CRASHLIT" check --format json "$work/t/1-ok.litmus" |
        awk -v n="$1" -v before="$2" -v model="$3" '{ for (i = 1; i <= n; i++) { line = $0; sub(/"test":"ok"/, "\"test\":\"" before i "\"", line)
            sub(/"file":"[^"]*"/, "\"file\":\"f/" i ".litmus\"", line); if (model) sub(/"model":"[^"]*"/, "\"model\":\"" model i "\"", line); print line } }'
}
# 2000 names of 2000 characters are more than a page has room for, although all are of one folder and one row; what is left out is
# counted. Of 400 models 400 tests have one each: no row has a cell for the models of others.
bounds_of_many() {
    records_of 2000 "$(printf '%02000d' 0)" '' >"$work/names.jsonl"
    leaves 0 report --format "html=$work/names.html" "$work/names.jsonl"
    [ "$(wc -c <"$work/names.html")" -lt 3000000 ] && xmllint --noout --huge "$work/names.html" 2>"$work/faults"
    verdict $? "a page of long names is small and well-formed"
    is "$(($(grep -o '<span>[0-9]* <small>(' "$work/names.html" | wc -l) + $(sed -n 's/^<p>There are \([0-9]*\) more tests as expected.*/\1/p' "$work/names.html")))" 2000 \
        "names that are there, and those that are not"
    records_of 400 n m >"$work/models.jsonl"
    leaves 0 report --format "html=$work/models.html" "$work/models.jsonl"
    sed 's/ xmlns="[^"]*"//' "$work/models.html" >"$work/plain.html"
    is "$(count_html '//details[@class="folder"]//th') $(count_html '//details[@class="folder"]//td')" "402 400" "heads and names, and cells, of 400 models"
    is "$(xpath "$work/plain.html" 'string(//details[@class="folder"]//tbody/tr[400]/td)')" "$(printf 'm400 \342\234\223\302\240epoch: ok')" "the last of them"
    sed 's|"f/\([0-9]*\).litmus"|"f\1/\1.litmus"|' "$work/models.jsonl" >"$work/apart.jsonl"
    leaves 0 report --format "html=$work/models.html" "$work/apart.jsonl"
    sed 's/ xmlns="[^"]*"//' "$work/models.html" >"$work/plain.html"
    is "$(count_html '//details[@class="folder"]') $(count_html '//details[@class="folder"]//td')" "400 400" "folders, and cells, of a model for each folder"
    is "$(xpath "$work/plain.html" 'string((//details[@class="folder"])[400]//thead//th[2])')" m400 "the model of the last folder"
}

# ---- Pictures -----------------------------------------------------------------------------------

# Two stores without a barrier, and a flag that hands on x.
write_pictures() {
    mkdir -p "$work/p"
    {
        printf 'OPENCL lost\n{ nvm x = 0; nvm y = 0; }\n'
        printf 'P0@wg 0 (global int* x, global int* y) { *y = 1; *x = 1; }\n'
        printf 'crash ~exists (x = 1 /\\ y = 0)\n'
    } >"$work/p/lost.litmus"
    {
        printf 'OPENCL mp\n{ x = 0; atomic_int f = 0; }\n'
        printf 'P0@wg 0 (global int* x, global atomic_int* f) { *x = 1; f.store(1, mo_sc, dev_scope); }\n'
        printf 'P1@wg 1 (global int* x, global atomic_int* f) { int a = f.load(mo_sc, dev_scope); int b = *x; }\n'
        printf 'exists (1:a = 1 /\\ 1:b = 1)\n'
    } >"$work/p/mp.litmus"
}
# An element counts when its class has all of these words.
classes() { # file, words
    test=
    for word in $2; do
        test="$test[contains(concat(' ', @class, ' '), ' $word ')]"
    done
    xpath "$1" "count(//*[local-name() = 'g']$test)"
}
holds() { # file, then words=number ...
    file=$1
    shift
    for fact in "$@"; do
        is "$(classes "$file" "${fact%=*}")" "${fact##*=}" "the number of '${fact%=*}' in $(basename "$file")"
    done
}
clean_dot() { # file
    dot -Tsvg "$1" 2>"$work/faults" >"$work/dot.svg" && [ ! -s "$work/faults" ]
}
pictures() {
    write_pictures
    # Both initial writes are durable. W y comes before W x in its thread and its value is lost, so
    # it has executed (a cut is closed under po) and is not durable; W x is. co is drawn without
    # initial writes, rf and fr need a read.
    leaves 1 check --format svg "$work/p/lost.litmus"
    cp "$work/out" "$work/lost.svg"
    holds "$work/lost.svg" "event=4" "event init durable=2" "event durable=3" "event lost=1" \
        "event unexecuted=0" "edge po=1" "edge rf=0" "edge co=0" "edge fr=0" "cut=1" "scope=1"
    # Under SC, two stores and two reads of them. Initial writes of volatile locations are drawn when
    # something reads them, and nothing does.
    leaves 0 check -m sc -p none --format svg "$work/p/mp.litmus"
    cp "$work/out" "$work/mp.svg"
    holds "$work/mp.svg" "event=4" "event executed=4" "event durable=0" "edge po=2" "edge rf=2" \
        "edge co=0" "edge fr=0" "edge mark=0" "cut=0" "scope=3"
    # The race of 3-race: W x of P0 and R x of P1, both marked, joined once.
    leaves 1 check --format svg "$work/t/3-race.litmus"
    holds "$work/out" "edge mark=1"
    is "$(xpath "$work/out" "count(//*[@class = 'halo'])")" 2 "the number of marked events of the race"
    # The chain of r/lost: a crash that leaves log = 1 and x = 1, both durable over two initial writes;
    # recovery that reads log = 1, with x = 2 lost to the crash that log = 2 outlives; recovery
    # that reads log = 2. Each of the three reads is of what the crash left.
    leaves 1 check --format svg "$work/r/lost.litmus"
    cp "$work/out" "$work/chain.svg"
    is "$(xpath "$work/chain.svg" "count(//*[@class = 'picture'])")" 3 "pictures of the chain"
    holds "$work/chain.svg" "event init durable=4" "event durable=7" "event lost=1" \
        "event executed=3" "edge rf=2" "cut=2"
    # The program's text stands in boxes of recovery, too: of W x = 2 in the first run.
    is "$(grep -c '>\*x = 2<' "$work/chain.svg")" 1 "boxes of recovery that have their text"
    # Two pictures in one document do not overlap; what cannot be read is a line of text.
    leaves 3 check --format svg "$work/t"
    xmllint --noout "$work/out" 2>"$work/faults"
    verdict $? "pictures of all tests are one well-formed document"
    grep -o 'translate(0 [0-9]*)' "$work/out" | tr -dc '0-9\n' | sort -n -c -u
    verdict $? "each stands below the one before"
    for format in dot svg; do
        "$CRASHLIT" check --format $format litmus/spb >"$work/corpus.$format"
        is $? 0 "the status of --format $format over litmus/spb"
    done
    xmllint --noout --huge "$work/corpus.svg" 2>"$work/faults"
    verdict $? "pictures of litmus/spb are well-formed"
    is "$(grep -c NaN "$work/corpus.svg")" 0 "lines with places that are none"
    "$CRASHLIT" check --format dot "$work/t" >"$work/t.dot"
    clean_dot "$work/t.dot"
    verdict $? "Graphviz reads dot of names that need escaping without a word"
    for name in fig4 kv-insert btree-alg1-wg; do
        "$CRASHLIT" check --format dot "litmus/spb/$name.litmus" >"$work/one.dot"
        clean_dot "$work/one.dot"
        verdict $? "Graphviz reads dot of $name without a word"
    done
    # A name that is longer than a string of Graphviz's may be.
    awk 'BEGIN { while (i++ < 20000) name = name "n\303\251"
        print "OPENCL " name "\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)" }' \
        >"$work/long.litmus"
    "$CRASHLIT" check --format dot "$work/long.litmus" >"$work/long.dot" 2>"$work/err"
    clean_dot "$work/long.dot"
    verdict $? "a name of 60,000 bytes leaves strings that Graphviz reads"
    "$CRASHLIT" check --format dot "$work/p/lost.litmus" >"$work/one.dot"
    for fact in "event lost=1" "event init durable=2" "edge po=1"; do
        is "$(grep -c "class=\"${fact%=*}\"" "$work/one.dot")" "${fact##*=}" "'${fact%=*}' in dot"
    done
    sed 's/digraph/graph/' "$work/one.dot" >"$work/spoilt.dot"
    refused "dot with arrows in a graph that has none" dot -Tsvg -o /dev/null "$work/spoilt.dot"
}

# The state of ten locations with names of 24 characters has 10 * (24 + 4) characters, of which no
# picture as wide as one thread has room for more than a third. All titles stand in it, the words in
# their order, above everything else.
titles() {
    names=$(awk 'BEGIN { for (i = 0; i < 10; i++) print "a_location_of_many_words" i }')
    long=$(yes a_name_without_an_end | head -n 12 | tr '\n' '_')
    {
        echo "OPENCL $long"
        echo "{ $(echo "$names" | sed 's/.*/nvm & = 0;/') }"
        echo "P0 (global int* a_location_of_many_words0) { *a_location_of_many_words0 = 1; }"
        echo "crash exists ($(echo "$names" | sed 's/$/ >= 0/' | paste -sd '&' | sed 's/&/ \/\\ /g'))"
    } >"$work/p/titles.litmus"
    leaves 0 check --format svg --format "html=$work/titles.html" "$work/p/titles.litmus"
    cp "$work/out" "$work/titles.svg"
    "$python" "$facts" titles "$work/titles.svg" >"$work/got"
    state=$(echo "$names" | sed 's/$/=0/' | paste -sd ' ' | sed 's/ /; /g')
    grep -q -F "crash state $state" "$work/got"
    verdict $? "titles have the whole state"
    tr -d ' ' <"$work/got" | grep -q -F "$(echo "$long under HRF-direct + epoch" | tr -d ' ')"
    verdict $? "titles have the whole name, which has no place to break it"
    ! grep '(' "$work/got" | grep -e '(o[un]'
    verdict $? "titles lie on nothing else"
    is "$(cat "$work/titles.svg" "$work/titles.html" | grep -c '…')" 0 "titles that were cut"
    # A line of text, two times this path and some words, goes on below as well: 88 characters fit.
    leaves 2 check --format svg "$work/absent/a folder with words in its name/and another such folder.litmus"
    sed 's/<[^>]*>//g' "$work/out" | tr -d '\n ' | grep -q 'cannotread.*Nosuchfileordirectory'
    verdict $? "a line of text is all there"
    ! sed 's/<[^>]*>//g' "$work/out" | grep '.\{89\}'
    verdict $? "and is not cut"
    "$python" "$facts" titles "$work/corpus.svg" | grep '(o[un]' >"$work/got"
    is "$(wc -l <"$work/got")" 0 "pictures of litmus/spb whose titles lie on something"
}

# Slides of litmus/gpm and of some of litmus/spb: 16 to 9, what is written is within, and of 18 pixels and more for up
# to twelve events; larger ones are among them. All that is written or drawn can be read on light and on dark paper, and
# flaws in either show. The race of 3-race is one picture of a test under one pair, so one file; r/lost has three.
slides() {
    picture="$python tests/corpus/picture_facts.py"
    leaves 0 check --layout slide --format svg litmus/gpm litmus/spb/[a-k]*.litmus
    cp "$work/out" "$work/slides.svg"
    xmllint --noout --huge "$work/slides.svg" 2>"$work/faults"
    verdict $? "slides are well-formed"
    $picture slides "$work/slides.svg" >"$work/got"
    is "$(grep -c '[a-z]$' "$work/got")" 0 "slides that are too small, of another shape or not whole: $(grep '[a-z]$' "$work/got" | head -3)"
    [ "$(awk '$(NF - 1) > 12' "$work/got" | wc -l)" -gt 0 ] && [ "$(wc -l <"$work/got")" -gt 300 ]
    verdict $? "slides of many sizes were looked at"
    sed 's/height="720"/height="721"/' "$work/slides.svg" >"$work/spoilt.svg"
    refused "a slide of another shape" sh -c "! $picture slides '$work/spoilt.svg' | grep -q ' shape'"
    sed 's/font-size="18"/font-size="12"/' "$work/slides.svg" >"$work/spoilt.svg"
    refused "small letters on a slide" sh -c "! $picture slides '$work/spoilt.svg' | grep -q ' small'"
    # A run of a machine, a lattice.
    leaves 0 trace --machine nvw-fifo --condition 1 --format "svg=$work/drawn-run.svg" "$work/p/lost.litmus"
    leaves 0 lattice --bound events=2,barriers=1 --format "svg=$work/drawn-lattice.svg" strict epoch none
    leaves 0 lattice --layout slide --bound events=2,barriers=1 --format "svg=$work/lattice-slide.svg" strict epoch none
    for file in "$work/lattice-slide.svg" "$work/drawn-run.svg" "$work/drawn-lattice.svg" "$work/lost.svg" "$work/chain.svg" "$work/slides.svg"; do
        $picture contrast "$file" >"$work/got"
        is "$(wc -l <"$work/got")" 1 "lines about $(basename "$file"), of which none is of a low contrast: $(head -2 "$work/got")"
    done
    [ "$(awk '{ print $1 }' "$work/got")" -gt 10000 ]
    verdict $? "the contrast of many texts and edges was looked at"
    sed 's/--stroke: #6ea0ff/--stroke: #1457d6/; s/stroke="#c01f2b"/stroke="#ff9090"/' "$work/slides.svg" >"$work/spoilt.svg"
    $picture contrast "$work/spoilt.svg" >"$work/got"
    grep -q ' dark #1457d6 on #14181e' "$work/got" && grep -q ' light #ff9090 on #ffffff' "$work/got"
    verdict $? "a low contrast shows, on light and on dark paper"
    leaves 1 check --layout slide --format "svg=$work/s/" "$work/t/3-race.litmus" "$work/r/lost.litmus"
    is "$(cd "$work/s" && echo *)" "3-race.svg lost-2.svg lost-3.svg lost.svg" "the files of slides"
    for file in "$work/s"/*.svg; do
        is "$(xpath "$file" "concat(/*/@viewBox, count(//*[@class = 'picture']))")" "0 0 1280 7201" "one slide in $(basename "$file")"
    done
    leaves 1 check --layout slide --jobs 3 --format "svg=$work/s3/" "$work/t/3-race.litmus" "$work/r/lost.litmus"
    diff -r "$work/s" "$work/s3"
    verdict $? "slides are the same with workers"
    # Titles that would fill more than half of a slide make its page larger as a whole.
    leaves 0 check --layout slide --format svg "$work/long.litmus"
    $picture slides "$work/out" | grep -q ' small$'
    verdict $? "a name of 60,000 bytes makes letters small, and the slide is whole"
    leaves 2 check --layout slide "$work/p/mp.litmus"
    err_has 'layout slide is for pictures: add --format svg'
    leaves 2 check --layout slide --format html "$work/p/mp.litmus"
    leaves 0 check -m sc -p none --layout screen "$work/p/mp.litmus"
    leaves 0 explain -m sc -p none --condition 1 --layout slide --format svg "$work/p/sb.litmus"
    is "$(xpath "$work/out" "count(//*[@class = 'stamp'])")" 1 "stamps on the near miss"
    is "$(said 'asked: exists (0:r=0 /. 1:r=0)')" 1 "conditions asked of the near miss"
    leaves 0 explain -m sc -p none --condition 2 --layout slide --format svg "$work/p/sb.litmus"
    is "$(xpath "$work/out" "count(//*[@class = 'stamp'])")" 0 "stamps on what is allowed"
    # Of lost.litmus under epoch a barrier between the two writes mends what is violated: a picture, then that in words. The second
    # file is called so; a test of that very name comes by another, before or behind it. Pictures have events, words none.
    mkdir -p "$work/p/other"
    cp "$work/p/lost.litmus" "$work/p/other/lost-2-words.litmus"
    leaves 0 explain -m sc -p epoch --layout slide --format "svg=$work/e/" "$work/p/lost.litmus" "$work/p/other/lost-2-words.litmus"
    is "$(cd "$work/e" && echo *)" "lost-2-words-2.svg lost-2-words-3-words.svg lost-2-words.svg lost.svg" "the files of slides with words"
    for file in lost:0 lost-2-words:1 lost-2-words-2:0 lost-2-words-3-words:1; do
        is "$(grep -c 'p_barrier_wi is added' "$work/e/${file%:*}.svg")" "${file#*:}" "advice in ${file%:*}.svg"
        is "$(xpath "$work/e/${file%:*}.svg" "count(//*[starts-with(@class, 'event ')]) > 0")" "$([ "${file#*:}" = 0 ] && echo true || echo false)" "events in ${file%:*}.svg"
    done
    leaves 0 explain -m sc -p epoch --layout slide --format "svg=$work/e2/" "$work/p/other/lost-2-words.litmus" "$work/p/lost.litmus"
    is "$(cd "$work/e2" && echo *)" "lost-2-words-2-words.svg lost-2-words.svg lost-3-words.svg lost.svg" "the files of slides with words, the other way round"
}

# A picture for each test, in a folder that is made. Of four inputs the second has the first's name,
# the third the name that the second is given, the fourth is the first once more.
folders() {
    mkdir -p "$work/p/other"
    cp "$work/r/stuck.litmus" "$work/p/other/lost.litmus"
    cp "$work/p/mp.litmus" "$work/p/other/lost-2.litmus"
    set -- "$work/p/lost.litmus" "$work/p/other/lost.litmus" "$work/p/other/lost-2.litmus" "$work/p/lost.litmus"
    leaves 1 check --format "svg=$work/f/" --format "dot=$work/f/" "$@"
    out_has '^Summary: '
    is "$(cd "$work/f" && echo *)" \
        "lost-2-2.dot lost-2-2.svg lost-2.dot lost-2.svg lost-3.dot lost-3.svg lost.dot lost.svg" "the files of a folder"
    for format in svg dot; do
        for pair in "lost $1" "lost-2 $2" "lost-2-2 $3" "lost-3 $4"; do
            "$CRASHLIT" check --format $format "${pair#* }" >"$work/wanted"
            cmp -s "$work/wanted" "$work/f/${pair%% *}.$format"
            verdict $? "${pair%% *}.$format is the document of ${pair#* }"
        done
    done
    leaves 1 check --jobs 3 --format "svg=$work/f3/" --format "dot=$work/f3/" "$@"
    diff -r "$work/f" "$work/f3"
    verdict $? "a folder is the same with three jobs"
    # What has no execution, and what cannot be read, has a file that says so.
    leaves 2 check --format "svg=$work/f/" "@$work/absent.list" "$work/absent.litmus"
    grep -q 'cannot read list' "$work/f/crashlit.svg" && grep -q 'cannot read' "$work/f/absent.svg"
    verdict $? "what cannot be read has a file that says so"
    # A test that an earlier run answered keeps its picture.
    "$CRASHLIT" check --format json "$1" >"$work/earlier.jsonl"
    leaves 1 check --resume "$work/earlier.jsonl" --format "svg=$work/f3/" "$1"
    diff "$work/f/lost.svg" "$work/f3/lost.svg"
    verdict $? "a test that is not run again keeps its picture"
    # Nothing is written over that the run reads or writes elsewhere, by whatever name.
    mkdir -p "$work/f4"
    cp "$1" "$work/f4/lost"
    cp "$1" "$work/f4/lost.svg"
    ln -sf f4 "$work/link"
    leaves 2 check --format "svg=$work/link/" --format "json=$work/f4/lost.svg.svg" "$work/f4/lost" "$work/f4/lost.svg"
    cmp -s "$1" "$work/f4/lost.svg"
    verdict $? "a picture is not written over a test"
    is "$(grep -c "cannot write '$work/link/lost.*svg', which is" "$work/err")" 2 "the number of pictures refused"
    is "$(grep -c '^{"schema"' "$work/f4/lost.svg.svg")" 2 "records in the file that a picture would have had"
    leaves 2 check --format "svg=$work/f/" --format "svg=$work/f/../f/" "$1"
    grep -q "which .*twice\|twice; give each report" "$work/err"
    verdict $? "a folder is not taken twice for one format"
    leaves 2 check --format "svg=$work/earlier.jsonl/" "$1"
}

# What explains a condition, drawn. The near misses are derived in tests/unit/test_near_miss.c.
notes() { # note, how many pictures have it, in the last svg
    is "$(grep -c ">$1<" "$work/out")" "$2" "the number of pictures with '$1'"
}
# How often the last svg says something, wherever its lines end.
said() {
    sed 's/<[^>]*>/ /g' "$work/out" | tr -s ' \n' '  ' | grep -o "$1" | wc -l
}
# But for those that are a text.
graphs() { # file
    echo $(($(grep -c '^digraph' "$1") - $(grep -c '^nothing ' "$1")))
}
explained() {
    {
        printf 'C sb\n{ x = 0; y = 0; }\nP0 (int* x, int* y) { *x = 1; int r = *y; }\n'
        printf 'P1 (int* x, int* y) { *y = 1; int r = *x; }\n'
        printf 'exists (0:r = 0 /\\ 1:r = 0)\nexists (0:r = 1)\nexists (0:r = 2)\n'
    } >"$work/p/sb.litmus"
    # The first: each read is from-read before the other store. The second is there, and the third is
    # of no candidate execution, which is a line of text.
    leaves 0 explain -m sc -p none --format svg "$work/p/sb.litmus"
    xmllint --noout "$work/out" 2>"$work/faults"
    verdict $? "pictures of explanations are well-formed"
    is "$(xpath "$work/out" "count(//*[@class = 'picture'])")" 2 "pictures of sb"
    notes "excluded by acyclic 'sequential-consistency'" 1
    notes 'satisfies exists (0:r=1)' 1
    is "$(said 'condition 3: no candidate execution has such a state, no execution to be drawn')" 1 \
        "lines about the third condition"
    leaves 0 explain -m sc -p none --condition 1 --format svg "$work/p/sb.litmus"
    holds "$work/out" "event=6" "event init=2" "edge po=2" "edge fr=2" "edge rf=2" "cut=0"
    # val0 is lost, key0 durable, and the barrier between them has executed: two marks, each between
    # the write of val0 and another event, in place of the two edges that say the same. The other
    # insert has not happened; its two edges stay.
    leaves 0 explain -m sc -p epoch --condition 1 --format svg litmus/spb/kv-insert.litmus
    cp "$work/out" "$work/near.svg"
    holds "$work/near.svg" "event=10" "event lost=1" "event unexecuted=3" "edge mark=2" \
        "edge persist-before=1" "edge durable-before=1" "cut=1"
    is "$(xpath "$work/near.svg" "count(//*[@class = 'halo'])")" 3 "marked events of the near miss"
    notes "excluded by persist-before: P0's W val0 before P0's W key0; also durable-before" 1
    # Beside text and beside JSON lines, the same pictures.
    leaves 0 explain -m sc -p epoch --condition 1 --format "svg=$work/beside.svg" \
        --format "dot=$work/beside.dot" litmus/spb/kv-insert.litmus
    is "$(grep -c '^Holds: no state satisfies it, because' "$work/out")" 1 "texts beside the pictures"
    cmp -s "$work/beside.svg" "$work/near.svg"
    verdict $? "svg=FILE has what svg prints"
    clean_dot "$work/beside.dot"
    verdict $? "Graphviz reads dot of a near miss without a word"
    is "$(grep -c 'class="edge mark"' "$work/beside.dot")" 2 "marks in dot"
    leaves 0 explain -m sc -p epoch --format json --format "dot=$work/beside.dot" \
        litmus/spb/kv-insert.litmus
    is "$(grep -c '^{"schema":1' "$work/out")" 4 "JSON lines beside the pictures"
    is "$(graphs "$work/beside.dot")" 4 "graphs of four conditions"
    # Another model pair has a picture of its own, and so has each condition; time that ran out is told.
    leaves 0 explain --format dot litmus/spb/kv-insert.litmus
    is "$(graphs "$work/out")" 40 "graphs of four conditions under ten pairs"
    clean_dot "$work/out"
    verdict $? "Graphviz reads dot of explanations without a word"
    leaves 3 explain -m sc -p epoch --timeout 0.000001 --format svg litmus/spb/kv-insert.litmus
    is "$(said 'condition [1-4]: the time limit ran out, no execution to be drawn')" 4 \
        "conditions without a picture for want of time"
    # fig4 races under HRF-direct: nothing of that is marked, as the explanation is of the test as if
    # it were defined, and that is said. The barrier has executed, and W Y, durable before it, is lost.
    leaves 0 explain -m hrf-direct -p epoch-individual --condition 2 --format svg litmus/spb/fig4.litmus
    holds "$work/out" "edge mark=1"
    notes "undefined; as if it were defined: excluded by durable-before: P0's W Y before P0's PB WG" 1
    # The chain as check draws it, but for the order of what is not on the chain; no state, no chain.
    leaves 0 explain --format svg "$work/r/lost.litmus"
    is "$(xpath "$work/out" "count(//*[@class = 'picture'])")" 3 "pictures of the chain"
    leaves 0 explain -m hrf-direct -p epoch --condition 1 --format svg litmus/recovery/undo-log.litmus
    is "$(xpath "$work/out" "count(//*[@class = 'picture'])")" 0 "pictures of what no recovery leaves"
    # What check draws of tests that are defined breaks nothing.
    for name in kv-insert kv-insert-bare def2 persist-2+2w btree-alg1-wi; do
        "$CRASHLIT" check -m sc -p epoch --format svg "litmus/spb/$name.litmus" >"$work/out"
        holds "$work/out" "edge mark=0"
        [ "$(classes "$work/out" "event")" -gt 0 ]
        verdict $? "there is a picture of $name"
    done
}

# ---- Tests side by side ------------------------------------------------------------------------
#
# bare: strict leaves key and val 00, 01, 11, epoch 10 as well; its name has what each format escapes.
# loop: not known. 3-race: undefined under both. The ninth file cannot be read.
valid_lines() { # file
    while read -r line; do
        printf '%s\n' "$line" >"$work/line.json"
        valid_sarif "$schemas/compare.schema.json" "$work/line.json" || return
    done <"$1"
}
compared() {
    printf 'OPENCL <b>&|x*\n{ nvm key = 0; nvm val = 0; }\nP0 { *val = 1; *key = 1; }\n' >"$work/bare.litmus"
    inputs="$work/bare.litmus $work/t/3-race.litmus $work/t/6-unknown.litmus"
    for format in json html svg md; do
        leaves 3 compare --models sc+strict,hrf-direct+strict,hrf-direct+epoch --format $format $inputs "$work/t/$strange"
        cp "$work/out" "$work/compared-$format"
    done
    is "$(wc -l <"$work/compared-json")" 10 "lines: two for each of four files, and two of totals"
    valid_lines "$work/compared-json"
    verdict $? "each line conforms to the schema"
    "$python" -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
more = [l for l in lines if l.get("test") == "<b>&|x*" and l["second"].endswith("epoch")][0]
print(more["class"], more["sides"][1]["states"][0]["smallest"], lines[-1]["direction"], lines[-1]["second-only"],
      lines[-1]["undefined-second"], lines[-1]["unknown"], lines[-1]["unread"], lines[-2]["direction"])' "$work/compared-json" >"$work/got"
    is "$(cat "$work/got")" "second-only {'key': 1, 'val': 0} unknown 1 1 1 1 unknown" "classes, state and totals"
    sed 's/"class":"[^"]*"/"class":"other"/' "$work/compared-json" >"$work/spoilt"
    refused "a class that is none" valid_lines "$work/spoilt"
    for format in html svg; do
        xmllint --noout "$work/compared-$format"
        verdict $? "$format of tests side by side is well-formed"
    done
    # The icon of the page is empty data, so that nobody asks for one.
    ! grep -q '<b>&' "$work/compared-html" && ! grep -v '^<link rel="icon" href="data:,"/>$' "$work/compared-html" | grep -qE 'src=|href=|<link|@import|url\('
    verdict $? "the page escapes names, and needs nothing else"
    is "$(xpath "$work/compared-html" "count(//*[@class = 'tests']/preceding::*[local-name() = 'article'])")" 2 "pairs whose direction stands above the table of verdicts"
    is "$(xpath "$work/compared-svg" "count(//*[@class = 'part']/*[@class = 'patch second-only'])")" 1 "bars of the second alone"
    is "$(xpath "$work/compared-svg" "count(//*[@class = 'part']/*[@class = 'patch unknown'])")" 2 "bars of what is not known"
    # Classes differ without colour: of the eight of the legend one is plain, and each of the others has lines of its own.
    is "$(xpath "$work/compared-svg" "count(//*[@class = 'legend']//*[@class = 'pattern'])")" 7 "patterns of the legend"
    $python tests/corpus/picture_facts.py patterns "$work/compared-svg" >"$work/got"
    is "$(sort -u "$work/got" | wc -l)" 8 "ways in which the classes are drawn, colours aside"
    $python tests/corpus/picture_facts.py contrast "$work/compared-svg" >"$work/got"
    is "$(wc -l <"$work/got")" 1 "lines about the bars, of which none is of a low contrast: $(head -2 "$work/got")"
    grep -qF '| &lt;b>&amp;\|x\* | ok 3 | ok 3 | **ok 4** |' "$work/compared-md"
    verdict $? "Markdown escapes what would end a cell"
    leaves 0 compare --layout slide --models sc+strict,sc+epoch --format "svg=$work/bars.svg" "$work/bare.litmus"
    $python tests/corpus/picture_facts.py slides "$work/bars.svg" >"$work/got"
    is "$(grep -c '[a-z]$' "$work/got"):$(wc -l <"$work/got")" 0:1 "slides of bars that are too small, of another shape or not whole"
    # Whoever reads a comment meets the verdict first.
    is "$(head -c 2 "$work/compared-md")" '**' "the beginning of Markdown"
}

# ---- Searches ------------------------------------------------------------------------------------
#
# A line of each kind in each command's output: units, tests, pairs of models, totals.
conforming() { # schema, file
    "$python" -W ignore -c '
import json, sys, jsonschema
schema = json.load(open(sys.argv[1])) # it may refer to files beside it
check = jsonschema.Draft7Validator(schema, resolver=jsonschema.RefResolver("file://" + sys.argv[1], schema))
lines = [json.loads(line) for line in open(sys.argv[2])]
sys.exit(not lines or any(not check.is_valid(line) for line in lines))' "$1" "$2" 2>/dev/null
}
searched() { # name, command
    name=$1
    shift
    "$CRASHLIT" "$@" >"$work/searched" 2>"$work/err"
    conforming "$schemas/$name.schema.json" "$work/searched"
    verdict $? "each line of \`$*\` conforms to the schema"
    grep -q '"unit"' "$work/searched" && tail -n 1 "$work/searched" | grep -q '"ended":true'
    verdict $? "there are units and an end"
    sed 's/"search":"[^"]*"/"search":"none"/' "$work/searched" >"$work/spoilt"
    refused "a digest that is none" conforming "$schemas/$name.schema.json" "$work/spoilt"
    sed 's/"ended":true/"ended":"yes"/' "$work/searched" >"$work/spoilt"
    refused "an end that is a word" conforming "$schemas/$name.schema.json" "$work/spoilt"
}
# What is built in: models, machines, the version.
lists() {
    for command in models "models -v gpm" machines "machines -v nvw-fifo" version; do
        # shellcheck disable=SC2086
        "$CRASHLIT" $command --format json >"$work/listed"
        conforming "$schemas/list.schema.json" "$work/listed"
        verdict $? "each line of \`$command\` conforms to the schema"
    done
    sed 's/"version":"/&v/' "$work/listed" >"$work/spoilt"
    refused "a version that is none" conforming "$schemas/list.schema.json" "$work/spoilt"
}
# What stands on standard error as data: a warning with its fix, an error with a place, one without a file, one of a
# model, a line about the run, in colours too. The fix is where the word stands: `vlaue` has 5 letters from column 27.
messages() {
    printf 'OPENCL m\n{ nvm value = 0; }\nP0 (global int* value) { *vlaue = 1; p_barrier_wi; }\ncrash ~exists (value=1)\n' >"$work/told.litmus"
    printf '"m"\nlet a = hbb\nacyclic po as p\n' >"$work/told.cat"
    {
        "$CRASHLIT" check --messages json --color always "$work/told.litmus" 2>&1 >"$work/out"
        "$CRASHLIT" check --messages json -m "$work/told.cat" litmus/spb/kv-insert.litmus 2>&1 >"$work/out"
        "$CRASHLIT" check --messages json "$work/none.litmus" 2>&1 >"$work/out"
        "$CRASHLIT" check --messages json --no-such 2>&1 >"$work/out"
        "$CRASHLIT" generate --messages json --shape "PodWW Rfe PodRR Fre" 2>&1 >"$work/out"
    } >"$work/messages"
    conforming "$schemas/message.schema.json" "$work/messages"
    verdict $? "each message conforms to the schema"
    grep -q '"line":3,"column":27,.*"fix":{"file":"[^"]*","line":3,"column":27,"end_line":3,"end_column":32,"found":"vlaue","text":"value"}' "$work/messages"
    verdict $? "a near name is a fix, with its place"
    [ "$(grep -c '"id":null' "$work/messages")" -gt 0 ]
    verdict $? "a summary is a message without an id"
    sed 's/"severity":"/&v/' "$work/messages" >"$work/spoilt"
    refused "a severity that is none" conforming "$schemas/message.schema.json" "$work/spoilt"
}
# The record of check, too: of ten cases, of recovery with chains, by every engine, decided, of a property, of 2^13 states (13 stores
# that nothing orders), which are a product, and of what is held against a source.
records() {
    schema=$schemas/check.schema.json
    conforming "$schema" "$work/report.json"
    verdict $? "each record of ten cases conforms to the schema"
    awk 'BEGIN { for (i = 0; i < 13; i++) { nvm = nvm " nvm x" i " = 0;"; code = code " *x" i " = 1;" }
        print "OPENCL wide\n{" nvm " }\nP0 {" code " }\ncrash ~exists (x0 = 1 /\\ x1 = 0)" }' >"$work/p/wide.litmus"
    leaves 1 check --engine all --format json "$work/r" "$work/t/2-violated.litmus"
    conforming "$schema" "$work/out"
    verdict $? "records by every engine conform"
    leaves 1 check --format json -p epoch "$work/p/wide.litmus"
    out_has '"crash_states":{"count":8192,'
    conforming "$schema" "$work/out"
    verdict $? "a record of a product conforms"
    leaves 1 check --decide --format json "$work/p/wide.litmus" "$work/r/lost.litmus"
    conforming "$schema" "$work/out"
    verdict $? "decided records conform"
    leaves 1 check --property idempotent-recovery --format json "$work/r/lost.litmus"
    conforming "$schema" "$work/out"
    verdict $? "a record of a property conforms"
    leaves 0 check --warn-wide -m hrf-direct -p epoch --format json litmus/spb/kv-insert.litmus
    conforming "$schema" "$work/out"
    verdict $? "a record of what is wider than needed conforms"
    leaves 0 check --certify "$work/p/certified" --format json litmus/spb/kv-insert.litmus
    conforming "$schema" "$work/out" && out_has '"certificate":{"complete":true,"leaves":'
    verdict $? "a record of what has a certificate conforms"
    "$CRASHLIT" refines --under hrf-direct+strict --under hrf-direct+epoch --format json "$work/p/lost.litmus" "$work/p/lost.litmus" | head -1 >"$work/out"
    out_has '"refines":{'
    conforming "$schema" "$work/out"
    verdict $? "a record of a refinement conforms"
    for change in '/"test":"lost"/s/"crash":"[a-z]*",//' 's/"verdict":"[a-z]*"/"verdict":"fine"/' 's/"flags":/"colours":/' 's/"peak_kib":[0-9]*/"peak_kib":-1/' \
        's/"test_digest":"[0-9a-f]*"/"test_digest":"0"/' 's/"crash_states":/"crash_state":/'; do
        "$CRASHLIT" check --format json "$work/r/lost.litmus" | sed "$change" >"$work/spoilt"
        refused "a record changed by $change" conforming "$schema" "$work/spoilt"
    done
}
# The difference of two runs, too: of three tests one is worse, one is gone and one is new.
differing() {
    "$CRASHLIT" check --format json -m hrf-direct -p epoch litmus/spb/kv-insert.litmus litmus/spb/fig4-r2.litmus litmus/spb/fig4-r3.litmus >"$work/three.jsonl"
    sed '2d' "$work/three.jsonl" >"$work/old.jsonl"
    sed '3d; 1s/"verdict":"ok"/"verdict":"violated"/g' "$work/three.jsonl" >"$work/new.jsonl"
    leaves 1 diff --format json "$work/old.jsonl" "$work/new.jsonl"
    out_lines '"fate":"regressed","file":"litmus/spb/kv-insert.litmus",.*"verdict":"violated","expected":"ok","was":"ok","was_expected":"ok","details":\["' 1
    out_lines '^{"schema":1,"same":0,"changed":0,"mended":0,"regressed":1,"gone":1,"new":1,' 1
    conforming "$schemas/diff.schema.json" "$work/out"
    verdict $? "each line of a difference conforms"
    sed 's/"fate":"gone"/"fate":"lost"/' "$work/out" >"$work/spoilt"
    refused "a fate that is none" conforming "$schemas/diff.schema.json" "$work/spoilt"
    leaves 1 diff --format junit "$work/old.jsonl" "$work/new.jsonl"
    valid_junit "$schemas/junit.xsd" "$work/out"
    verdict $? "a difference as JUnit conforms"
}
# Executions as data. In lost, under epoch, nothing stands between the two writes of line 3, behind 41 and 49 characters: y = 1 is
# lost while x = 1 is durable, and nothing orders them. In mp, under sc, P1 reads what P0 wrote, the flag by sc of the device. The two
# accesses of the race are what breaks its check, and the state of that test has them, too. kv-insert has a barrier on line 6
# between the writes of lines 5 and 7: what nearly comes to the state has the former lost, behind the barrier that waits for it.
executions() {
    leaves 1 check --crash anywhere -p epoch --format json --executions data "$work/p/lost.litmus"
    cp "$work/out" "$work/executions.jsonl"
    leaves 0 check -m sc -p none --format json --executions pictures "$work/p/mp.litmus"
    cat "$work/out" >>"$work/executions.jsonl"
    leaves 1 check --format json --executions data "$work/t/3-race.litmus"
    cat "$work/out" >>"$work/executions.jsonl"
    leaves 0 explain -m hrf-direct -p epoch --condition 1 --format json --executions data litmus/spb/kv-insert.litmus
    cp "$work/out" "$work/near.jsonl"
    leaves 0 explain -m hrf-direct -p epoch --format json litmus/spb/kv-insert-bare.litmus
    cat "$work/out" >>"$work/near.jsonl"
    "$python" tests/corpus/formats_executions.py "$work/executions.jsonl" "$work/near.jsonl"
    verdict $? "executions are as they are derived"
    leaves 0 check --executions data --format json litmus/recovery litmus/transactions
    conforming "$schemas/check.schema.json" "$work/out"
    verdict $? "records with executions conform"
    "$CRASHLIT" explain -m sc -p epoch --format json --executions pictures litmus/spb/btree-alg*.litmus litmus/recovery/r*.litmus >"$work/out" 2>"$work/err"
    conforming "$schemas/explain.schema.json" "$work/out"
    verdict $? "explanations with executions conform"
    "$CRASHLIT" explain --cases --format json litmus/spb/fig4-*.litmus litmus/recovery/undo-log.litmus litmus/spb/await-stuck.litmus litmus/ptx/mp*.litmus >"$work/cases.jsonl" 2>"$work/err"
    conforming "$schemas/cases.schema.json" "$work/cases.jsonl"
    verdict $? "trees of cases conform"
    for change in 's/"ends":"nothing-new"/"ends":"nothing"/' 's/"way":"<"/"way":"="/' 's/"choose":"source",/&"way":"<",/'; do
        sed "$change" "$work/cases.jsonl" >"$work/spoilt"
        refused "a tree changed by $change" conforming "$schemas/cases.schema.json" "$work/spoilt"
    done
    for change in 's/"fate":"lost"/"fate":"gone"/' 's/"relations":{/"relation":{/' 's/"kind":"crash","condition":0/"kind":"crashed","condition":0/'; do
        sed "$change" "$work/executions.jsonl" >"$work/spoilt"
        refused "a record changed by $change" conforming "$schemas/check.schema.json" "$work/spoilt"
    done
    leaves 1 check --crash anywhere -p epoch --format json --format "html=$work/beside.html" "$work/p/lost.litmus"
    out_lines '"executions"' 0
    leaves 2 check --executions data "$work/p/lost.litmus"
    grep -q -- '--executions is for records: add --format json' "$work/err"
    verdict $? "executions without records are refused"
}
searches() {
    searched distinguish distinguish --all --format json --bound events=2,barriers=1 epoch buffered-epoch
    searched distinguish distinguish --format json --map spb-gpm sc+epoch sc+gpm
    searched lattice lattice --format json --bound events=2,barriers=1 epoch strict none
    printf 'wait() { __fence{wait}; }\ntwice() { wait(); wait(); }\n' >"$work/own.def"
    searched lattice lattice --format json --uses "$work/own.def" --bound events=2,barriers=1 strict none
    searched distinguish distinguish --format json --uses "$work/own.def" --bound events=2,barriers=1 strict none
    searched generate generate --format json --comprehensive sc+strict --bound events=2,barriers=0
}

# ---- What place answers ----------------------------------------------------------------------------
#
# open: two writes and a barrier between them that may be left out, of a scope: of a work-item it is needed, and
# enough (semantics.md). Below it there is one step, without the barrier, which lets x = 0, y = 1 in. Its text has what markup
# escapes, and a byte that is no UTF-8. Its line 5 becomes another one: a line is gone and one is added.
# clash: the same, and the state that is forbidden is asked for, too: each is met alone.
# race: two writes of two work-groups, without an order.
count_place() { xpath "$work/place.plain" "count($1)"; }
placed() { # what, options, wanted status
    timeout 120 "$CRASHLIT" place -m hrf-direct -p epoch $2 "$work/place/$1.litmus" >"$work/place.$1" 2>"$work/err"
    is $? "$3" "the status of crashlit place $2 $1"
    sed 's/ xmlns="[^"]*"//' "$work/place.$1" >"$work/place.plain"
}
place_pages() {
    mkdir -p "$work/place"
    printf 'OPENCL <b>open&\n"<script>]]> \001\377"\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; // <i>&\n  ?s{ p_barrier(?t in {wi, wg}); }\n  *y = 1; }\ncrash ~exists (y = 1 /\\ x = 0)\n' >"$work/place/open.litmus"
    sed '$a crash exists (y = 1 /\\ x = 0)' "$work/place/open.litmus" >"$work/place/clash.litmus"
    printf 'OPENCL race\n{ x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\nP1@wg 1 (global int* x) { *x = 2; }\nexists (x = 1)\n' >"$work/place/race.litmus"
    placed open "--format html" 0
    xmllint --noout "$work/place.open"
    verdict $? "the page is well-formed"
    is "$(count_place '//details[@class="pair"]')" 1 "fillings"
    is "$(count_place '//li[@class="gone"]/del')" 1 "lines that are gone"
    is "$(xpath "$work/place.plain" 'string(//li[@class="added"]/ins/code)')" "  p_barrier(wi_scope);" "the line that is added"
    is "$(count_place '//ol[@class="source"]/li[@value]')" 7 "lines of the program"
    is "$(count_place '//ul[@class="choices"]/li')" 2 "choices"
    is "$(count_place '//ul[@class="steps"]/li')" 1 "steps below"
    is "$(count_place '//ul[@class="steps"]//figure/*[local-name()="svg"]')" 1 "pictures of steps"
    is "$(xpath "$work/place.plain" 'string(//ul[@class="steps"]//summary/code)')" "x=0; y=1" "the state of the picture"
    is "$(count_place '//a[starts-with(@href, "#")][not(substring(@href, 2) = //@id)]')" 0 "links that lead nowhere"
    is "$(count_place '//*[local-name()="script" or local-name()="b" or local-name()="i"]')" 0 "elements out of a test's text"
    ! sed 's/xmlns="[^"]*"//' "$work/place.open" | grep -qE 'https?:|src=|@import|url\('
    verdict $? "the page refers to nothing outside of it"
    iconv -f UTF-8 -t UTF-8 "$work/place.open" >/dev/null
    verdict $? "the page is UTF-8"
    placed clash "--format html" 1
    is "$(count_place '//div[@class="fault"]')" 2 "conditions that stand against each other"
    # What asks for a state that nothing comes to has no picture.
    is "$(count_place '//div[@class="fault"]//figure')" 1 "pictures of them"
    placed race "--narrow --format html" 1
    is "$(count_place '//div[@class="fault"]//figure//*[local-name()="g"][starts-with(@class, "edge mark")]')" 1 "races marked in a test that does not hold"
    placed open "--format svg" 0
    xmllint --noout "$work/place.open" && [ "$(xpath "$work/place.open" "count(//*[@class = 'picture'])")" -eq 1 ]
    verdict $? "svg has the picture of the step"
    is "$(xpath "$work/place.open" "count(//*[local-name()='g'][@class = 'event lost'])")" 1 "writes that are lost in it"
    placed open "--format dot" 0
    dot -Tplain "$work/place.open" >"$work/got" 2>"$work/faults" && [ "$(grep -c '^digraph' "$work/place.open")" -ge 1 ] && [ ! -s "$work/faults" ]
    verdict $? "dot reads the graphs"
    # The record, of an answer, of a conflict and of a test that does not hold as it stands.
    placed open "--cheapest --format json -o $work/place/whole" 0
    valid_sarif "$schemas/place.schema.json" "$work/place.open"
    verdict $? "the record of an answer conforms"
    sed 's/"reason":"violated"/"reason":"broken"/' "$work/place.open" >"$work/spoilt"
    refused "a reason that is none" valid_sarif "$schemas/place.schema.json" "$work/spoilt"
    placed clash "--format json" 1
    placed race "--narrow --format json" 1
    for name in clash race; do
        valid_sarif "$schemas/place.schema.json" "$work/place.$name"
        verdict $? "the record of $name conforms"
    done
    # Nothing could be read: the documents are whole, and say so.
    printf 'OPENCL broken\n{ nvm x = ; }\n' >"$work/place/broken.litmus"
    for format in html svg; do
        placed broken "--format $format" 2
        xmllint --noout "$work/place.broken" && grep -q 'no answer' "$work/place.broken"
        verdict $? "$format without an answer is a document that says so"
    done
}
# What explain says of the program's text stands in its documents. Nothing stands between the two writes: a barrier of a
# work-item between them makes every condition hold, and of such an insert with one that is what keeps the state out of
# reach (semantics.md). The page has an explanation for each condition, 1 and 4, and expects nothing.
told_of_text() {
    for format in html svg dot; do
        leaves 0 explain -m hrf-direct -p epoch --format $format litmus/spb/kv-insert-bare.litmus
        sed -i 's,</*strong>,,g' "$work/out"
        out_has 'line 6: p_barrier_wi is added'
        leaves 0 explain -m hrf-direct -p epoch --condition 1 --format $format litmus/spb/kv-insert.litmus
        sed -i 's,</*strong>,,g' "$work/out"
        out_has 'line 6: p_barrier_wi; without it the state is reached: key0=1, val0=0'
    done
    leaves 0 explain -m hrf-direct -p epoch --format json --format "html=$work/told.html" \
        litmus/spb/kv-insert-bare.litmus litmus/spb/kv-insert.litmus
    out_lines '"number":' 5
    xmllint --noout "$work/told.html"
    verdict $? "the page is well-formed"
    sed 's/ xmlns="[^"]*"//' "$work/told.html" >"$work/told.plain"
    is "$(xpath "$work/told.plain" 'count(//details[@class="pair"])')" 5 "conditions of the page"
    is "$(xpath "$work/told.plain" 'string(//div[@class="advice"]//li[@class="added"]/ins/code)')" "  p_barrier_wi;" "the line that is added"
    is "$(xpath "$work/told.plain" 'count(//del)')" 0 "lines that go"
    is "$(xpath "$work/told.plain" 'count(//div[@class="explained"]//figure)')" 5 "pictures"
    is "$(xpath "$work/told.plain" 'string(//p[@class="counts"]/strong[1])')" 5 "explanations counted"
    is "$(grep -c 'as expected' "$work/told.html")" 0 "words of expectation"
    [ -z "$browser" ] || for width in 390 1300; do
        open_page "file://$work/told.html" --screenshot="$work/told-$width.png" --window-size=$width,1200 >/dev/null
        [ "$(wc -c <"$work/told-$width.png" 2>/dev/null || echo 0)" -gt 20000 ] && ! grep CONSOLE "$work/console"
        verdict $? "the browser draws what explain tells, $width pixels wide (there is $work/told-$width.png)"
    done
}
# SARIF of it: what is violated, with its steps (P0 writes val, then key, which becomes durable; a crash) and its fix; what
# holds, with the lines that its reasons are about.
explained_in_sarif() {
    leaves 0 explain -m hrf-direct -p epoch --format text --format "sarif=$work/why.sarif" \
        litmus/spb/kv-insert-bare.litmus litmus/spb/kv-insert.litmus "$work/r/lost.litmus"
    for schema in "$schemas/sarif.schema.json" ${SARIF_SCHEMA:+"$SARIF_SCHEMA"}; do
        valid_sarif "$schema" "$work/why.sarif"
        verdict $? "SARIF of explain conforms to $schema"
    done
    "$python" - "$work/why.sarif" <<'END'
import json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
def steps(result):
    flow = [at["location"] for at in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    return [(at.get("physicalLocation", {}).get("region", {}).get("startLine"), at["message"]["text"]) for at in flow]
bare, first = results[0], results[1]
assert (bare["ruleId"], bare["kind"], bare["level"]) == ("condition-violated", "fail", "error")
assert steps(bare) == [(5, "W val = 42"), (6, "W key = 1"), (6, "W key becomes durable"), (None, "crash: power fails here")], steps(bare)
assert bare["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"].strip() == "p_barrier_wi;"
assert (first["kind"], first["level"]) == ("pass", "none") and "codeFlows" not in first
assert {at["physicalLocation"]["region"]["startLine"] for at in first["relatedLocations"]} == {5, 6}, first["relatedLocations"]
END
    verdict $? "SARIF of explain has the steps, the lines that keep a state out of reach, and the fix"
    # Of a property the fault: the accesses that race, in the source of the kernel; or the barrier, in its PTX.
    leaves 0 explain --condition 1 --format json --format "sarif=$work/why.sarif" litmus/cuda/faults-block.litmus litmus/cuda/part-asked.litmus
    conforming "$schemas/explain.schema.json" "$work/out" && valid_sarif "$schemas/sarif.schema.json" "$work/why.sarif"
    verdict $? "what explain says of a property conforms"
    "$python" - "$work/why.sarif" "$work/out" <<'END'
import json, sys
results = json.load(open(sys.argv[1]))["runs"][0]["results"]
records = [json.loads(line) for line in open(sys.argv[2])]
def place(at):
    physical = at.get("physicalLocation", {})
    return physical.get("artifactLocation", {}).get("uri"), physical.get("region", {}).get("startLine")
def steps(result):
    return [place(at["location"]) for at in result["codeFlows"][0]["threadFlows"][0]["locations"]]
race, barrier = results
assert race["level"] == "error" and place(race["locations"][0]) == ("litmus/cuda/flag.cu", 20), race
assert steps(race) == [("litmus/cuda/flag.cu", 20), ("litmus/cuda/flag.cu", 27)], race
assert place(barrier["locations"][0]) == ("litmus/cuda/hand/moves.ptx", 68), barrier
assert [(one["reachable"], one["faults"][0]["kind"]) for one in records] == [(True, "race"), (True, "barrier-divergence")]
assert [at["source"]["line"] for at in records[0]["faults"][0]["events"]] == [20, 27]
END
    verdict $? "JSON and SARIF of explain have the faults of a property, with their places"
}
place_in_browser() {
    [ -n "$browser" ] || return
    timeout 120 "$CRASHLIT" place -m hrf-direct -p epoch --format html "$work/place/open.litmus" >"$work/place.html"
    for width in 390 1300; do
        open_page "file://$work/place.html" --screenshot="$work/place-$width.png" --window-size=$width,1200 >/dev/null
        [ "$(wc -c <"$work/place-$width.png" 2>/dev/null || echo 0)" -gt 20000 ] && ! grep CONSOLE "$work/console"
        verdict $? "the browser draws the answer of place, $width pixels wide (there is $work/place-$width.png)"
    done
}

# Runs of machines: the record, the page that plays it, and the picture. The title of the test is markup, which is text in each.
runs_of_machines() {
    cat >"$work/recovers.litmus" <<'END'
OPENCL recovers
"</script><img src=x onerror=document.title=1><!--"
{ nvm x = 0; nvm y = 0; }
P0 (global int* x) { *x = 1; }
recovery
P0 (global int* x, global int* y) { if (*x) *y = 1; }
crash exists (x = 1)
END
    leaves 0 trace --machine ideal-sc --format json --format "html=$work/run.html" --format "svg=$work/run.svg" "$work/recovers.litmus" litmus/spb/def1-other-wi.litmus
    cp "$work/out" "$work/run.jsonl"
    # As slides each picture is 1280 pixels wide and 720 high.
    leaves 0 trace --machine ideal-sc --layout slide --format svg "$work/recovers.litmus" litmus/spb/def1-other-wi.litmus
    is "$(grep -c '<svg .*class="picture run" width="1280" height="720"' "$work/out")" "$(grep -c 'class="picture run"' "$work/run.svg")" "slides of runs"
    # What recovery leaves: of a crash with x = 1, and of no other, y = 1.
    sed 's/^crash .*/recovered exists (y = 1)/' "$work/recovers.litmus" >"$work/recovered.litmus"
    leaves 0 trace --machine ideal-sc --format json "$work/recovered.litmus"
    is "$(grep -c '"shows":"recovered"' "$work/out")" 1 "the run of a condition on what recovery leaves"
    cat "$work/out" >>"$work/run.jsonl"
    "$python" - "$schemas/trace.schema.json" "$work/run.jsonl" <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
lines = [json.loads(line) for line in open(sys.argv[2])]
for line in lines:
    jsonschema.validate(line, schema)
assert len(lines) == 3 and len(lines[0]["recoveries"]) == 2
bad = json.loads(json.dumps(lines[0]))
del bad["steps"][0]["parts"]
try:
    jsonschema.validate(bad, schema)
    sys.exit("a step without parts conforms")
except jsonschema.ValidationError:
    pass
END
    verdict $? "runs conform to their schema, and a spoilt one does not"
    xmllint --noout "$work/run.html" "$work/run.svg"
    verdict $? "page and picture are well-formed"
    # One row of text for each step and the start, and boxes where something changes: three steps, 2 words and a queue at first.
    is "$(grep -c 'power fails here, and leaves: x=1; y=0' "$work/run.svg")" 1 "the end of the run drawn"
    is "$(grep -c '<img src=x' "$work/run.html" "$work/run.svg" | cut -d: -f2 | sort -u)" 0 "markup of a title"
    # P0 and P1 write x, and nothing orders them: a race, which only hrf-direct calls undefined.
    printf 'OPENCL race\n{ nvm x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\nP1@wg 1 (global int* x) { *x = 2; }\ncrash ~exists (x = 1)\n' >"$work/race.litmus"
    leaves 1 check --format cuts -m hrf-direct -p epoch "$work/race.litmus"
    is "$(grep -c '"undefined":true,"events"' "$work/out")" "$(wc -l <"$work/out")" "executions of a race are marked"
    leaves 1 check --format cuts -m sc -p epoch "$work/race.litmus"
    is "$(grep -c '"undefined"' "$work/out")" 0 "executions under a model without races are marked"
    # The slider: two unordered stores leave 1, 2 and 4 states as they execute (tests/unit/test_cuts.c).
    leaves 0 check --format cuts -m hrf-direct -p epoch litmus/spb/kv-insert-bare.litmus "$work/recovers.litmus"
    cp "$work/out" "$work/cuts.jsonl"
    "$python" - "$schemas/cuts.schema.json" "$work/cuts.jsonl" <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
lines = [json.loads(line) for line in open(sys.argv[2])]
for line in lines:
    jsonschema.validate(line, schema)
    assert [cut["place"] for cut in line["cuts"]] == [at for at, place in enumerate(line["places"]) for _ in range(place["count"])]
    for number, cut in enumerate(line["cuts"]):
        for switch in cut["switches"]:
            other = line["cuts"][switch["cut"]]
            assert other["place"] == cut["place"] and (switch["event"] in other["durable"]) != (switch["event"] in cut["durable"])
assert [place["count"] for place in lines[0]["places"]] == [1, 2, 4]
assert any(len(line.get("recoveries", [])) == 2 for line in lines)
del lines[0]["cuts"][0]["state"]
try:
    jsonschema.validate(lines[0], schema)
    sys.exit("a cut without a state conforms")
except jsonschema.ValidationError:
    pass
END
    verdict $? "cuts conform to their schema, switches lead where they say, and a spoilt one does not"
    [ -n "$browser" ] || return
    # What breaks ~exists (key=1 /\ val=0) of kv-insert-bare is that state.
    open_page "file://$work/told.html" --dump-dom >"$work/told.dom"
    grep -q 'Memory holds: key=1; val=0<' "$work/told.dom" && grep -q 'role="switch"' "$work/told.dom"
    verdict $? "the page of explain has the slider, at the crash that explains"
    for width in 390 1280; do
        open_page "file://$work/run.html" --screenshot="$work/run-$width.png" --window-size=$width,900 >/dev/null
        [ "$(wc -c <"$work/run-$width.png" 2>/dev/null || echo 0)" -gt 20000 ] && ! grep CONSOLE "$work/console"
        verdict $? "the browser draws a run, $width pixels wide (there is $work/run-$width.png)"
    done
    open_page "file://$work/run.html" --dump-dom >"$work/run.dom"
    grep -q 'step 0 of 2' "$work/run.dom" && grep -q 'If power fails here: x=0; y=0' "$work/run.dom" && grep -q '<title>crashlit: machines' "$work/run.dom"
    verdict $? "the script plays it, and a title with markup is text"
}

sh tools/deps.sh --need check || exit 1
write_tests
run_all
junit
tap
sarif
sarif_rules
markdown
html
in_browser
page_of_many
parts_of_many
bounds_of_many
what_else_fails
disagreeing
several
command_lines
odd_runs
recovery
reasons
on_paper
pictures
titles
folders
explained
explained_in_sarif
slides
many
compared
lists
messages
records
differing
executions
searches
place_pages
place_in_browser
told_of_text
runs_of_machines
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
