// build.mjs PAGE OUT SITE LITMUS LESSONS PLAYER MODELS: the page from its sources: grammars to parsers, scripts to one, the gallery from
// the tests, by their sources and by the lessons of LESSONS (tools/lessons.py) that name them; what moves is that of the pages of the program, from PLAYER; models are shown as they are in MODELS. OUT is for what is made on the way and has the packages, so this file is run from there; SITE gets
// crashlit.js and crashlit.wasm from the Makefile.
import { buildParserFile } from "@lezer/generator";
import { build } from "esbuild";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [page, out, site, litmus, lessonsFile, player, models] = process.argv.slice(2).map((path) => resolve(path));

function grammars() {
  for (const name of ["litmus.grammar", "cat.grammar"]) {
    const { parser, terms } = buildParserFile(readFileSync(join(page, name), "utf8"), { fileName: name });
    writeFileSync(join(out, "page", `${name}.js`), parser);
    writeFileSync(join(out, "page", `${name}.terms.js`), terms);
  }
}

// ---- Gallery ----

// What it is, by litmus/README.md's table.
function sources() {
  const table = readFileSync(join(litmus, "README.md"), "utf8").matchAll(/^\| `([\w-]+)\/` \| (.*) \|$/gm);
  return new Map(Array.from(table, ([, name, about]) => [name, about.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]/g, "")]));
}

const namedIn = (text) => Array.from(text.matchAll(/"([\w.-]+\.(?:def|cat|bell|litmus|ptx))"|expect\s+[\w.-]+\.cat|\b[\w-]+\.(?:cat|bell)\b/g), ([all, quoted]) => quoted ?? all.replace(/^expect\s+/, ""));

// The files beside a test that it names, and those that these name.
function beside(file, files) {
  const found = new Set([file]);
  for (const name of found) for (const other of namedIn(files[name])) if (other in files) found.add(other);
  found.delete(file);
  return [...found];
}

function folder(name) {
  const files = {};
  for (const file of readdirSync(join(litmus, name)).sort())
    if (/\.(litmus|def|cat|bell|ptx)$/.test(file)) files[file] = readFileSync(join(litmus, name, file), "utf8");
  // In the page a test's files have no folders.
  const alone = (text) => !/^code "[^"]*\//m.test(text);
  const tests = Object.keys(files).filter((file) => file.endsWith(".litmus") && alone(files[file])).map((file) => ({
    file, name: file.replace(/\.litmus$/, ""), title: /^"([^"\n]*)"/m.exec(files[file])?.[1] ?? "", beside: beside(file, files),
  }));
  return { files, tests };
}

// The tests of litmus/ that a lesson leads to, out of their folders.
function ofLesson({ number, name, title, tests }) {
  const made = { files: {}, tests: [] };
  for (const path of tests) {
    const [of, wanted] = path.split("/"), from = folder(of), test = from.tests.find((one) => one.name === wanted);
    if (!test) throw new Error(`lesson ${number}: there is no test ${path}`);
    for (const file of [test.file, ...test.beside]) {
      if ((made.files[file] ?? from.files[file]) !== from.files[file]) throw new Error(`lesson ${number}: two files are called ${file}`);
      made.files[file] = from.files[file];
    }
    made.tests.push(test);
  }
  writeFileSync(join(site, "gallery", `lesson-${name}.json`), JSON.stringify(made));
  return { name: `lesson-${name}`, title: `${number}. ${title}`, about: `What belongs to lesson ${number}.`, count: tests.length };
}

function gallery() {
  mkdirSync(join(site, "gallery"), { recursive: true });
  const abouts = sources(), index = JSON.parse(readFileSync(lessonsFile, "utf8")).map(ofLesson);
  for (const [name, about] of abouts) {
    const made = folder(name);
    if (!made.tests.length) continue; // in folders of their own: generated
    writeFileSync(join(site, "gallery", `${name}.json`), JSON.stringify(made));
    index.push({ name, title: name, about, count: made.tests.length });
  }
  writeFileSync(join(site, "gallery", "index.json"), JSON.stringify(index));
}

// ---- Models ----

// The texts of those that are built in, by their paths.
function modelTexts() {
  mkdirSync(join(site, "models"), { recursive: true });
  const paths = ["", "visibility", "persistency"].flatMap((under) => readdirSync(join(models, under)).filter((name) => name.endsWith(".cat")).map((name) => join(under, name)));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(models, path), "utf8")]));
}

// ---- Licences ----

// Of the packages that are in the page, as their licences ask for.
function licences() {
  const lock = JSON.parse(readFileSync(join(out, "package-lock.json"), "utf8"));
  const shipped = Object.entries(lock.packages).filter(([path, about]) => path && !about.dev).map(([path]) => path);
  const texts = shipped.flatMap((path) => {
    const file = readdirSync(join(out, path)).find((name) => /^licen[cs]e/i.test(name));
    return file ? [`==== ${path.replace("node_modules/", "")} ====\n\n${readFileSync(join(out, path, file), "utf8")}`] : [];
  });
  writeFileSync(join(site, "licences.txt"), texts.join("\n"));
}

rmSync(join(out, "page"), { recursive: true, force: true });
cpSync(page, join(out, "page"), { recursive: true });
cpSync(player, join(out, "page", "player"), { recursive: true });
grammars();
const style = [join(page, "style.css"), join(player, "player.css")].map((file) => readFileSync(file, "utf8")).join("");
writeFileSync(join(out, "page", "style.css"), style);
for (const name of ["main.js", "crashlit-test.js"])
  await build({
    entryPoints: [join(out, "page", name)], outfile: join(site, name), bundle: true, minify: true, format: "iife", target: "es2022",
    loader: { ".litmus": "text", ".css": "text" }, nodePaths: [join(out, "node_modules")], legalComments: "none", logLevel: "warning",
  });
for (const file of ["index.html", "icon.svg", "worker.js"]) cpSync(join(page, file), join(site, file));
writeFileSync(join(site, "style.css"), style);
gallery();
writeFileSync(join(site, "models", "all.json"), JSON.stringify(modelTexts()));
cpSync(lessonsFile, join(site, "lessons.json"));
licences();
const bytes = (path) => (statSync(path).isDirectory() ? readdirSync(path).reduce((sum, name) => sum + bytes(join(path, name)), 0) : statSync(path).size);
console.log(`site: ${Math.round(bytes(site) / 1024)} KiB`);
