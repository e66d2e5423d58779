#!/bin/sh
# man-options.sh PROGRAM: fills each line `@OPTION NAME@` of a manual page (standard input) with what the
# program's help says of that option: its shape, meaning, range, default, and the commands that take it.
# A name that the program does not have, or one that the page lacks, is an error.
set -u
program=$1
exec 3<&0
for command in $("$program" help --words); do
    echo "@$command"
    "$program" help "$command" || exit 1
done | awk '
    # What was read of one option of a command; rows that say the same are one.
    function take(    name, letter, argument, i) {
        if (shape == "") return
        match(shape, /--[a-z-]+/)
        name = substr(shape, RSTART + 2, RLENGTH - 2)
        letter = RSTART > 1 ? "\\fB" substr(shape, 1, 2) "\\fR, " : ""
        argument = substr(shape, RSTART + RLENGTH)
        gsub(/[^][|= ]+/, "\\fI&\\fR", argument)
        gsub(/[|]/, "|\\:", argument) # a line may end there
        shape = letter "\\fB--" name "\\fR" argument
        for (i = 1; i <= count[name]; i++)
            if (shapes[name, i] == shape && meanings[name, i] == meaning) break
        if (i > count[name]) count[name] = i
        missing[name] = 1
        shapes[name, i] = shape
        meanings[name, i] = meaning
        takers[name, i] = takers[name, i] (numbers[name, i]++ ? ", " : "") "\\fB" command "\\fR"
        shape = ""
    }
    function place(name,    i, text, whose) {
        if (!(name in count)) { print "man-options: there is no --" name >"/dev/stderr"; failed = 1 }
        for (i = 1; i <= count[name]; i++) {
            whose = numbers[name, i] == commands ? "every command" : takers[name, i]
            text = shapes[name, i] "\n" toupper(substr(meanings[name, i], 1, 1)) substr(meanings[name, i], 2)
            gsub(/-/, "\\-", text)
            printf ".TP\n%s.\nOf %s.\n", text, whose
        }
        delete missing[name]
    }
    FILENAME == "-" && /^@/ { take(); command = substr($0, 2); commands++; next }
    FILENAME == "-" && /^  -/ {
        take()
        shape = meaning = substr($0, 3)
        sub(/  .*/, "", shape)
        meaning = substr(meaning, length(shape) + 1)
        sub(/^ */, "", meaning)
        next
    }
    FILENAME == "-" && /^      / { sub(/^ */, ""); meaning = meaning (meaning == "" ? "" : " ") $0; next }
    FILENAME == "-" { take(); next }
    /^@OPTION .*@$/ { place(substr($2, 1, length($2) - 1)); next }
    { print }
    END {
        for (name in missing) { print "man-options: the page lacks --" name >"/dev/stderr"; failed = 1 }
        exit failed
    }' - /dev/fd/3
