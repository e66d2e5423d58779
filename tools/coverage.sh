#!/bin/sh
# coverage.sh FOLDER: lines run of each file, from the counts a MODE=coverage run left.
set -u
cd "$1" && mkdir -p gcov && cd gcov || exit 1
# The generated parsers hold tables of bison and flex, not lines of ours.
find .. -name '*.gcda' -not -path '*/gen/*' -not -path '*/tests/*' -exec gcov -n {} + 2>/dev/null |
    awk '/^File / { file = $2; gsub(/\047/, "", file) }
         /^Lines executed:/ && file ~ /^src\// && file ~ /\.c$/ {
             split($0, part, /[:% ]+/)
             share = part[3]; of = part[5]
             printf "%7.2f %% of %5d  %s\n", share, of, file
             lines += of; run += share * of / 100
             file = ""
         }
         END { if (lines) printf "%7.2f %% of %5d  all\n", 100 * run / lines, lines }' | sort -n
