#!/bin/sh
# deps.sh GROUP...: installs from Debian's packages what is missing of these groups; silent when nothing is.
# deps.sh --missing GROUP...: prints the packages that are missing, and installs nothing.
# deps.sh --need GROUP...: fails when one is missing without which the group does not work, and says how to get it.
# deps.sh --list: prints for each group the command that installs all of it.
#
# What is there is found out by use (a command, a header that the compiler accepts), so the script also
# serves systems whose packages have other names: there it says what to install and stops.
set -u
cc=${CC:-gcc}

# group, package, whether the group works without it, probe, what the probe looks for
packages='program gcc needed command '$cc'
program libc6-dev needed header stdio.h
program flex needed command flex
program bison needed command bison
program libz3-dev needed header z3.h
program uthash-dev needed header uthash.h
program libxxhash-dev needed header xxhash.h
program libjansson-dev needed header jansson.h
program libseccomp-dev needed header seccomp.h
check libcunit1-dev needed header CUnit/CUnit.h
check libxml2-utils needed command xmllint
check perl needed command prove
check graphviz needed command dot
check python3-jsonschema needed python jsonschema
check python3-yaml needed python yaml
check patch needed command patch
check clang optional fuzzer -
check libclang-rt-dev optional fuzzer -
check clang-format-14 optional command clang-format-14
check chromium-headless-shell optional browser -
check ocaml-nox optional command ocamlopt
web emscripten needed command emcc
web nodejs needed command node
web npm needed command npm
web python3 needed command python3
web chromium-headless-shell optional browser -
editors neovim optional command nvim
editors npm optional command npm
editors libtree-sitter-dev optional header tree_sitter/api.h'
# What the groups are for: group, the targets that install it, what needs it
groups='program|make deps|make, make demo, make install: the program
check|make check-deps|make check: its tests
web|make web-deps|make web, make web-test: the playground
editors|make editors-deps|make tree-sitter, make vscode, all of make editors: what is for editors'

has_command() { command -v "$1" >/dev/null 2>&1; }
has_header() { echo "#include <$1>" | "$cc" -E - >/dev/null 2>&1; }
has_python() {
    # Of several pythons the one beside Debian's package will do.
    for python in python3 /usr/bin/python3; do
        "$python" -W ignore -c "import $1" >/dev/null 2>&1 && return
    done
    return 1
}
has_fuzzer() {
    has_command clang || return 1
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - >/dev/null 2>&1
}
has_browser() {
    [ -n "${CHROMIUM:-}" ] || has_command chromium-headless-shell || has_command chromium ||
        has_command google-chrome
}

# Prints the packages of the groups that are not there; of `needed` those alone without which a group does not work.
missing() { # [needed] group...
    only=
    [ "$1" != needed ] || { only=needed && shift; }
    for group; do
        echo "$packages" | while read -r of package how probe what; do
            case $of,$how,$only in
            "$group",optional,needed) ;;
            "$group",*) "has_$probe" "$what" || echo "$package" ;;
            esac
        done
        [ "$group$only" != editors ] || sh editors/tree-sitter.sh --missing | tr ' ' '\n'
    done | awk 'NF && !seen[$1]++' | paste -s -d ' ' -
}
target_of() { echo "$groups" | sed -n "s/^$1|\([^|]*\)|.*/\1/p"; }

list() {
    echo "$groups" | while IFS='|' read -r group target what; do
        echo "# $what ($target)"
        echo "apt-get install --no-install-recommends $(echo "$packages" |
            awk -v group="$group" '$1 == group { printf "%s%s", sep, $2; sep = " " }')"
        lacks=$(missing "$group")
        echo "# ${lacks:+missing here: }${lacks:-all of it is here}"
    done
}

case ${1:-} in
--list)
    list
    exit
    ;;
--missing)
    shift
    missing "$@"
    exit
    ;;
--need)
    shift
    lacks=$(missing needed "$@")
    [ -n "$lacks" ] || exit 0
    echo "missing: $lacks (the names are Debian's packages): run \`$(target_of "$1")\`, or" >&2
    echo "    apt-get install --no-install-recommends $lacks" >&2
    exit 1
    ;;
esac

lacks=$(missing "$@")
[ -n "$lacks" ] || exit 0
# Later groups need earlier ones, so the last one has the target's name.
for last; do :; done
who=$(target_of "$last")

# When it cannot install: what to do, and whether the work can go on without.
give_up() { # reason
    needed=$(missing needed "$@")
    if [ -z "$needed" ]; then
        echo "$who: not there: $lacks, and $reason; what needs them is left out" >&2
        exit 0
    fi
    echo "$who: missing: $lacks" >&2
    echo "$who: $reason; install these by hand (the names are Debian's packages; make deps-list has all)" >&2
    exit 1
}

reason=
command -v apt-get >/dev/null || reason="no apt-get"
sudo=
if [ -z "$reason" ] && [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || reason="neither root nor sudo"
    sudo=sudo
fi
[ -z "$reason" ] || give_up "$@"

echo "$who: installing $lacks"
install() { # package...
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}
$sudo apt-get update -q || echo "$who: apt-get update failed; trying with the old lists" >&2
# Word splitting wanted: a list of packages. One that cannot be had does not keep the others away.
# shellcheck disable=SC2086
install $lacks || for package in $lacks; do install "$package"; done
lacks=$(missing "$@")
[ -z "$lacks" ] || { reason="they could not be installed" && give_up "$@"; }
