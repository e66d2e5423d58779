#!/bin/sh
# test.sh SHARE: the playground's step: the WebAssembly command against the native one on every SHARE-th test of
# litmus/, the npm package, and the page in a browser. Skipped, with the reason, where it cannot be built.
#
# From the Makefile: RUN_MAKE, CRASHLIT, WEB (what is built), SHOTS (a folder for screenshots; may be unset).
set -u
skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed"
    exit 0
}
missing=$(sh tools/deps.sh --missing web)
[ -z "$missing" ] || skip "not there: $missing (make web-deps installs them)"
# Packages and jansson's source are elsewhere, which not every machine reaches: without them there is nothing to test.
mkdir -p "$WEB"
$RUN_MAKE web-packages >"$WEB/packages.log" 2>&1 || skip "npm's packages or jansson's source cannot be had ($WEB/packages.log)"
$RUN_MAKE web web-npm || {
    echo "0 passed, 1 failed"
    exit 1
}
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-headless-shell)}
{
    node web/tests/answers.mjs "$CRASHLIT" "$WEB/site/crashlit.js" litmus "$1"
    node "$WEB/tests/npm.mjs" "$CRASHLIT" "$WEB"/crashlit-[0-9]*.tgz .
    node "$WEB/tests/browser.mjs" "$WEB/site" "$chromium" ${SHOTS:+"$SHOTS"}
} >"$WEB/test.log" 2>&1
grep -v '^[0-9]* passed, [0-9]* failed$' "$WEB/test.log"
# Three ends, or one of them did not come to its own.
awk '/^[0-9]+ passed, [0-9]+ failed$/ { good += $1; bad += $3; ends++ }
     END { if (ends != 3) bad++; print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 }' "$WEB/test.log"
