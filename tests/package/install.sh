#!/bin/sh
# install.sh: crashlit installed into a folder, and used from there: files, program, library in
# C and C++, pkg-config, exported symbols, manual pages, completions, the Debian package, and
# uninstalling. The Makefile's step install-check; last line: N passed, N failed.
set -u
. tests/corpus/cases.sh
work=$WORK/install
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
prefix=/opt/crashlit dest=$work/root
there=$dest$prefix

same() { # file, file, what was checked
    diff "$1" "$2" >"$work/differs" 2>&1
    status=$?
    [ "$status" -eq 0 ] || cat "$work/differs"
    verdict "$status" "$3"
}
has() { command -v "$1" >/dev/null 2>&1 || { echo "$1 is not here: $2 is left out"; return 1; }; }
installing() { # install or uninstall
    PREFIX=$prefix DESTDIR=$dest OBJ=$OBJ VERSION=$VERSION SONAME=$SONAME sh tools/install-files.sh "$1"
}

files() {
    mkdir -p "$there/bin" && echo mine >"$there/bin/other"
    installing install
    verdict $? "make install"
    sed -n '/^```files$/,/^```$/p' docs/using/install.md | grep -v '^```' | sed "s/VERSION/$VERSION/" >"$work/documented"
    # Without OCaml there is no checker, and no page of it.
    [ -x "$OBJ/checker/crashlit-check" ] || sed -i '/crashlit-check/d' "$work/documented"
    (cd "$there" && find . ! -type d | sed 's|^\./||' | grep -v -e '^bin/other$' -e '^share/crashlit/models/' \
        -e '^share/crashlit/schemas/' \
        -e '^share/doc/' | LC_ALL=C sort) >"$work/installed"
    same "$work/documented" "$work/installed" "the files are those of docs/using/install.md"
    for text in models/*.cat models/*/*.cat models/machines/*.machine; do
        cmp -s "$text" "$there/share/crashlit/$text"
        verdict $? "share/crashlit/$text is the model"
    done
    # Each kind of record has its schema there, and no record is of none.
    for kind in cases check compare cuts diff distinguish explain generate hardware lattice list message mutate place review sarif survey trace; do
        cmp -s "tests/schemas/$kind.schema.json" "$there/share/crashlit/schemas/$kind.schema.json"
        verdict $? "share/crashlit/schemas has that of $kind"
    done
    [ "$(find "$there/share/crashlit/schemas" -name '*.json' | grep -c .)" -eq "$(find tests/schemas -name '*.json' | grep -c .)" ]
    verdict $? "and all that there are"
    [ -f "$there/share/doc/crashlit/docs/using/install.md" ] && [ -f "$there/share/doc/crashlit/examples/check.c" ]
    verdict $? "documentation and examples are there"
    PREFIX=$prefix DESTDIR=$dest OBJ=$OBJ VERSION=$VERSION SONAME=$SONAME sh tools/install-files.sh list |
        sed "s|^$prefix/||" | LC_ALL=C sort >"$work/listed"
    (cd "$there" && find . ! -type d ! -name other | sed 's|^\./||' | LC_ALL=C sort) >"$work/installed"
    same "$work/listed" "$work/installed" "install-files.sh list says what is installed"
}

program() {
    case $(cd / && "$there/bin/crashlit" --version) in "crashlit $VERSION+"*) true ;; *) false ;; esac
    verdict $? "the installed program says its version"
    cp litmus/spb/kv-insert.litmus "$work"
    (cd "$work" && env -i "$there/bin/crashlit" kv-insert.litmus >/dev/null 2>&1)
    verdict $? "the installed program checks a test without the tree"
    if [ -x "$there/bin/crashlit-check" ]; then
        (cd "$work" && env -i "$there/bin/crashlit" check --certified -f json kv-insert.litmus >out 2>&1)
        grep -q '"accepted":true' "$work/out" && ! grep -q '"accepted":false' "$work/out"
        verdict $? "and has it certified by the installed checker"
    fi
    ! grep -rl "$PWD" "$there/share" "$there/lib/pkgconfig" >"$work/out" 2>&1
    verdict $? "no installed text names the folder of the build"
}

# ---- The library ----

names_of_header() {
    sed -n '/^CRASHLIT_API/,/;/p' include/crashlit.h | tr '\n' ' ' | tr ';' '\n' |
        sed -n 's/.*[ *]\(crashlit_[a-z_]*\)(.*/\1/p' | LC_ALL=C sort
}
symbols() {
    names_of_header >"$work/declared"
    [ "$(grep -c . "$work/declared")" -ge 15 ]
    verdict $? "the header declares functions"
    nm -D --defined-only "$there/lib/libcrashlit.so" | awk '{ print $3 }' | LC_ALL=C sort >"$work/shared"
    same "$work/declared" "$work/shared" "libcrashlit.so defines what the header declares"
    nm -g --defined-only "$there/lib/libcrashlit.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >"$work/static"
    same "$work/declared" "$work/static" "libcrashlit.a defines what the header declares"
    nm -D --undefined-only "$there/lib/libcrashlit.so" | awk '{ print $2 }' | sed 's/@.*//' >"$work/undefined"
    # fork and the like, what confines, signals, the process's options and environment, standard output
    ! grep -xE 'fork|vfork|execv.*|waitpid|prctl|setrlimit|kill|abort|sigaction|signal|sigprocmask|getopt.*|getenv|setenv|setlocale|printf|puts|putchar|rand|strtok|localtime|atexit' \
        "$work/undefined"
    verdict $? "the library calls nothing that is the process's"
    readelf -d "$there/lib/libcrashlit.so" | grep -q "SONAME.*\[$SONAME\]"
    verdict $? "the shared library's name is $SONAME"
}

pc() { # arguments of pkg-config
    PKG_CONFIG_PATH=$there/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dest pkg-config "$@" crashlit
}
build() { # program, compiler and its words
    built=$1
    shift
    "$@" >"$work/err" 2>&1
    status=$?
    [ "$status" -eq 0 ] || cat "$work/err"
    verdict "$status" "it builds: $built"
}
# Its answers on a folder are those of the command.
answers() { # program
    LD_LIBRARY_PATH=$there/lib "$work/$1" litmus/spb/*.litmus >"$work/$1.out" 2>"$work/$1.err"
    [ $? -eq 0 ] && [ ! -s "$work/$1.err" ]
    verdict $? "$1: every verdict of litmus/spb is the expected one"
    same "$work/command.out" "$work/$1.out" "$1: answers are those of the command"
}
examples() {
    has pkg-config "the library's example" || return
    [ "$(pc --modversion)" = "$VERSION" ]
    verdict $? "pkg-config knows the version"
    "$CRASHLIT" --format json litmus/spb/*.litmus |
        sed 's/.*"test":"\([^"]*\)","file":"\([^"]*\)".*"model":"\([^"]*\)","persistency":"\([^"]*\)".*"verdict":"\([a-z]*\)","expected":"\([a-z]*\)".*/\2: \1 under \3 + \4: \5, expected \6/' >"$work/command.out"
    source=$there/share/doc/crashlit/examples/check.c strict="-Wall -Wextra -Wpedantic -Werror"
    # Word splitting wanted: flags.
    # shellcheck disable=SC2046,SC2086
    {
        build shared ${CC:-cc} -std=c99 $strict -o "$work/shared.run" "$source" $(pc --cflags --libs)
        build static ${CC:-cc} -std=c99 $strict -o "$work/static.run" "$source" $(pc --cflags) \
            "$there/lib/libcrashlit.a" $(pc --libs --static | sed 's/-lcrashlit//')
        if has "${CXX:-c++}" "the example as C++"; then
            build C++ ${CXX:-c++} -std=c++98 $strict -x c++ -o "$work/cxx.run" "$source" $(pc --cflags --libs)
            answers cxx.run
        fi
    }
    answers shared.run
    answers static.run
    ! readelf -d "$work/static.run" | grep -q libcrashlit
    verdict $? "the static program needs no libcrashlit.so"
    printf 'OPENCL broken\n{' >"$work/broken.litmus"
    LD_LIBRARY_PATH=$there/lib "$work/shared.run" "$work/broken.litmus" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'E-lit-' "$work/err"
    verdict $? "a broken test is told by the example, with status 2"
    LD_LIBRARY_PATH=$there/lib "$work/shared.run" "$work" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q 'Is a directory' "$work/err"
    verdict $? "so is what cannot be read"
    # A script whose list of files came out empty must not look as if it had checked something.
    LD_LIBRARY_PATH=$there/lib "$work/shared.run" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -qx "usage: $work/shared.run FILE.litmus ..." "$work/err"
    verdict $? "without a file the example tells how it is used, with status 2"
}
threads() {
    "$OBJ/tests/package/threads" >"$work/out" 2>&1
    verdict $? "two threads, a context each"
    [ ! -s "$work/out" ]
    verdict $? "the library prints nothing, not of broken tests either"
}

# ---- Manual pages and completions ----

pages() {
    for page in "$there"/share/man/man*/*; do
        name=${page##*/}
        ! grep -q '@[A-Z]*@' "$page"
        verdict $? "$name has no words left to fill"
        if has mandoc "its lint of $name"; then
            mandoc -T lint -W warning "$page" >"$work/out" 2>&1
            verdict $? "$name: mandoc has nothing to say: $(head -3 "$work/out")"
        fi
        if has groff "its warnings of $name"; then
            groff -man -t -ww -T utf8 -Kutf8 "$page" 2>"$work/err" >"$work/$name.txt"
            [ ! -s "$work/err" ]
            verdict $? "$name: groff has nothing to say: $(head -3 "$work/err")"
            # A page that formats to next to nothing is no page.
            [ "$(wc -l <"$work/$name.txt")" -gt 60 ]
            verdict $? "$name formats"
        fi
    done
}
# The page has each command, and of each option who takes it: as the pages of help list them.
options_of_page() {
    "$there/bin/crashlit" help --words | sort >"$work/commands"
    sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/s/^\\fB\([a-z]*\)\\fR$/\1/p' man/crashlit.1 | sort >"$work/page"
    same "$work/commands" "$work/page" "crashlit.1 has the commands of help"
    while read -r command; do
        "$there/bin/crashlit" "$command" --help | sed -n "s/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2 $command/p"
    done <"$work/commands" | sort >"$work/help"
    sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$there/share/man/man1/crashlit.1" |
        awk -v commands="$(tr '\n' ' ' <"$work/commands")" '
            { gsub(/\\f./, ""); gsub(/\\-/, "-") }
            heading { match($0, /--[a-z-]+/); name = substr($0, RSTART + 2, RLENGTH - 2); heading = 0; whose = 1 }
            /^\.TP/ { heading = 1 }
            whose && /^Of / {
                list = $0 == "Of every command." ? commands : substr($0, 4, length($0) - 4)
                gsub(/,/, "", list)
                for (i = split(list, names, " "); i; i--) print name, names[i]
                whose = 0
            }' | sort >"$work/page"
    same "$work/help" "$work/page" "crashlit.1 has the options of each command"
    # What is added to a page that lacks an option, or has one too many, is refused.
    for spoilt in '/^@OPTION unroll@/d' 's/^@OPTION unroll@/@OPTION roll@/'; do
        ! sed "$spoilt" man/crashlit.1 | sh tools/man-options.sh "$there/bin/crashlit" >/dev/null 2>"$work/err"
        verdict $? "a page is refused after $spoilt: $(head -1 "$work/err")"
    done
}
# As its usage has them.
options_of_checker() {
    [ -x "$there/bin/crashlit-check" ] || return
    "$there/bin/crashlit-check" 2>&1 | grep -o -e '--[a-z]*' | sort -u >"$work/help"
    sed -n 's/^\\fB\\-\\-\([a-z]*\)\\fR.*/--\1/p' "$there/share/man/man1/crashlit-check.1" | sort >"$work/page"
    same "$work/help" "$work/page" "crashlit-check.1 has the options of the checker"
}
completes() { # what should be among the answers, words
    wanted=$1
    shift
    ${SHELL_UNDER_TEST} "$@" >"$work/out" 2>"$work/err"
    grep -qx -e "$wanted" "$work/out" && [ ! -s "$work/err" ]
    verdict $? "completion of \`crashlit $*\` has $wanted: $(head -3 "$work/err")"
}
completions() {
    if has bash "its completion"; then
        script=$there/share/bash-completion/completions/crashlit
        bash -n "$script"
        verdict $? "the completion is bash"
        [ "$(bash -c ". '$script'; complete -p crashlit")" = "complete -o filenames -F _crashlit crashlit" ]
        verdict $? "bash knows how to complete crashlit"
        # shellcheck disable=SC2016
        printf '. "%s"\nCOMP_WORDS=("%s" "$@") COMP_CWORD=$#\n_crashlit\nprintf "%%s\\n" "${COMPREPLY[@]}"\n' \
            "$script" "$there/bin/crashlit" >"$work/ask.bash"
        SHELL_UNDER_TEST="bash $work/ask.bash" ask
        [ "$(bash "$work/ask.bash" --engine = s | tr '\n' ' ')" = "smt " ]
        verdict $? "--engine=s is completed to smt alone"
        [ "$(bash "$work/ask.bash" --models = epoch,stri | tr '\n' ' ')" = "epoch,strict " ]
        verdict $? "--models=epoch,stri is completed to strict alone"
        # A word with `=` comes in parts.
        SHELL_UNDER_TEST="bash $work/ask.bash"
        completes README.md --format json = REA
        completes README.md --format = json = REA
    fi
    if has zsh "its completion"; then
        script=$there/share/zsh/site-functions/_crashlit
        zsh -n "$script"
        verdict $? "the completion is zsh"
        # shellcheck disable=SC2016
        # The two that zsh has: one keeps what a pattern fits of the word, the other prints behind it.
        printf 'compset() { kept=${(M)words[CURRENT]##$~2}; }; compadd() { shift; print -l -- $kept$^@; }
_files() { :; }\nwords=("%s" "$@") CURRENT=$#words kept=\nsource "%s"\n' \
            "$there/bin/crashlit" "$script" >"$work/ask.zsh"
        SHELL_UNDER_TEST="zsh -f $work/ask.zsh" ask
    fi
}
ask() {
    completes --engine --eng
    completes smt --engine ''
    completes enum -e ''
    completes points --crash ''
    for format in text herd json junit tap sarif html; do
        completes "$format" --format ''
    done
    completes nvw-fifo --machine ''
    completes no-stall --fault no
    completes crosscheck cross
    completes crosscheck -m sc cross
    completes explain help ex
    completes nvw-fifo machines nv
    completes epoch models -v ep
    completes machine compare -e ma
    completes json trace -f ''
    for command in $("$there/bin/crashlit" help --words); do
        "$there/bin/crashlit" help "$command" |
            sed -n 's/^  \(-.\), \(--[a-z-]*\).*/\1 \2/p; s/^  \(--[a-z-]*\).*/\1/p' | tr ' ' '\n' | sort >"$work/listed"
        ${SHELL_UNDER_TEST} "$command" - | sort >"$work/completed"
        same "$work/listed" "$work/completed" "completion of $command has the options of its page"
    done
    # Of a list the last one; behind a plus a persistency model alone.
    completes epoch --models ep
    completes epoch,strict --models epoch,s
    completes epoch,sc,hrf-direct --models epoch,sc,
    completes epoch,sc+strict --models epoch,sc+s
    completes hrf-direct refines --under hrf
    completes sc+strict refines --under sc+s
    ! grep -qx 'epoch,sc+sc' "$work/out"
    verdict $? "no visibility model stands behind a plus"
    for model in models/visibility/*.cat; do
        name=${model##*/}
        completes "${name%.cat}" --model ''
    done
    for model in models/persistency/*.cat; do
        name=${model##*/}
        completes "${name%.cat}" -p ''
    done
}

# ---- Away again; and as a package ----

uninstalling() {
    installing uninstall
    verdict $? "make uninstall"
    [ "$(cd "$there" && find . ! -type d)" = ./bin/other ]
    verdict $? "uninstalling leaves what is not ours, and nothing else"
    [ ! -e "$there/share/crashlit" ] && [ ! -e "$there/share/doc/crashlit" ] && [ -d "$there/share/man/man1" ]
    verdict $? "uninstalling takes our folders away, and no others"
}
debian() {
    has dpkg-deb "the Debian package" || return
    package=$(OBJ=$OBJ VERSION=$VERSION SONAME=$SONAME OUT=$work sh tools/deb.sh)
    verdict $? "make deb"
    depends=$(dpkg-deb -f "$package" Depends)
    for needed in libc6 libz3-4 libjansson4; do
        case $depends in *"$needed"*) true ;; *) false ;; esac
        verdict $? "the package depends on $needed: $depends"
    done
    [ "$(dpkg-deb -f "$package" Version)" = "$VERSION" ]
    verdict $? "the package has the version"
    # A system of its own, so that this one is not changed.
    system=$work/system
    mkdir -p "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/triggers"
    : >"$system/var/lib/dpkg/status"
    dpkg --root="$system" --force-not-root --force-depends --force-bad-path --log=/dev/null -i "$package" >"$work/out" 2>&1
    verdict $? "dpkg installs it: $(tail -2 "$work/out")"
    cmp -s "$system/usr/include/crashlit.h" include/crashlit.h && [ -x "$system/usr/bin/crashlit" ]
    verdict $? "its files are there"
    (cd "$work" && "$system/usr/bin/crashlit" kv-insert.litmus >/dev/null 2>&1)
    verdict $? "the packaged program checks a test"
    (cd "$system" && md5sum -c --quiet var/lib/dpkg/info/crashlit.md5sums) >"$work/out" 2>&1
    verdict $? "its files are those that were packed"
    dpkg --root="$system" --force-not-root --force-bad-path --log=/dev/null --purge crashlit >"$work/out" 2>&1
    verdict $? "dpkg removes it: $(tail -2 "$work/out")"
    [ ! -e "$system/usr/bin/crashlit" ] && [ ! -e "$system/usr/share/crashlit" ]
    verdict $? "nothing of it is left"
    if has lintian "what it says of the package"; then
        lintian --fail-on none "$package"
    fi
}

# ---- Annotations ----

annotations() {
    # Verdicts made up: quotes, per cent, comma and line ends are escaped, expected ones are not told.
    # A record without an engine is told with its reason, one without a test at line 1.
    printf '%s\n' '{"schema":1,"test":"a,b","file":"d/x:y.litmus","line":7,"model":"m","persistency":"p%","engine":"enum","verdict":"unknown","expected":"ok","conditions":[]}' \
        '{"schema":1,"test":"c","file":"z","line":1,"model":"m","persistency":"p","engine":"smt","verdict":"ok","expected":"ok"}' \
        '{"schema":1,"test":"","file":"q","line":0,"model":"","persistency":"","engine":"","verdict":"error","expected":"ok","conditions":[],"reason":"found \"x\""}' \
        '{"schema":1,"test":"t","file":"n\u000al\\u.litmus","line":2,"model":"a.cat","persistency":"p","engine":"","verdict":"error","expected":"ok","conditions":[],"reason":"no\u000dmodel"}' |
        awk -f examples/annotate.awk >"$work/out"
    printf '%s\n' '::warning file=d/x%3Ay.litmus,line=7,title=a%2Cb::a,b under m + p%25 is unknown, expected ok (engine enum)' \
        '::error file=q,line=1::found "x"' \
        '::error file=n%0Al\u.litmus,line=2,title=t::t under a.cat + p is error, expected ok: no%0Dmodel' >"$work/wanted"
    same "$work/wanted" "$work/out" "annotations are escaped"
}

files
program
symbols
examples
threads
pages
options_of_page
options_of_checker
completions
uninstalling
debian
annotations
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
