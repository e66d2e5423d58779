#!/bin/sh
# programs.sh FOLDER: makes a folder in FOLDER with the programs that tests may call, for their PATH, and prints
# its name. A test that calls another one, which a fresh machine may not have, fails on every machine.
# programs.sh --list: GROUP PACKAGE: PROGRAM... for each of Debian's packages that they are of.
#
# Groups: `required`, on every Debian by its priority; `installed`, by `make check-deps`, or asked for by the README;
# `optional`, without which a test leaves a part of it out, with a word.
set -eu
list() {
    cat <<'END'
required bash: bash
required bsdutils: logger renice script scriptreplay
required coreutils: [ arch b2sum base32 base64 basename cat chgrp chmod chown chroot cksum comm cp csplit cut date dd
required coreutils: df dir dirname du echo env expand expr factor false fmt fold groups head hostid id install join
required coreutils: link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste
required coreutils: pathchk pr printenv printf ptx pwd readlink realpath rm rmdir seq sha1sum sha224sum sha256sum
required coreutils: sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test
required coreutils: timeout touch tr true truncate tsort tty uname unexpand uniq unlink wc who whoami yes
required dash: sh
required diffutils: cmp diff diff3 sdiff
required dpkg: dpkg dpkg-deb dpkg-query
required findutils: find xargs
required grep: egrep fgrep grep
required gzip: gunzip gzip zcat
required hostname: hostname
required libc-bin: getconf getent iconv ldconfig ldd locale
required mawk: awk
required mount: mount umount
required sed: sed
required tar: tar
required util-linux: choom fallocate flock getopt ionice nsenter prlimit rev setarch setpriv setsid su taskset unshare
installed binutils: ar as ld nm objcopy objdump readelf strip
installed bison: bison
installed flex: flex
installed gcc: cc gcc gcov
installed git: git
installed graphviz: dot
installed libxml2-utils: xmllint
installed make: make
installed patch: patch
installed perl: perl prove
installed python3-jsonschema: python3
optional chromium-headless-shell: chromium-headless-shell chromium google-chrome
optional clang: clang
optional clang-format-14: clang-format-14
optional dpkg-dev: dpkg-shlibdeps
optional g++: c++ g++
optional groff: groff
optional lintian: lintian
optional mandoc: mandoc
optional pkg-config: pkg-config
optional zsh: zsh
END
}
[ "$1" != --list ] || { list && exit; }

# The shell's own `command -v` would name what is built into it.
place() { # program
    place=$1 rest=$PATH:
    case $1 in /*) return ;; esac
    while [ -n "$rest" ]; do
        place=${rest%%:*}/$1 rest=${rest#*:}
        [ ! -x "$place" ] || [ -d "$place" ] || return 0
    done
    return 1
}
# What is there; a compiler that the user has chosen, too.
places() {
    { list && echo "optional chosen: ${CC:-} ${CXX:-} ${CHROMIUM:-}"; } | while read -r group package programs; do
        for program in $programs; do
            if place "$program"; then echo "$group ${program##*/} $place"; fi
        done
    done
}

# A folder once made stays as it is, since tests may be using it; when the programs change there is another.
new=$1/new.$$
mkdir -p "$new"
trap 'rm -rf "$new"' EXIT
folder=$1/$({ cat "$0" && places; } | cksum | tr ' ' -)
echo "$folder"
[ ! -d "$folder" ] || exit 0
places | while read -r group program place; do
    # Programs that call others find those of the machine, whose PATH is in PROGRAMS_PATH.
    case $group-$program in
    installed-* | optional-* | required-dpkg*)
        # shellcheck disable=SC2016
        printf '#!/bin/sh\nPATH=$PROGRAMS_PATH exec "%s" "$@"\n' "$place" >"$new/$program"
        chmod 755 "$new/$program"
        ;;
    *) ln -sf "$place" "$new/$program" ;;
    esac
done
mv -T "$new" "$folder" 2>/dev/null || [ -d "$folder" ]
