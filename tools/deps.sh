#!/bin/sh
# deps.sh: installs from Debian's packages what is missing; silent when nothing is.
#
# What is there is found out by use (a command, a header the compiler accepts), so
# the script also serves systems whose packages have other names: there it says
# what to install and stops.
set -u
cc=${CC:-gcc}

has_header() { echo "#include <$1>" | "$cc" -E - >/dev/null 2>&1; }
has_command() { command -v "$1" >/dev/null 2>&1; }
has_fuzzer() {
    has_command clang || return 1
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - >/dev/null 2>&1
}

has_python() {
    # Of several pythons the one beside Debian's package will do.
    for python in python3 /usr/bin/python3; do
        "$python" -W ignore -c "import $1" >/dev/null 2>&1 && return
    done
    return 1
}
has_browser() {
    [ -n "${CHROMIUM:-}" ] || has_command chromium-headless-shell || has_command chromium ||
        has_command google-chrome
}

# package, probe, what the probe looks for
needed='libc6-dev header stdio.h
flex command flex
bison command bison
libz3-dev header z3.h
uthash-dev header uthash.h
libxxhash-dev header xxhash.h
libcunit1-dev header CUnit/CUnit.h
libjansson-dev header jansson.h
libseccomp-dev header seccomp.h
libxml2-utils command xmllint
perl command prove
graphviz command dot
python3-jsonschema python jsonschema'

missing() {
    echo "$needed" | while read -r package probe what; do
        "has_$probe" "$what" || printf '%s ' "$package"
    done
    [ "${1:-}" = required ] || optional
}
# Of `make check` the fuzz smoke run, the layout of the sources, and HTML in a browser, are left out
# without them.
optional() {
    has_fuzzer || printf 'clang libclang-rt-dev '
    has_command clang-format-14 || printf 'clang-format-14 '
    has_browser || printf 'chromium-headless-shell '
}

packages=$(missing)
[ -n "$packages" ] || exit 0

# When it cannot install: what to do, and whether the build can go on without.
give_up() { # reason
    if [ -z "$(missing required)" ]; then
        echo "make deps: not there: $packages, and $1; their part of make check is left out" >&2
        exit 0
    fi
    echo "make deps: missing: $packages" >&2
    echo "make deps: $1; install these by hand (the names are Debian's packages)" >&2
    exit 1
}

command -v apt-get >/dev/null || give_up "no apt-get"
sudo=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "neither root nor sudo"
    sudo=sudo
fi

echo "make deps: installing $packages"
install() {
    # Word splitting wanted: a list of packages.
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $1
}
$sudo apt-get update -q || echo "make deps: apt-get update failed; trying with the old lists" >&2
# What is not needed and cannot be had must not keep the rest away.
install "$packages" || {
    install "$(missing required)"
    has_fuzzer || install "clang libclang-rt-dev"
    has_command clang-format-14 || install clang-format-14
    has_browser || install chromium-headless-shell
}
packages=$(missing required)
[ -z "$packages" ] || {
    echo "make deps: could not install: $packages" >&2
    exit 1
}
packages=$(missing)
[ -z "$packages" ] || echo "make deps: not there: $packages; their part of make check is left out" >&2
