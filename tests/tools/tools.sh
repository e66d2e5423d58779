#!/bin/sh
# tools.sh: tools/check.sh held to what it says of steps, on steps made up for it; and the programs that
# scripts find held to what machines have; and tools/deps.sh, on machines made up for it.
set -u
mkdir -p "$WORK/tools"
work=$(cd "$WORK/tools" && pwd)
. tests/corpus/cases.sh
unset STEP_SECONDS

# A step that never ends has children that take no notice of TERM, in a process group, a session and
# a nested run of steps.
cat >"$work/steps" <<'END_OF_STEPS'
stubborn() {
    timeout 1000 sh -c 'trap "" HUP INT TERM; echo $$ >>"$1"; while :; do sleep 1; done' sh "$ENDLESS" &
    setsid sh -c 'trap "" HUP INT TERM; echo $$ >>"$1"; while :; do sleep 1; done' sh "$ENDLESS" &
    until [ "$(grep -c . "$ENDLESS")" -ge 2 ]; do sleep 0.05; done
}
case $1 in
good) echo "2 passed, 0 failed" ;;
bad) echo "3 passed, 1 failed" && exit 1 ;;
silent) ;;
status) echo "2 passed, 0 failed" && exit 5 ;;
none) echo "0 passed, 0 failed" ;;
skipped) echo "skipped: no moon" && echo "0 passed, 0 failed" ;;
endless) stubborn && echo "7 passed, 0 failed" && wait ;;
nested) STEP_SECONDS=900 LOGS=$LOGS/nested sh tools/check.sh endless ;;
leaves) stubborn && echo "2 passed, 0 failed" ;;
lane) stubborn && kill -KILL "$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$PPID/status")" && wait ;;
here) : >"$MET/here" && until [ -e "$MET/there" ]; do sleep 0.05; done && echo "1 passed, 0 failed" ;;
there) : >"$MET/there" && until [ -e "$MET/here" ]; do sleep 0.05; done && echo "1 passed, 0 failed" ;;
esac
END_OF_STEPS
lines_of_steps() {
    awk '/^---- / { shown = 1 } !shown { gsub(/ +/, " "); sub(/, [0-9]+s, [0-9]+s of a processor/, ""); print } /^----$/ { shown = 0 }' \
        "$work/out"
}
# Runs steps and holds the lines that check.sh prints of them, times aside, against the wanted ones.
steps() { # wanted lines, steps
    : >"$work/endless"
    printf '%s\n' "$1" >"$work/wanted"
    shift
    ENDLESS=$work/endless RUN_MAKE="sh $work/steps" LOGS=$work/logs timeout 120 sh tools/check.sh "$@" >"$work/out" 2>&1
    status=$?
    lines_of_steps | diff "$work/wanted" -
    verdict $? "check.sh says what it should of the steps $*"
    [ "$status" -eq "$(grep -c '^[0-9]* passed, [1-9]' "$work/wanted")" ]
    verdict $? "its status tells of failures (it was $status)"
    [ "$(cat "$work/logs/summary")" = "$(tail -n 1 "$work/wanted")" ]
    verdict $? "so does its summary"
}
all_ended() { # how many
    [ "$(grep -c . "$work/endless")" -eq "$1" ]
    verdict $? "$1 processes were there that nothing but KILL ends"
    ended=0
    while read -r process; do [ ! -e "/proc/$process/exe" ] || ended=1; done <"$work/endless"
    verdict $ended "none of them is there any more"
}

steps 'good 2 passed, 0 failed
2 passed, 0 failed' good
steps 'good 2 passed, 0 failed
bad 3 passed, 1 failed
5 passed, 1 failed' good good bad good
steps 'good 2 passed, 0 failed
bad 3 passed, 1 failed
silent 0 passed, 1 failed (no result line)
status 2 passed, 1 failed (status 5)
none 0 passed, 1 failed (nothing ran)
skipped 0 passed, 0 failed (skipped: no moon)
7 passed, 4 failed' good bad silent status none skipped
# Those behind `--` run at once, in lanes that take what is left: the first of the two that wait for each other is
# not at its end before the other has begun. An order of lines among them there is not.
at_once() { # wanted lines, steps
    wanted=$1
    shift
    rm -rf "$work/met"
    mkdir "$work/met"
    MET=$work/met STEPS_AT_ONCE=2 RUN_MAKE="sh $work/steps" LOGS=$work/logs timeout 120 sh tools/check.sh "$@" >"$work/out" 2>&1
    status=$?
    lines_of_steps | sort >"$work/got"
    printf '%s\n' "$wanted" | sort | diff - "$work/got"
    verdict $? "check.sh says what it should of the steps $*"
}
at_once 'good 2 passed, 0 failed
here 1 passed, 0 failed
there 1 passed, 0 failed
bad 3 passed, 1 failed
none 0 passed, 1 failed (nothing ran)
7 passed, 2 failed' good -- here there bad none
[ "$status" -eq 1 ]
verdict $? "its status tells of failures among those at once (it was $status)"
STEP_SECONDS=1
export STEP_SECONDS
: >"$work/endless"
ENDLESS=$work/endless at_once 'endless 0 passed, 1 failed (met its limit of 1 s)
good 2 passed, 0 failed
2 passed, 1 failed' -- endless good
all_ended 2
steps 'endless 0 passed, 1 failed (met its limit of 1 s)
nested 0 passed, 1 failed (met its limit of 1 s)
good 2 passed, 0 failed
2 passed, 2 failed' endless nested good
all_ended 4
unset STEP_SECONDS
# A lane that is killed takes its step along, with all that this has started; another lane goes on.
: >"$work/endless"
ENDLESS=$work/endless at_once 'lane 0 passed, 1 failed (came to no end)
good 2 passed, 0 failed
2 passed, 1 failed' -- lane good good
all_ended 2
for count in 0 x 08 -1; do
    STEPS_AT_ONCE=$count RUN_MAKE="sh $work/steps" LOGS=$work/logs timeout 60 sh tools/check.sh -- good >"$work/out" 2>&1
    [ $? -eq 2 ] && grep -q "STEPS_AT_ONCE is '$count'" "$work/out" && [ "$(cat "$work/logs/summary")" = "0 passed, 1 failed" ]
    verdict $? "check.sh refuses $count lanes"
done
# What a step leaves behind is ended with it, and fails nothing.
steps 'leaves 2 passed, 0 failed
2 passed, 0 failed' leaves
all_ended 2
# Interrupted, it ends what it has started, and begins nothing else.
interrupted() { # steps
    : >"$work/endless"
    ENDLESS=$work/endless RUN_MAKE="sh $work/steps" LOGS=$work/logs \
        timeout 120 env --default-signal=INT sh tools/check.sh "$@" >"$work/out" 2>&1 &
    run=$!
    both() { [ "$(grep -c . "$work/endless")" -eq 2 ]; }
    await "the step has started" both
    # shellcheck disable=SC2046
    kill -INT $(children $run)
    wait $run
    status=$?
    [ "$status" -eq 130 ]
    verdict $? "an interrupt shows in the status (130, it was $status)"
    all_ended 2
    [ ! -e "$work/logs/good.log" ]
    verdict $? "no step after it was begun"
}
rm -f "$work/logs/good.log"
interrupted endless good
STEPS_AT_ONCE=1 interrupted -- endless good

# ---- Programs ----

# Whether a machine has a package before anything is installed: Debian's own priority, where dpkg is.
packages_are_there() {
    sh tools/programs.sh --list | sed 's/:.*//' | sort -u >"$work/packages"
    while read -r group package; do
        case $group in
        required) [ "$(dpkg-query -W -f '${Priority}' "$package" 2>&1)" = required ] ;;
        installed)
            case $package in
            gcc | make | git | binutils) true ;; # the README asks for the first three, gcc needs the last
            *) grep -q "\<$package " tools/deps.sh ;;
            esac
            ;;
        esac
        verdict $? "$package is $group"
    done <"$work/packages"
}
# What is called is found, or is no program of the list; a script that calls another one fails.
no_others() {
    mkdir -p "$work/machine"
    printf '#!/bin/sh\necho "called, with $PATH"\n' >"$work/machine/zsh"
    cp "$work/machine/zsh" "$work/machine/pkill"
    chmod 755 "$work/machine/zsh" "$work/machine/pkill"
    found=$(PATH=$work/machine:$PROGRAMS_PATH sh tools/programs.sh "$work/found")
    [ "$found" = "$(PATH=$work/machine:$PROGRAMS_PATH sh tools/programs.sh "$work/found")" ]
    verdict $? "the folder of programs stays"
    PROGRAMS_PATH=/another PATH=$found sh -c zsh >"$work/out"
    [ "$(cat "$work/out")" = "called, with /another" ]
    verdict $? "a program of the list is found, and has the machine's PATH"
    PATH=$found sh -c pkill >"$work/out" 2>&1
    [ $? -eq 127 ]
    verdict $? "another one is not found"
    ! command -v pkill >"$work/out"
    verdict $? "nor is it in this step"
}
# ---- Packages ----

# A machine that has the programs of a group, but for the ones named; its apt-get writes down what it is asked for
# and makes programs of that name.
machine() { # absent...
    rm -rf "$work/bare" && mkdir -p "$work/bare"
    for program in sh sed awk tr paste env rm; do ln -s "$(command -v $program)" "$work/bare/$program"; done
    for program in gcc flex bison xmllint prove dot patch python3 clang clang-format-14 chromium ocamlopt; do
        case " $* " in
        *" $program "*) ;;
        *) printf '#!/bin/sh\n' >"$work/bare/$program" ;;
        esac
    done
    printf '#!/bin/sh\necho 0\n' >"$work/bare/id"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "$*" >>"%s"\nfor p; do :; done\n[ "$1" = update ] || printf "#!/bin/sh\\n" >"%s/$p"\n%s' \
        "$work/asked" "$work/bare" 'chmod 755 "${0%/*}"/*; exit 0' >"$work/bare/apt-get"
    ln -s "$(command -v chmod)" "$work/bare/chmod"
    chmod 755 "$work/bare"/*
    rm -f "$work/asked"
}
deps() { # wanted status, arguments
    wanted=$1
    shift
    env -i PATH="$work/bare" sh tools/deps.sh "$@" >"$work/out" 2>&1
    status=$?
    [ "$status" -eq "$wanted" ]
    verdict $? "deps.sh $* leaves with $wanted (it was $status: $(cat "$work/out"))"
}
says() { # words
    grep -qF -- "$1" "$work/out"
    verdict $? "it says '$1': $(cat "$work/out")"
}
packages_are_installed() {
    machine flex dot
    deps 1 --need program
    says 'missing: flex '
    says 'run `make deps`'
    deps 0 program # flex is asked for, and what tests need is not
    [ "$(tail -n 1 "$work/asked")" = "install -y -q --no-install-recommends flex" ]
    verdict $? "the program's packages are installed and no other: $(cat "$work/asked")"
    deps 0 program
    [ ! -s "$work/out" ]
    verdict $? "it says nothing when all is there"
    deps 1 --need check
    says 'missing: graphviz '
    says 'run `make check-deps`'

    machine flex
    printf '#!/bin/sh\nexit 100\n' >"$work/bare/apt-get"
    deps 1 program # apt-get fails
    says 'make deps: missing: flex'
    says 'they could not be installed'
    rm "$work/bare/apt-get"
    deps 1 program # another system
    says 'no apt-get'

    machine flex
    printf '#!/bin/sh\necho 1000\n' >"$work/bare/id"
    deps 1 program # an ordinary user
    says 'neither root nor sudo'

    machine clang-format-14
    rm "$work/bare/apt-get"
    deps 0 program check # optional
    says 'make check-deps: not there: clang-format-14, and no apt-get; what needs them is left out'
    deps 0 --need program check
    deps 0 --list
    says '# missing here: clang-format-14'
    says 'apt-get install --no-install-recommends gcc libc6-dev flex '
}

# Which commit a tree is of. One of two files, as git has it, as it is edited, as a tarball of it is, within a tree of
# somebody else, without git at all: a name of 12 digits where one is known, and the same digest of the same files.
build_is() { # folder, old texts, wanted version, wanted commit, what it is
    (cd "$1" && sh tools/build-digest.sh "$2" 1.0 ./*.c) >"$work/texts" 2>"$work/err"
    [ "$(sed -n 's/.*base_version.*"\(.*\)";/\1/p' "$work/texts")" = "$3" ] &&
        [ "$(sed -n 's/.*base_commit.*"\(.*\)";/\1/p' "$work/texts")" = "$4" ] && [ ! -s "$work/err" ]
    verdict $? "$5: $(cat "$work/texts" "$work/err")"
}
builds_are_named() {
    tree=$work/tree other=$work/other
    rm -rf "$tree" "$other" "$work/bare"
    mkdir -p "$tree/tools" "$other" "$work/bare"
    cp tools/build-digest.sh tools/build-commit.txt "$tree/tools"
    cp .gitattributes "$tree"
    echo 'int a;' >"$tree/a.c"
    ask_git() { git -c user.name=n -c user.email=n@example.org -C "$@" >/dev/null 2>&1; }
    ask_git "$tree" init
    build_is "$tree" none 1.0+unknown '' "a tree of which nothing is committed"
    ask_git "$tree" add . && ask_git "$tree" commit -m a
    commit=$(git -C "$tree" rev-parse HEAD)
    short=$(echo "$commit" | cut -c 1-12)
    build_is "$tree" none "1.0+$short" "$commit" "a tree as it was committed"
    cp "$work/texts" "$work/committed"
    git -C "$tree" archive --prefix=packed/ HEAD | tar -x -C "$other"
    build_is "$other/packed" none "1.0+$short.archive" "$commit" "a tarball"
    [ "$(grep base_build "$work/texts")" = "$(grep base_build "$work/committed")" ]
    verdict $? "the files of a tarball are those of its commit"
    ask_git "$other" init && ask_git "$other" add . && ask_git "$other" commit -m other
    build_is "$other/packed" none "1.0+$short.archive" "$commit" "a tarball in a tree of others"
    cp "$tree/tools/build-commit.txt" "$other/packed/tools"
    build_is "$other/packed" none 1.0+unknown '' "a copy without git"
    build_is "$other/packed" "$work/committed" "1.0+$short" "$commit" "the same files as before, of which git says no more"
    echo 'int b;' >"$tree/b.c"
    build_is "$tree" none "1.0+$short.changed" "$commit" "a file more"
    rm "$tree/b.c"
    echo 'int c;' >"$tree/a.c"
    build_is "$tree" none "1.0+$short.changed" "$commit" "a file that was edited"
    cp "$tree/a.c" "$other/packed"
    build_is "$other/packed" "$work/committed" 1.0+unknown '' "other files than before"
    for program in cat cut grep sed sh sha256sum sort; do
        ln -s "$(command -v "$program")" "$work/bare/$program"
    done
    PATH=$work/bare build_is "$tree" none 1.0+unknown '' "a machine without git"
}

if command -v dpkg-query >/dev/null; then packages_are_there; fi
no_others
packages_are_installed
builds_are_named
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
