#!/bin/sh
# tree-sitter.sh FOLDER: generates the parsers of the tree-sitter grammars: FOLDER/NAME/src/parser.c for each NAME of
# litmus and cat. `tree-sitter generate` does it where there is such a program. Debian has the library and not the
# program, so otherwise its generator is built in FOLDER/generator, once, from the source of Debian's library, brought by apt,
# signed, without root and without a change to the machine's lists, and from Debian's packages of crates.
# With --missing it says which of Debian's packages that would need, and makes nothing; with --made-already it
# builds no generator, and leaves with 3 where there is none.
set -eu
missing() {
    command -v node >/dev/null || printf 'nodejs '
    command -v xz >/dev/null || printf 'xz-utils ' # in which that source is packed
    command -v cargo >/dev/null || printf 'cargo '
    for crate in anyhow indexmap lazy-static log regex regex-syntax rustc-hash semver serde serde-derive serde-json smallbitvec tree-sitter; do
        # The registry has '_' or '-' between words.
        find /usr/share/cargo/registry -maxdepth 1 -name "$(echo "$crate" | tr - '?')-[0-9]*" 2>/dev/null | grep -q . ||
            printf 'librust-%s-dev ' "$crate"
    done
}
if [ "$1" = --missing ]; then
    command -v tree-sitter >/dev/null || missing
    exit 0
fi
already=
if [ "$1" = --made-already ]; then
    already=1
    shift
fi
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
generator=$folder/generator

bring_source() {
    mkdir -p "$generator/lists/partial"
    # shellcheck disable=SC2016 # fields of apt-get, not of the shell
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' | sort -u >"$generator/sources"
    apt="apt-get -q -o Dir::Etc::sourcelist=$generator/sources -o Dir::Etc::sourceparts=- -o Dir::State::lists=$generator/lists
         -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User="
    # Word splitting wanted: a command and its options.
    # shellcheck disable=SC2086
    (cd "$generator" && $apt update && $apt source --download-only tree-sitter) >"$generator/log" 2>&1
    (cd "$generator" && tar -xf tree-sitter_*.orig.tar.* && mv tree-sitter-*/cli/src/generate generate)
}

# The library's own generator, with a main of a line, as the program around it wants crates that Debian lacks.
build_generator() {
    absent=$(missing)
    [ -z "$absent" ] || {
        echo "tree-sitter: there is no \`tree-sitter\`, and to build its generator these are missing: $absent" >&2
        return 1
    }
    rm -rf "$generator"
    bring_source || {
        cat "$generator/log" >&2
        return 1
    }
    mkdir -p "$generator/src" "$generator/.cargo"
    mv "$generator/generate" "$generator/src/generate"
    cat >"$generator/Cargo.toml" <<'END'
[package]
name = "generator"
version = "0.0.0"
edition = "2018"
[dependencies]
anyhow = "1"
indexmap = "1"
lazy_static = "1"
log = "0.4"
regex = "1"
regex-syntax = "0.6"
rustc-hash = "1"
semver = "1"
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["preserve_order"] }
smallbitvec = "2"
tree-sitter = "0.20"
END
    cat >"$generator/src/main.rs" <<'END'
mod generate;
fn main() {
    let words: Vec<String> = std::env::args().collect();
    let made = generate::generate_parser_in_directory(&std::path::PathBuf::from(&words[1]), Some(&words[2]), 14, false, None);
    if let Err(fault) = made {
        eprintln!("{:?}", fault);
        std::process::exit(1);
    }
}
END
    printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n' \
        >"$generator/.cargo/config.toml"
    (cd "$generator" && RUST_BINDING_VERSION=0 CARGO_HOME=$generator/home cargo build --offline --quiet 2>>log) || {
        cat "$generator/log" >&2
        return 1
    }
    cp "$generator/target/debug/generator" "$generator/generate"
}

generate() { # name
    grammar=$here/tree-sitter-crashlit-$1/grammar.js
    rm -rf "${folder:?}/$1"
    mkdir -p "$folder/$1"
    if command -v tree-sitter >/dev/null; then
        cp "$grammar" "$folder/$1"
        (cd "$folder/$1" && tree-sitter generate --abi 14 >generate.log 2>&1) || { cat "$folder/$1/generate.log" >&2; return 1; }
        return
    fi
    TREE_SITTER_GRAMMAR_PATH=$grammar node "$generator/src/generate/dsl.js" >"$folder/$1/grammar.json"
    "$generator/generate" "$folder/$1" "$folder/$1/grammar.json"
}

if ! command -v tree-sitter >/dev/null && [ ! -x "$generator/generate" ]; then
    [ -z "$already" ] || exit 3
    build_generator
fi
generate litmus
generate cat
