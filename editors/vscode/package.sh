#!/bin/sh
# package.sh FOLDER: makes FOLDER/crashlit.vsix of the extension: one script with the protocol's client in it, the
# grammars, the language configuration. Packages are as the lockfile says, and no script of theirs is run; once
# they are in FOLDER nothing is asked of the network.
set -eu
there=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
if ! cmp -s "$here/package-lock.json" "$there/made-by.json"; then
    cp "$here/package.json" "$here/package-lock.json" "$there"
    (cd "$there" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    cp "$here/package-lock.json" "$there/made-by.json"
fi
rm -rf "$there/extension" "$there/crashlit.vsix"
mkdir -p "$there/extension/dist" "$there/extension/syntaxes"
cp "$here/README.md" "$here"/language-configuration*.json "$there/extension"
cp "$here"/../textmate/*.tmLanguage.json "$there/extension/syntaxes"
# What packages are needed to build it is no part of it.
node -e '
    const about = JSON.parse(require("fs").readFileSync(process.argv[1]));
    delete about.devDependencies;
    delete about.private;
    process.stdout.write(JSON.stringify(about, null, 2) + "\n");
' "$here/package.json" >"$there/extension/package.json"
NODE_PATH=$there/node_modules "$there/node_modules/.bin/esbuild" "$here/extension.js" --bundle --platform=node \
    --format=cjs --target=node18 --external:vscode --minify --log-level=warning \
    --outfile="$there/extension/dist/extension.js"
(cd "$there/extension" && node ../node_modules/@vscode/vsce/vsce package --no-dependencies --skip-license \
    --allow-missing-repository --out "$there/crashlit.vsix") >"$there/vsce.log" 2>&1 || {
    cat "$there/vsce.log" >&2
    exit 1
}
echo "$there/crashlit.vsix"
