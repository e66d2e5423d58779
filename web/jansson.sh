#!/bin/sh
# jansson.sh FOLDER: brings the source of the jansson that Debian has into FOLDER, as this machine's apt knows
# Debian: signed, without root, and without a change to the machine's own lists.
#
# A folder given as JANSSON_SOURCE, with jansson's src/ in it, is taken instead.
set -eu
folder=$1
if [ -n "${JANSSON_SOURCE:-}" ]; then
    mkdir -p "$folder"
    cp "$JANSSON_SOURCE"/src/*.[ch] "$folder/"
    exit 0
fi
command -v apt-get >/dev/null || {
    echo "web: no apt-get to bring jansson's source; unpack it and give its folder as JANSSON_SOURCE" >&2
    exit 1
}
new=$folder.new
rm -rf "$new"
mkdir -p "$new/lists/partial"
new=$(cd "$new" && pwd)
# shellcheck disable=SC2016 # fields of apt-get, not of the shell
apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | sort -u >"$new/sources"
apt="apt-get -q -o Dir::Etc::sourcelist=$new/sources -o Dir::Etc::sourceparts=- -o Dir::State::lists=$new/lists
     -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User="
# Word splitting wanted: a command and its options.
# shellcheck disable=SC2086
(cd "$new" && $apt update && $apt source --download-only jansson) >"$new/log" 2>&1 || {
    cat "$new/log" >&2
    echo "web: apt-get could not bring jansson's source; unpack it and give its folder as JANSSON_SOURCE" >&2
    exit 1
}
(cd "$new" && tar -xf jansson_*.orig.tar.* && mkdir source && mv jansson-*/src/*.[ch] source/)
rm -rf "$folder"
mv "$new/source" "$folder"
rm -rf "$new"
