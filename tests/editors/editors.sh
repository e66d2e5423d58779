#!/bin/sh
# editors.sh: the language server with a scripted editor and in Neovim; grammars for editors, and the extension for
# VS Code, as far as what they are tested with is there. Last line: N passed, N failed.
#
# From the Makefile: EDITORS, where `make tree-sitter` and `make vscode` leave what they make; PROGRAMS_PATH, all
# programs of this machine.
set -u
work=$WORK/editors
rm -rf "$work"
mkdir -p "$work/session" "$work/neovim" "$work/trees"
work=$(cd "$work" && pwd)
case $CRASHLIT in /*) ;; *) CRASHLIT=$PWD/$CRASHLIT ;; esac
export CRASHLIT PYTHONDONTWRITEBYTECODE=1
passed=0 failed=0

# Takes the last line of a part, and shows what stands before it.
part() { # name, command
    name=$1
    shift
    timeout 900 "$@" >"$work/$name.log" 2>&1 </dev/null
    status=$?
    sed '$d' "$work/$name.log"
    line=$(tail -n 1 "$work/$name.log")
    case $line in
    *[0-9]" passed, "*[0-9]" failed")
        passed=$((passed + ${line%% *}))
        line=${line#*, }
        failed=$((failed + ${line%% *}))
        ;;
    *)
        echo "failed: $name left with $status: $line"
        failed=$((failed + 1))
        ;;
    esac
}
# A program of this machine that no test may count on.
there() { PATH=$PROGRAMS_PATH command -v "$1"; }

part session python3 tests/editors/lsp_session.py "$work/session"
part words python3 editors/grammars.py --check

cat >"$work/neovim/mistake.litmus" <<'END'
OPENCL mistake
{ nvm key = 0; nvm val = 0; }
P0 (global int* key, global int* val) {
  *val = 1;
  p_barrer_wi();
}
crash ~exists (key = 1 /\ val = 0)
expect sc + epoch : ok
END
if neovim=$(there nvim); then
    NVIM_TEST=$work/neovim/mistake.litmus HOME=$work/neovim XDG_STATE_HOME=$work/neovim XDG_DATA_HOME=$work/neovim \
        part neovim "$neovim" --headless -u NONE -i NONE -n -c 'luafile tests/editors/neovim.lua'
    [ "$("$CRASHLIT" check --format herd "$work/neovim/mistake.litmus" | grep -c '^Verdict mistake ok, expected ok$')" -eq 1 ] && passed=$((passed + 1)) || {
        echo "failed: what Neovim wrote is ok"
        failed=$((failed + 1))
    }
else
    echo "neovim is not here: the server in its client is left out (make editors-deps installs it)"
fi

# Parsers are generated anew, so that they are those of the grammars as they stand.
if ! echo '#include <tree_sitter/api.h>' | cc -E - >/dev/null 2>&1; then
    echo "libtree-sitter-dev is not here: the tree-sitter grammars are left out (make editors-deps installs it)"
elif PATH=$PROGRAMS_PATH sh editors/tree-sitter.sh --made-already "$EDITORS/tree-sitter" >"$work/generate.log" 2>&1; then
    part trees python3 tests/editors/trees.py "$EDITORS/tree-sitter" "$work/trees"
elif [ $? -eq 3 ]; then
    echo "tree-sitter has no generator here: its grammars are left out (make tree-sitter builds one)"
else
    cat "$work/generate.log"
    echo "failed: the tree-sitter grammars are no grammars"
    failed=$((failed + 1))
fi

if [ ! -d "$EDITORS/vscode/node_modules" ]; then
    echo "npm's packages are not here: TextMate's tokens and the extension for VS Code are left out (make vscode brings them)"
elif PATH=$PROGRAMS_PATH sh editors/vscode/package.sh "$EDITORS/vscode" >"$work/package.log" 2>&1; then
    part vscode env PATH="$PROGRAMS_PATH" node tests/editors/vscode.mjs "$EDITORS/vscode" editors/textmate \
        "$EDITORS/vscode/crashlit.vsix"
else
    cat "$work/package.log"
    echo "failed: the extension for VS Code is packaged"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
