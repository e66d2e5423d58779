#!/bin/sh
# headers.sh HEADER...: each header compiles as the only line of a program.
set -u
passed=0 failed=0
for header in "$@"; do
    # The declaration keeps a header of macros from leaving an empty program.
    if printf '#include "%s"\nextern int headers_check;\n' "${header#src/}" |
        $COMPILE -I. -Itests/unit -fsyntax-only -x c -; then
        passed=$((passed + 1))
    else
        echo "$header does not compile alone"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
