// browser.mjs SITE CHROMIUM [SHOTS]: the page in a real browser, from a static server on this machine. SHOTS, a
// folder, gets screenshots. Run from the folder with the packages, as build.mjs is.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, gzipSync, inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";
import { tally } from "./tally.mjs";

const [site, executablePath, shots] = process.argv.slice(2);
const count = tally();
const server = await serve(site);
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
if (shots) mkdirSync(shots, { recursive: true });

const WIDE = { width: 1280, height: 720 }, PHONE = { width: 390, height: 844 };

// A page whose console, faults and requests are watched.
async function open(fragment = "", { viewport = WIDE, dark = false } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: dark ? "dark" : "light" });
  const page = await context.newPage();
  page.trouble = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.trouble.push(message.text()));
  page.on("pageerror", (fault) => page.trouble.push(String(fault)));
  page.on("dialog", (dialog) => { page.trouble.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => /^(blob|data):/.test(request.url()) || request.url().startsWith(origin) || page.trouble.push(`request to ${request.url()}`));
  await page.goto(`${origin}/${fragment && `#${fragment}`}`);
  await answered(page);
  return page;
}

async function close(page, what) {
  count.check(page.trouble.length === 0, `${what}: console and requests`, page.trouble.join("; ").slice(0, 500));
  await page.context().close();
}

const answered = (page) => page.waitForFunction(() => document.body.dataset.busy === "no", undefined, { timeout: 60_000 });
const headline = (page) => page.locator("#headline").innerText();
const shot = (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });
const editorText = (page) => page.evaluate(() => Array.from(document.getElementById("editor").shadowRoot.querySelectorAll(".cm-line"), (line) => line.textContent).join("\n"));

// Does what changes the answer, and waits for the next one.
async function after(page, body) {
  const before = await page.evaluate(() => document.body.dataset.answered);
  await body();
  await page.waitForFunction((old) => document.body.dataset.answered !== old && document.body.dataset.busy === "no", before, { timeout: 60_000 });
}

const activeLine = (page) => page.evaluate(() => document.getElementById("editor").shadowRoot.querySelector(".cm-activeLine").textContent);

// All of the text is replaced by what is pasted.
async function type(page, text) {
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.locator("#editor .cm-content").evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const view = (page, name) => after(page, () => page.locator(`#view-${name}`).click());
const unlink = (fragment) => JSON.parse(inflateRawSync(Buffer.from(fragment.replace(/^1=/, ""), "base64url")));
const link = (question) => `1=${deflateRawSync(JSON.stringify(question)).toString("base64url")}`;
const contains = (text, part, what) => count.check(text.includes(part), what, JSON.stringify(text.slice(0, 300)));

// The address that the button makes, opened anew.
async function linked(page) {
  await page.evaluate(() => history.replaceState(null, "", location.pathname));
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.length > 20);
  return open(new URL(page.url()).hash.slice(1));
}

const BARE = `OPENCL pair
{ nvm value = 0; nvm valid = 0; }
P0@wg 0 (global int* value, global int* valid) {
  *value = 42;
  *valid = 1;
}
crash ~exists (valid = 1 /\\ value = 0)
`;
// Nothing orders two stores to NVM without a barrier, under epoch (SPB section 2): the state is reached; a work-item's
// barrier between them orders them (definition 1), and then it is not.
const ORDERED = BARE.replace("  *valid", "  p_barrier_wi;\n  *valid");

const MARKUP = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

await count.part("load", async () => {
  const page = await open();
  contains(await headline(page), "Violated: a crash can leave value=0, valid=1 (condition 1, line ", "the first test is violated");
  count.check((await page.locator("tr.breaks").count()) === 1, "one of its states is marked");
  count.check((await page.locator("tr.breaks td").allInnerTexts()).join(" ").startsWith("✗ "), "by a mark that is no colour");
  count.check(await page.locator(".execution[open] img").first().evaluate((image) => image.complete && image.naturalWidth > 100), "the picture of the crash is drawn");
  count.check((await page.locator("#visibility option").count()) > 5 && (await page.locator("#persistency option").count()) > 5, "models are listed");
  const families = await page.locator("#persistency optgroup").evaluateAll((all) => all.map(({ label, firstElementChild }) => `${label}: ${firstElementChild.value}`));
  count.check(families[0] === "SPB: epoch" && families.length > 4 && (await page.locator("#visibility optgroup option").first().getAttribute("value")) === "hrf-direct", "models are listed by family, the default first", families.join("; "));
  await shot(page, "wide-light");
  await close(page, "load");
});

await count.part("edit", async () => {
  const page = await open();
  await after(page, () => type(page, ORDERED));
  contains(await headline(page), "Holds", "with a barrier it holds");
  await after(page, () => page.locator("#persistency").selectOption("none"));
  contains(await headline(page), "Violated", "without a persistency model it does not");
  await after(page, () => page.locator("#persistency").selectOption("epoch"));
  await after(page, () => type(page, BARE.replace("*valid = 1", "*valid = oops")));
  contains(await headline(page), "cannot be read", "a mistake is told");
  contains(await page.locator("#view").innerText(), "'oops' is no register", "in the program's words");
  count.check((await page.locator("#editor .cm-lintRange-error").count()) === 1, "and marked where it is");
  await shot(page, "mistake");
  await after(page, () => page.locator("#editor .cm-content").press("Control+z"));
  contains(await headline(page), "Holds", "and taken back");
  // Two bytes of UTF-8 stand before it in its line.
  await after(page, () => type(page, ORDERED.replace("*valid = 1", "/* é */ *vaild = 1")));
  contains(await page.locator("#view .messages .fix").innerText(), "Write valid", "a near name is offered");
  await shot(page, "fix");
  await after(page, () => page.locator("#view .messages .fix").click());
  contains(await editorText(page), "/* é */ *valid = 1", "and stands there when it is taken");
  contains(await headline(page), "Holds", "which mends the test");
  await close(page, "edit");
});

// What can be read and is most likely not meant: told beside the verdict, which is right of what stands there.
await count.part("warning", async () => {
  const page = await open(link({ f: [["pair.litmus", ORDERED.replace("crash ~exists", "~exists")]], m: "hrf-direct", p: "epoch" }));
  contains(await headline(page), "what a crash leaves is not asked", "a condition without `crash` is answered, and what it does not ask is told");
  contains(await page.locator("#view .messages li.warning").innerText(), "warning: this is about the end of the program, not about a crash", "and what it is about is told");
  count.check((await page.locator("#editor .cm-lintRange-warning").count()) === 1, "and marked");
  await view(page, "explain");
  contains(await page.locator("#view").innerText(), "warning: this is about the end", "in other views as well");
  await after(page, () => type(page, ORDERED.replace("valid = 1 /\\ value = 0", "valid = 7")));
  await view(page, "check");
  contains(await headline(page), "Holds, but nothing is asked: no values that the program stores meet it (valid is only ever 0 or 1)", "that nobody stores 7 is told first");
  contains(await page.locator(".conditions .remark").innerText(), "This asks nothing: no values that the program stores meet it", "and beside the condition");
  await view(page, "explain");
  contains(await headline(page), "Condition 1 holds, but asks nothing: no values that the program stores meet it", "and in its reasons");
  await view(page, "check");
  await after(page, () => type(page, ORDERED));
  count.check((await page.locator("#view .messages").count()) === 0, "and where nothing is to be said nothing is");
  await after(page, () => type(page, "OPENCL volatile\n{ int x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\nfinal exists (x = 1)\n"));
  count.check((await page.locator(".states").count()) === 1, "without a location in NVRAM there are no crash states to show");
  await close(page, "warning");
});

// P1 reads a = 1 and b = 0 in no execution of sc, which its first check says; the other pairs of sources are possible.
await count.part("cases", async () => {
  const mp = "C mp\n{ int x = 0; int y = 0; }\nP0 (int* x, int* y) {\n  *x = 1;\n  *y = 1;\n}\nP1 (int* x, int* y) {\n  int a = *y;\n  int b = *x;\n}\nfinal ~exists (1:a = 1 /\\ 1:b = 0)\n";
  const page = await open(link({ f: [["mp.litmus", mp]], m: "sc", p: "none", e: "auto", v: "cases" }));
  contains(await headline(page), "cases are all there are, each with what ends it", "why the states are all there are");
  contains(await page.locator(".cases summary").first().innerText(), "P0 ends (line 4, line 5), P1 ends (line 8, line 9)", "by paths");
  const lost = page.locator(".cases li", { hasText: "it breaks" });
  count.check((await lost.count()) === 1 && (await lost.innerText()).includes("the initial W x"), "one case breaks a rule", (await lost.allInnerTexts()).join());
  await page.locator(".cases summary").first().click({ position: { x: 4, y: 8 } });
  count.check(!(await lost.isVisible()), "and is folded away");
  await page.locator(".cases summary").first().click({ position: { x: 4, y: 8 } });
  await lost.locator("xpath=ancestor::details[1]/summary").locator("button.line").last().click();
  count.check((await activeLine(page)).includes("int b"), "a line leads into the test");
  await shot(page, "cases");
  await close(page, "cases");
});

// What a compiler wrote stands beside the test as a file of its own: the block's fence persists nothing under gpm.
await count.part("kernel", async () => {
  const { files } = JSON.parse(readFileSync(join(site, "gallery", "cuda.json"), "utf8"));
  const page = await open(link({ f: ["log-block.litmus", "log.ptx"].map((name) => [name, files[name]]), m: "ptx", p: "gpm", e: "auto" }));
  contains(await headline(page), "Violated", "a kernel's test is answered");
  contains(await headline(page), "log[0].value=0, log[0].valid=1", "with the state that a crash can leave");
  await view(page, "explain");
  contains(await page.locator("#view").innerText(), "log.cu:", "and the place in the kernel's source");
  await shot(page, "kernel");
  await close(page, "kernel");
});

await count.part("launch", async () => {
  const { files } = JSON.parse(readFileSync(join(site, "gallery", "cuda.json"), "utf8"));
  const read = (name) => ({ name, mimeType: "text/plain", buffer: Buffer.from(files[name]) });
  const page = await open(), tab = (name) => page.locator("#files button", { hasText: name });
  count.check(await page.locator("#launch").isHidden(), "a test has no field for a launch");
  await after(page, () => page.locator("#from-computer").setInputFiles(read("flag.ptx")));
  count.check(await tab("flag.ptx").getAttribute("aria-selected") === "true", "an opened file is shown");
  contains(await page.locator("#launch-text").inputValue(), "<<<2, 1>>>(nvm u32 p0[4]", "a kernel of it is launched, to begin with");
  await page.locator("#launch-text").fill("hand_over_block<<<2, 1>>>(u32 data, u32 flag, u32 out)");
  await shot(page, "launch");
  await after(page, () => page.locator("#launch-make").click());
  // Block 0 writes the datum and then a flag, with a fence of its own block between them; block 1 sees the flag and reads the datum: nothing
  // of a scope that holds both synchronises, so they race.
  contains(await editorText(page), "host { hand_over_block<<<2, 1>>>(&data, &flag, &out); }", "a test of the launch");
  contains(await headline(page), "Violated: race", "and its answer");
  await tab("flag.ptx").click();
  count.check(await page.locator("#launch-text").inputValue() === "hand_over_block<<<2, 1>>>(u32 data, u32 flag, u32 out)", "what was launched is still there");
  await after(page, () => page.locator("#launch-make").click());
  count.check(await tab("hand_over_block-2.litmus").isVisible() && await tab("hand_over_block.litmus").isVisible(), "a test that is there is not written over");
  await tab("flag.ptx").click();
  await page.locator("#launch-text").fill("hand_over_block<<<2, 1>>>(u32 data");
  await page.keyboard.press("Enter");
  await page.locator("#notice:not([hidden])").waitFor();
  contains(await page.locator("#notice").innerText(), "This cannot be launched: ", "a launch that is none is told");
  await page.evaluate(() => {
    const given = new DataTransfer();
    given.items.add(new File(["OPENCL dropped\n{ nvm x = 0; }\nP0 { x = 1; }\ncrash exists (x = 1)\n"], "dropped.litmus"));
    given.items.add(new File(["x"], "picture.png"));
    document.getElementById("editor").dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.getElementById("headline").textContent.includes("Holds: a crash can leave x=1"), undefined, { timeout: 60_000 });
  contains(await editorText(page), "OPENCL dropped", "a file that is dropped is shown, and not put into the text");
  contains(await page.locator("#notice").innerText(), "“picture.png” is left out", "what the page does not read is told");
  await close(page, "launch");
});

await count.part("place", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "enum", v: "narrow" }));
  contains(await headline(page), "Nothing is narrowed, as the test does not hold as it stands", "a test that is violated has nothing to narrow");
  await after(page, () => page.locator(".sentence .line").click());
  contains(await headline(page), "This will do: every condition holds with it", "from there a repair is found");
  contains(await page.locator(".sentence").innerText(), "Add p_barrier_wi at line 5.", "and said in a sentence");
  count.check((await page.locator(".difference .comes").allInnerTexts()).join().includes("p_barrier_wi;") && (await page.locator(".difference .goes").count()) === 0, "as a difference");
  contains(await page.locator(".needs").innerText(), "Without it ~exists (valid=1 /\\ value=0) is violated", "with why nothing less will do");
  await shot(page, "repair");
  count.check((await page.locator(".difference .number").evaluateAll((all) => Math.max(...all.map((cell) => cell.getBoundingClientRect().height)))) < 30, "whose numbers stand in one line");
  await after(page, () => page.locator(".apply").first().click());
  contains(await headline(page), "Holds", "and holds when it is taken");
  contains(await editorText(page), "p_barrier_wi;", "which the editor shows");
  await after(page, () => type(page, ORDERED.replace("_wi", "_wg")));
  await view(page, "narrow");
  contains(await page.locator("#view").innerText(), "p_barrier_wi", "a barrier that is too wide is narrowed");
  await close(page, "place");
});

await count.part("why", async () => {
  const page = await open(link({ f: [["pair.litmus", ORDERED]], m: "hrf-direct", p: "epoch", e: "auto" }));
  const began = Date.now();
  await view(page, "explain");
  console.log(`the first reason, with Z3 loaded: ${Date.now() - began} ms`);
  const text = await page.locator("#view").innerText();
  // The barrier is all that keeps the two stores in order, and strictly narrower than a work-item's there is none.
  contains(text, "valid=1 /\\ value=0 is out of reach: p_barrier_wi at line 5 keeps it out.", "what keeps the state out of reach is told in a sentence");
  contains(await page.locator(".why .needs li").first().innerText(), "line 5 p_barrier_wi Without it the state is reached: value=0, valid=1", "and the line that does, with what becomes of the state without it");
  contains(await page.locator(".reasons > .needed").innerText(), "needed", "of the rules those are marked that have no stand-in");
  count.check(!/Without any one of these|because of these/.test(text), "nothing is said in riddles");
  count.check(await page.locator(".execution[open] img").evaluate((image) => image.complete && image.naturalWidth > 100), "with the picture of the near miss");
  await shot(page, "why");
  await page.locator(".needs button", { hasText: "line 5" }).first().click();
  count.check((await activeLine(page)).includes("p_barrier_wi"), "which is a way to that line");
  await close(page, "why");
});

// Of three conditions the second alone is broken: nothing orders the two stores, and each is of the value asked for. The third asks nothing: nobody stores 7.
await count.part("why, the broken condition first", async () => {
  const three = `${BARE.replace(/^crash.*\n/m, "")}crash exists (value = 42)\ncrash ~exists (valid = 1 /\\ value = 0)\ncrash ~exists (value = 7)\n`;
  const page = await open(link({ f: [["pair.litmus", three]], m: "hrf-direct", p: "epoch", e: "auto", v: "explain" }));
  contains(await headline(page), "✗ Condition 2 is broken: a crash can leave value=0; valid=1.", "the headline is about what is broken");
  const articles = await page.locator("#view > .why h3").allInnerTexts();
  count.check(articles.map((words) => /Condition (\d)/.exec(words)[1]).join("") === "231", "which comes first, then what asks nothing, then the others", articles.join("; "));
  const first = page.locator("#view > .why").first(), steps = await first.locator(".steps > li").allInnerTexts();
  contains(await first.locator(".sentence").innerText(), "nothing makes P0's W value at line 4 durable before P0's W valid at line 5", "with the reason in its sentence");
  contains(steps[0], "lost in the crash", "the step whose store is lost says so");
  count.check(steps.some((words) => words.includes("Power fails here")), "and the crash is a step");
  await first.locator(".sentence .line").last().click();
  count.check((await activeLine(page)).includes("*valid"), "a line in a sentence leads there");
  contains(await first.locator(".difference .comes").innerText(), "p_barrier_wi;", "what mends it is a difference");
  await after(page, () => first.locator(".apply").click());
  contains(await headline(page), "Holds", "with a button that takes it");
  await close(page, "why, the broken condition first");
});

// SB under SC: po, fr, po, fr is a cycle of four events, each of which is on the chain (and the first again).
await count.part("why, the chain of a rule", async () => {
  const text = `C sb\n{ x = 0; y = 0; }\nP0 (atomic_int* x, atomic_int* y) {\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n  int r = atomic_load_explicit(y, memory_order_relaxed);\n}\nP1 (atomic_int* x, atomic_int* y) {\n  atomic_store_explicit(y, 1, memory_order_relaxed);\n  int r = atomic_load_explicit(x, memory_order_relaxed);\n}\nexists (0:r = 0 /\\ 1:r = 0)\n`;
  const page = await open(link({ f: [["sb.litmus", text]], m: "sc", p: "none", e: "auto", v: "explain" }));
  contains(await headline(page), "✗ Condition 1 is broken: 0:r=0 /\\ 1:r=0 is out of reach.", "an exists in vain is broken");
  const chain = await page.locator(".chain li").allInnerTexts();
  count.check(chain.map((words) => /line (\d+)/.exec(words)[1]).join() === "4,5,8,9,4", "the check's cycle is a chain, each event with its line", chain.join("; "));
  // P1 reads what P0 has stored (rf), so its barrier orders that before its own store: W x, R x, barrier, W y.
  const read = await open(link({ f: [["chain.litmus", `OPENCL chain\n{ nvm atomic_int x = 0; nvm atomic_int y = 0; }\nP0@wg 0 { x.store(1, mo_rlx, dev_scope); }\nP1@wg 1 { int r = x.load(mo_rlx, dev_scope);\n  p_barrier_wi;\n  y.store(r, mo_rlx, dev_scope); }\ncrash ~exists (y = 1 /\\ x = 0)\n`]], m: "hrf-direct", p: "epoch", e: "auto", v: "explain" }));
  const way = await read.locator(".reasons .chain").first().locator("li").allInnerTexts();
  count.check(way.map((words) => `${/^(\w*) ?P/.exec(words)[1]}${/line (\d+)/.exec(words)[1]}`).join() === "3,rf4,po5,po6", "a rule's way between its events is a chain, by relations", way.join("; "));
  const said = await read.locator(".reasons").innerText(); // the record's words have the way too: "by P0's W x -rf-> ..."
  count.check(!said.includes("-po->"), "and is shown once", said);
  await shot(read, "chain");
  await close(read, "why, a rule's way");
  await page.locator(".reasons .line", { hasText: "sc.cat" }).click();
  contains(await page.locator("#reading .wanted").innerText(), "sequential-consistency", "and the rule's text opens at its line");
  await page.keyboard.press("Escape");
  count.check(!(await page.locator("#reading").isVisible()), "Escape closes it");
  await close(page, "why, the chain of a rule");
});

await count.part("crash", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto", v: "crash" }));
  const player = page.locator(".player").first(), holds = () => player.locator(".leaves").innerText();
  contains(await player.innerText(), "breaks ~exists", "the execution that breaks the condition comes first");
  contains(await holds(), "value=0; valid=1", "at the crash that breaks it");
  contains(await player.locator("tr.lost").innerText(), "W value = 42", "where one store is lost");
  contains(await player.locator("tr.durable").innerText(), "W valid = 1", "and the other durable");
  await shot(page, "crash");
  // Nothing orders the two stores: each is durable or not, whatever the other is.
  contains(await player.innerText(), "of 4: every choice", "two open stores are four choices");
  await player.locator("[role=switch][data-event='0']").click();
  contains(await holds(), "value=42; valid=1", "a switch makes the other durable as well");
  count.check((await page.evaluate(() => document.activeElement.dataset.event)) === "0", "and keeps the focus");
  await player.focus();
  await page.keyboard.press("Home");
  contains(await holds(), "value=0; valid=0", "by keyboard to the start: nothing is durable");
  count.check((await player.locator("tr.ahead").count()) === 2, "as nothing has executed");
  await player.locator("input[type=range]").fill("1");
  count.check((await player.locator("tr.ahead").count()) === 1, "the slider moves the crash");
  await after(page, () => type(page, ORDERED));
  await player.focus();
  await page.keyboard.press("End");
  // The barrier is complete when the first store is durable (epoch), so the second alone is open.
  count.check((await player.locator("[role=switch]").count()) === 1, "behind a barrier one store is open");
  await close(page, "crash");
});

// Recovery adds 2 to what it finds: 0 where the store is lost, 1 where it is durable.
const RECOVERED = `OPENCL again
{ nvm x = 0; }
P0 (global int* x) { *x = 1; }
recovery (global int* x) { int r = *x; *x = r + 2; }
recovered forall (x = 2 \\/ x = 3)
`;

await count.part("crash, recovery", async () => {
  const page = await open(link({ f: [["again.litmus", RECOVERED]], m: "hrf-direct", p: "epoch", e: "auto", v: "crash" }));
  const player = page.locator(".player").first();
  await player.focus();
  await page.keyboard.press("Home");
  contains(await player.locator(".after").innerText(), "Recovery leaves x=2", "recovery before the store");
  await page.keyboard.press("End");
  const ends = [await player.locator(".after").innerText()];
  await page.keyboard.press("ArrowDown");
  ends.push(await player.locator(".after").innerText());
  count.check(ends.some((text) => text.includes("x=2")) && ends.some((text) => text.includes("x=3")), "and behind it, with the store lost and durable", ends.join("; "));
  await close(page, "crash, recovery");
});

await count.part("machine", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto", v: "machine" }));
  const player = page.locator(".player").first();
  const choices = await page.locator("#machine option").allInnerTexts();
  count.check(choices.includes("nvw-fifo") && choices.includes("ideal-sc") && !choices.includes("bpfs"), "machines that promise the pair are offered", choices.join(" "));
  contains(await headline(page), "How nvw-fifo comes to it", "a run is found");
  await player.focus();
  await page.keyboard.press("ArrowRight");
  contains(await player.locator(".what").innerText(), "P0, line 4: *value = 42", "it goes by steps");
  count.check((await activeLine(page)).includes("*value"), "with the line in the editor");
  await page.keyboard.press("p");
  // A store that is in a cache is not in the NVRAM.
  contains(await player.locator(".after").innerText(), "Power fails: value=0; valid=0", "power fails after it");
  await page.keyboard.press("End");
  await player.locator(".fail").click();
  contains(await player.locator(".after").innerText(), "Power fails: value=0; valid=1", "and at the end, in the state that was asked for");
  await shot(page, "machine");
  await after(page, () => page.locator("#machine").selectOption("ideal-sc"));
  contains(await player.locator(".title").innerText(), "ideal-sc: to the crash state", "another machine is chosen");
  await after(page, async () => { await page.locator("#goal").fill("valid=7"); await page.keyboard.press("Enter"); });
  contains(await headline(page), "ideal-sc never comes there", "no store is of 7");
  contains(await page.locator("#view").innerText(), "Nor does any other built-in machine", "nor elsewhere");
  await after(page, async () => { await page.locator("#goal").fill(MARKUP); await page.keyboard.press("Enter"); });
  count.check((await page.locator("#view img, #view script, #headline *").count()) === 0, "a state that is none stays text");
  contains(await headline(page), "--state", "and is refused in words");
  await after(page, async () => { await page.locator("#goal").fill(""); await page.keyboard.press("Enter"); });
  contains(await headline(page), "How ideal-sc comes to it", "which is mended at once");
  // bpfs-small has both words in one block, which persists whole; bpfs writes a word alone.
  await after(page, () => page.locator("#persistency").selectOption("buffered-epoch"));
  await after(page, () => page.locator("#machine").selectOption("bpfs-small"));
  contains(await headline(page), "bpfs-small never comes there", "a machine that never shows the state");
  contains(await page.locator("#view").innerText(), "bpfs shows it after 4 steps; it promises hrf-direct + buffered-epoch", "and the one that does");
  await shot(page, "machine-never");
  await after(page, () => page.locator("#persistency").selectOption("none"));
  contains(await headline(page), "No built-in machine promises hrf-direct + none", "a pair that nobody promises");
  await after(page, () => page.locator("#persistency").selectOption("gpm"));
  contains(await headline(page), "No built-in machine promises hrf-direct + gpm; gpm promises sc + gpm. ", "one of the same persistency is run, and said to be");
  await view(page, "check");
  count.check(!(await page.locator("#run").isVisible()), "other views have no machine");
  await close(page, "machine");
});

// Recovery trusts a mark, and nothing makes the entry durable before it; recovered conditions alone.
const TRUSTING = `OPENCL trusting
{ nvm entry = 0; nvm mark = 0; nvm copy = 0; }
P0 (global int* entry, global int* mark) { *entry = 1; *mark = 1; }
recovery (global int* entry, global int* mark, global int* copy) {
  int m = *mark;
  if (m == 1) { int e = *entry; *copy = e + 1; }
}
recovered ~exists (copy = 1)
recovered ~exists (copy = 7)
`;

await count.part("machine, recovery", async () => {
  const page = await open(link({ f: [["trusting.litmus", TRUSTING]], m: "hrf-direct", p: "epoch", e: "auto", v: "machine", h: "ideal-sc" }));
  contains(await headline(page), "How ideal-sc comes to 1 of 2 states", "conditions on what recovery leaves have runs");
  const player = page.locator(".player").first();
  contains(await player.locator(".title").first().innerText(), "to a crash from which recovery leaves entry=0; mark=1; copy=1", "to the crash that recovery fails after");
  await player.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("p");
  contains(await player.locator(".after").first().innerText(), "Power fails: entry=0; mark=1; copy=0", "the mark alone is durable");
  const recovery = player.locator(".player.inner");
  contains(await recovery.locator(".title").innerText(), "it leaves entry=0; mark=1; copy=1", "recovery follows");
  await recovery.focus();
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
  // Lines 5 and 6 of the test: it reads the mark, then the entry that is lost.
  contains(await recovery.locator(".what").innerText(), "recovery P0, line 6: *entry (e = 0)", "step by step");
  contains(await activeLine(page), "*entry;", "with the line in the editor");
  await shot(page, "machine-recovery");
  const other = await linked(page);
  contains(await other.locator(".player").first().innerText(), "Power fails: entry=0; mark=1; copy=0", "a link leads there");
  await close(other, "machine, recovery, its link");
  contains(await page.locator("#view > .player").nth(1).innerText(), "Never: ideal-sc does not show a state for ~exists (copy=7)", "what recovery never leaves is told");
  await close(page, "machine, recovery");
});

await count.part("compare", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto", v: "compare" }));
  const rows = await page.locator(".compare tbody tr").allInnerTexts();
  const of = (pair) => rows.find((row) => row.startsWith(`hrf-direct + ${pair}\t`)) ?? "";
  contains(of("epoch"), "Violated", "epoch is violated");
  // strict: persists in the order of execution.
  contains(of("strict"), "Holds", "strict holds");
  contains(of("none"), "Violated", "none is violated");
  await shot(page, "compare");
  await close(page, "compare");
});

await count.part("gallery", async () => {
  const page = await open();
  await page.locator("#open-gallery").click();
  await page.locator("#folder").selectOption("spb");
  await page.locator("#find").fill("figure 4");
  await page.locator("#tests button").first().waitFor();
  await shot(page, "gallery");
  await after(page, () => page.locator("#tests button", { hasText: "the whole of figure 4" }).click());
  contains(await editorText(page), "OPENCL fig4", "a test is taken from the gallery");
  await after(page, async () => { await page.locator("#visibility").selectOption("hrf-direct"); await page.locator("#persistency").selectOption("epoch"); });
  await answered(page);
  // The first choice of the README: the collective reading diverges.
  contains(await headline(page), "Undefined: barrier-divergence: P0 waits in PB WG at line 6", "figure 4 diverges under epoch");
  const began = Date.now();
  await after(page, () => page.locator("#persistency").selectOption("epoch-individual"));
  console.log(`figure 4, from the choice to the answer: ${Date.now() - began} ms`);
  contains(await headline(page), "Undefined: race", "and is a race under epoch-individual");
  await shot(page, "figure-4");
  await page.locator("#persistency").selectOption("epoch");
  await view(page, "crash");
  // No execution comes past the barrier that diverges.
  contains(await headline(page), "No execution to show: behaviour is undefined", "of no execution there is no crash to move");
  await close(page, "gallery");
});

await count.part("several files", async () => {
  // Everything persists in program order under this one, so the bare pair holds.
  const model = 'mine "program order persists"\nlet persist-before = [W & NVM]; po; [W & NVM]\nlet durable-before = 0\n';
  const page = await open(link({ f: [["pair.litmus", BARE], ["mine.cat", model]], m: "hrf-direct", p: "mine.cat" }));
  contains(await headline(page), "Holds", "a model of one's own is used");
  await page.locator("#files [role=tab]", { hasText: "mine.cat" }).click();
  contains(await editorText(page), "let persist-before", "and shown");
  await after(page, () => type(page, model.replace("po;", "0;")));
  contains(await headline(page), "Violated", "and edited");
  await close(page, "several files");
  // Under its own definition file's strict the order of the two stores is kept, under epoch it is not; a comment uses nothing.
  const named = BARE.replace("{ nvm", 'uses "own.def"\n{ nvm'), own = ["own.def", "// models sc + epoch\nmodels sc + strict\n"];
  for (const [text, pair, word] of [[named, "sc + strict", "Holds"], [named.replace(/uses.*/, '/*\nuses "cuda.def"\n*/'), "hrf-direct + epoch", "Violated"]]) {
    const used = await open(link({ f: [["pair.litmus", text], own] }));
    const chosen = await used.locator("#visibility, #persistency").evaluateAll((all) => all.map(({ value }) => value).join(" + "));
    count.check(chosen === pair, `a definition file of one's own names ${pair}`, chosen);
    contains(await headline(used), word, `under ${pair}`);
    await close(used, "definition file");
  }
  // Models follow what is typed until they are chosen by hand.
  const typed = await open(link({ f: [["pair.litmus", BARE]] })), pair = async () => (await typed.locator("#visibility, #persistency").evaluateAll((all) => all.map(({ value }) => value).join(" + ")));
  for (const [file, wanted] of [["cuda", "ptx + gpm"], ["", "hrf-direct + epoch"]]) {
    await after(typed, () => type(typed, file ? BARE.replace("{ nvm", `uses "${file}.def"\n{ nvm`) : BARE));
    count.check((await pair()) === wanted, `a test that is typed has the models ${wanted}`, await pair());
  }
  await after(typed, () => typed.locator("#visibility").selectOption("sc"));
  await after(typed, () => type(typed, BARE.replace("{ nvm", 'uses "cuda.def"\n{ nvm')));
  count.check((await pair()) === "sc + epoch", "what is chosen by hand stays", await pair());
  await close(typed, "models that follow");
});

await count.part("link", async () => {
  const page = await open();
  const odd = ORDERED.replace("pair", "wide").replace("= 42", "= 7") + "// ü <b>bold</b>\n";
  await after(page, () => type(page, odd));
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.length > 20);
  const fragment = new URL(page.url()).hash.slice(1);
  const other = await open(fragment);
  count.check((await editorText(other)) === (await editorText(page)), "a link brings the whole test back");
  count.check((await headline(other)) === (await headline(page)), "and its answer");
  await close(other, "link followed");
  const framed = await open(`${fragment}&embed`);
  count.check((await framed.locator("#whole").isVisible()) && !(await framed.locator("#open-gallery").isVisible()), "an embedded page is small, and leads to the whole");
  await shot(framed, "embed");
  await close(framed, "embed");
  await close(page, "link");
});

await count.part("link, the crash", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "enum", v: "crash" }));
  const said = (of) => of.locator(".player").first().innerText();
  // Behind both stores, each durable or not: of the four cuts the one with the first store alone is not what is shown first.
  await page.locator(".player").first().focus();
  await page.keyboard.press("End");
  await page.locator(".player [role=switch][data-event='0']").first().click();
  await page.locator(".player [role=switch][data-event='1']").first().click();
  contains(await said(page), "value=42; valid=0", "a cut is chosen");
  const other = await linked(page);
  contains(await said(other), "value=42; valid=0", "a link brings it back");
  count.check((await said(other)) === (await said(page)), "with all that is shown");
  const again = await linked(other);
  contains(await said(again), "value=42; valid=0", "and so does the link of who followed it");
  await close(again, "link, the crash, twice");
  await close(other, "link, the crash, followed");
  await after(page, () => type(page, ORDERED));
  const fresh = await linked(page);
  count.check((await said(fresh)) === (await said(page)) && !(await fresh.locator("#notice").isVisible()), "a new answer begins anew, and so does its link");
  await close(fresh, "link, the crash, anew");
  await close(page, "link, the crash");
});

// Two executions, the load before the store and behind it, and a crash of either: what `enum` lists first `smt` need not.
const READING = `OPENCL reading
{ nvm atomic_int x = 0; nvm atomic_int y = 0; }
P0 (global atomic_int* x) { x.store(1, mo_rlx, dev_scope); }
P1 (global atomic_int* x, global atomic_int* y) { int r = x.load(mo_rlx, dev_scope); y.store(r + 1, mo_rlx, dev_scope); }
crash exists (y = 2 /\\ x = 0)
crash exists (y = 1 /\\ x = 0)
crash ~exists (x = 1 /\\ y = 0)
`;
const playerTitled = (page, title) => page.locator("#view > .player", { has: page.locator(".title").getByText(title, { exact: true }) });

await count.part("link, the crash, by what it is", async () => {
  const asked = { f: [["reading.litmus", READING]], m: "hrf-direct", p: "epoch", e: "enum", v: "crash" };
  const page = await open(link(asked));
  const titles = await page.locator("#view > .player > .title").allInnerTexts();
  count.check(titles.length >= 3 && new Set(titles).size === titles.length, "there are several executions", titles.join("; "));
  for (const [i, title] of titles.entries()) {
    const player = playerTitled(page, title);
    await player.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    if (i % 2) await page.keyboard.press("ArrowRight");
    const shown = await player.locator(".events").innerText();
    const other = await linked(page), said = unlink(new URL(other.url()).hash.slice(1));
    count.check(/^[0-9a-f]{32}$/.test(said.s[0]), `${title}: its link has no number of an execution`, JSON.stringify(said.s));
    count.check((await playerTitled(other, title).locator(".events").innerText()) === shown, `${title}: a link brings the place back`);
    await close(other, `${title}: followed`);
    const solved = await open(link({ ...said, e: "smt" }));
    count.check(await solved.locator("#notice").isHidden(), `${title}: another engine has it as well`);
    // Where it lists that very execution for the same condition it is shown there, else at another that has the cut.
    const all = await solved.locator("#view > .player .events").allInnerTexts();
    count.check(all.some((one) => one.replace(/^\d+/gm, "") === shown.replace(/^\d+/gm, "")), `${title}: and shows it`, `${shown} | ${all.join(" | ")}`);
    await close(solved, `${title}: followed with smt`);
  }
  // The form of old: the n-th execution, a place, events that are durable there.
  const old = await open(link({ ...asked, s: [0, 1, []] }));
  contains(await old.locator("#view > .player .place").first().innerText(), "crash after 1 of", "a link of the old form is read");
  count.check(await old.locator("#notice").isHidden(), "and found");
  await close(old, "link, the crash, of old");
  await close(page, "link, the crash, by what it is");
});

await count.part("link, the machine", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto", v: "machine" }));
  await after(page, () => page.locator("#machine").selectOption("ideal-sc"));
  await after(page, async () => { await page.locator("#goal").fill("value=42, valid=0"); await page.keyboard.press("Enter"); });
  const said = (of) => of.locator(".player").first().innerText();
  await page.locator(".player").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("p");
  // One store has executed, and ideal-sc has written nothing to NVRAM yet.
  contains(await said(page), "Power fails: value=0; valid=0", "power fails after a step");
  const other = await linked(page);
  count.check((await other.locator("#machine").inputValue()) === "ideal-sc" && (await other.locator("#goal").inputValue()) === "value=42, valid=0", "a link brings back machine and state");
  contains(await said(other), "step 1 of", "and the step");
  contains(await said(other), "Power fails: value=0; valid=0", "and that power failed there");
  await close(other, "link, the machine, followed");
  await view(page, "check");
  const verdict = await linked(page);
  await view(verdict, "machine");
  count.check((await verdict.locator("#machine").inputValue()) === "ideal-sc", "another view's link has the machine as well");
  await close(verdict, "link, the machine, from another view");
  await close(page, "link, the machine");
});

const HOSTILE = {
  // Names and texts are shown as they are, or refused.
  markup: [link({ f: [["pair.litmus", BARE.replace("OPENCL pair", "OPENCL pair\n\"" + MARKUP.replaceAll('"', "'") + "\"").replace("*valid = 1", MARKUP)]] }), "cannot be read yet"],
  name: [link({ f: [[`${MARKUP}.litmus`, BARE]] }), "Violated", "no proper name"],
  path: [link({ f: [["../../crashlit.js", BARE]] }), "Violated", "no proper name"],
  shape: [link({ f: { length: 1e9 } }), "Violated", "no files"],
  number: [link(7), "Violated", "no files"],
  model: [link({ f: [["pair.litmus", BARE]], m: MARKUP, p: "--format=html=x", e: "x", v: "constructor", h: "constructor" }), "Violated", 'engine “x”, machine “constructor”, view “constructor”'],
  "no words": [link({ f: [["pair.litmus", BARE]], m: { toString: 1 }, p: 7, e: null, v: ["check"], h: {} }), "Violated", "view “?”"],
  machine: [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "machine", h: "--fault" }), "How nvw-fifo comes to it", "machine “--fault”"],
  "machine of other models": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "machine", h: "bpfs" }), "How nvw-fifo comes to it", "machine “bpfs”"],
  goal: [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "machine", g: `--fault ${MARKUP}` }), "--state"],
  "long goal": [link({ f: [["pair.litmus", BARE]], v: "machine", g: "x=1,".repeat(1000) }), "Violated", "more than 1000 characters"],
  "no goal": [link({ f: [["pair.litmus", BARE]], v: "machine", g: ["x=1"] }), "Violated", "is none"],
  "step behind the end": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "machine", s: [0, 999] }), "How nvw-fifo comes to it", "is not in what is shown"],
  "run that is not there": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "machine", s: [7, 1, 1] }), "How nvw-fifo comes to it", "is not in what is shown"],
  "crash behind the end": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "crash", s: [0, 3, [0]] }), "Move the crash", "is not in what is shown"],
  // Before both stores nothing can be durable.
  "cut that no model allows": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "crash", s: [0, 0, [0, 1]] }), "Move the crash", "is not in what is shown"],
  "place of another view": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "machine", s: [0, 1, [0]] }), "How nvw-fifo comes to it"],
  "place without a view": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", s: [0, 0] }), "Violated", "is not in what is shown"],
  "place that is none": [link({ f: [["pair.litmus", BARE]], v: "crash", s: [0, -1, 1e99] }), "Violated", "is none"],
  "place of strings": [link({ f: [["pair.litmus", BARE]], v: "crash", s: ["__proto__", "length"] }), "Violated", "is none"],
  "place of many": [link({ f: [["pair.litmus", BARE]], v: "crash", s: [0, 0, Array(20_000).fill(0)] }), "Violated", "is none"],
  "cut of another test": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "crash", s: ["0123456789abcdef0123456789abcdef", [0], [0]] }), "Move the crash", "is not in what is shown"],
  "cut by no name": [link({ f: [["pair.litmus", BARE]], v: "crash", s: ["0123456789ABCDEF0123456789ABCDEF", [0], [0]] }), "Violated", "is none"],
  "cut by a long name": [link({ f: [["pair.litmus", BARE]], v: "crash", s: ["a".repeat(300_000), [0], [0]] }), "Violated", "is none"],
  "cut of odd events": [link({ f: [["pair.litmus", BARE]], v: "crash", s: ["0123456789abcdef0123456789abcdef", [-1, "x"], { length: 3 }] }), "Violated", "is none"],
  "cut for a machine": [link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", v: "machine", s: ["0123456789abcdef0123456789abcdef", [0]] }), "How nvw-fifo comes to it", "is not in what is shown"],
  "cut off": [link({ f: [["pair.litmus", BARE]] }).slice(0, -9), "Violated", "cut off"],
  "not base64": ["1=%%%%", "Violated", "characters that no link has"],
  huge: [link({ f: [["pair.litmus", BARE + "x".repeat(5_000_000)]] }), "Violated", "more than"],
  long: [`1=${"A".repeat(500_000)}`, "Violated", "too long"],
};
for (const [name, [fragment, words, refused]] of Object.entries(HOSTILE)) {
  await count.part(`hostile link, ${name}`, async () => {
    const page = await open(fragment);
    contains(await headline(page), words, `hostile link, ${name}: an answer`);
    if (refused) contains(await page.locator("#notice").innerText(), refused, `hostile link, ${name}: refused in words`);
    count.check((await page.title()).startsWith("crashlit") && (await page.locator("#view script, #view img[src=x], #notice *, #headline *").count()) === 0, `hostile link, ${name}: nothing becomes markup`);
    if (name === "markup") contains(await page.locator("#editor .cm-content").innerText(), "<script>", "hostile link, markup: it is text");
    await close(page, `hostile link, ${name}`);
  });
}

// Files of a stranger, with markup wherever they may have text of their own: names, titles, messages, points, flags.
const SAID = MARKUP.replaceAll('"', "'"), TAG = "<img/src=x/onerror=alert(1)>";
const STRANGER = [
  ["pair.litmus", `OPENCL ${TAG}\n"${SAID}"\nuses "own.def"\n{ nvm value = 0; nvm valid = 0; }
P0 (global int* value, global int* valid) { own(); *value = 42; crash "${SAID}"; *valid = 1; }
recovery (global int* value) { int r = *value; }
crash ~exists (valid = 1 /\\ value = 0)\n`],
  ["own.def", `// ${SAID}\nown() { __fence{own}; }\n`],
  ["mine.cat", `mine "${SAID}"\nlet persist-before = 0\nlet durable-before = 0\nflag ~empty (W * W) as ${"a".repeat(60)}\n`],
  ["other.machine", `# ${SAID}\nmachine = ${TAG}\nunits = 99999999999999999999\nline_words = -1\n`],
];
await count.part("hostile files", async () => {
  const quiet = async (page, what) => {
    const found = await page.evaluate(() => [document, ...Array.from(document.querySelectorAll("*"), ({ shadowRoot }) => shadowRoot).filter(Boolean)].flatMap((root) => Array.from(root.querySelectorAll("img[src=x], [onerror], #answer script"), (one) => one.outerHTML.slice(0, 80))));
    count.check(found.length === 0 && (await page.title()).startsWith("crashlit"), `hostile files, ${what}: nothing becomes markup`, found.join("; "));
  };
  for (const models of [{ m: "hrf-direct", p: "epoch" }, { m: "hrf-direct", p: "mine.cat" }]) {
    const page = await open(link({ f: STRANGER, ...models, h: "other.machine" }));
    contains(await page.locator("#answer").innerText(), "valid", `hostile files, ${models.p}: there is an answer`);
    for (const which of ["check", "explain", "crash", "machine", "narrow", "repair", "compare", "cases"]) {
      if (which !== "check") await view(page, which);
      count.check((await headline(page)).length > 0, `hostile files, ${models.p}, ${which}: something is said`);
      await quiet(page, `${models.p}, ${which}`);
    }
    for (const [name] of STRANGER.slice(1)) {
      await page.locator("#files [role=tab]", { hasText: name }).click();
      await quiet(page, name);
    }
    await close(page, `hostile files, ${models.p}`);
  }
  const page = await open(link({ f: STRANGER, m: "hrf-direct", p: "epoch", v: "machine", h: "other.machine" }));
  contains(await page.locator("#answer").innerText(), "other.machine", "a machine that cannot be read is told, with its place");
  await quiet(page, "other.machine alone");
  await close(page, "hostile files, a machine");
});

await count.part("link, too large", async () => {
  const page = await open();
  // Random letters deflate to five bits each at the least: 1,000,000 of them are more than 400,000 characters.
  const letters = Array.from({ length: 15_000 }, () => `// ${Array.from({ length: 60 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join("")}\n`).join("");
  await after(page, () => type(page, BARE + letters));
  await page.locator("#share").click();
  await page.locator("#notice").waitFor();
  contains(await page.locator("#notice").innerText(), "too large for a link", "what no link can hold is told");
  count.check(new URL(page.url()).hash === "", "and no link is made that nobody could follow");
  await close(page, "link, too large");
});

await count.part("two tests", async () => {
  const page = await open(link({ f: [["first.litmus", ORDERED], ["second.litmus", BARE]], m: "hrf-direct", p: "epoch" }));
  contains(await headline(page), "Holds", "the first of two tests is asked about");
  await after(page, () => page.locator("#files [role=tab]", { hasText: "second.litmus" }).click());
  contains(await headline(page), "Violated", "and the second, when it is looked at");
  const other = await linked(page);
  contains(await headline(other), "Violated", "its link is about that one");
  await close(other, "two tests, linked");
  await after(page, () => page.locator("#files [role=tab]", { hasText: "first.litmus" }).click());
  contains(await headline(page), "Holds", "and back");
  await close(page, "two tests");
});

await count.part("nothing to ask", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE.replace(/^crash.*\n/m, "")]], m: "hrf-direct", p: "epoch", v: "machine" }));
  contains(await headline(page), "has no condition that a run could lead to", "a test without conditions has no run");
  count.check(!/crashlit: error|\[E-/.test(await headline(page)), "which is told without the marks of a terminal", await headline(page));
  await view(page, "explain");
  contains(await headline(page), "has no conditions, so there is nothing to explain", "and no reason");
  for (const which of ["narrow", "repair"]) {
    await view(page, which);
    contains(await headline(page), "there are no conditions", `and nothing that ${which} could be held to`);
    count.check((await page.locator("#headline.v-unknown").count()) === 1 && (await page.locator(".apply").count()) === 0, `which is no pass, and nothing to take: ${which}`);
  }
  await close(page, "nothing to ask");
});

await count.part("empty editor", async () => {
  const page = await open(link({ f: [["pair.litmus", " \n// nothing yet\n"]], m: "hrf-direct", p: "epoch" }));
  contains(await headline(page), "There is no test in the editor yet", "who has written nothing is told so");
  count.check(!/error|pair\.litmus/.test(await page.locator("#answer").innerText()), "and of no mistake");
  await shot(page, "empty");
  for (const which of ["explain", "crash", "machine", "narrow", "repair", "compare", "cases"]) {
    await view(page, which);
    contains(await headline(page), "There is no test in the editor yet", `whatever is asked: ${which}`);
  }
  await view(page, "check");
  await page.locator("#view button", { hasText: "Examples" }).click();
  count.check(await page.locator("#gallery").isVisible(), "it leads to the examples");
  await page.locator("#close-gallery").click();
  await after(page, () => page.locator("#view button", { hasText: "A small test" }).click());
  contains(await headline(page), "Violated: a crash can leave", "and to a test to begin with");
  await after(page, () => type(page, BARE.replace(/^OPENCL.*/m, "OPENCL")));
  contains(await headline(page), "cannot be read", "a mistake is one all the same");
  await close(page, "empty editor");
});

await count.part("as it is", async () => {
  const page = await open(link({ f: [["pair.litmus", ORDERED]], m: "hrf-direct", p: "epoch", v: "narrow" }));
  contains(await headline(page), "Every condition holds as it is, and nothing is to be changed", "what is as narrow as may be stays");
  count.check((await page.locator(".apply").count()) === 0, "and there is nothing to take");
  await close(page, "as it is");
});

await count.part("solver, slow and gone", async () => {
  const page = await open(link({ f: [["pair.litmus", ORDERED]], m: "hrf-direct", p: "epoch" }));
  let go;
  await page.context().route(/z3-built\.wasm/, async (route) => { await new Promise((done) => { go = done; }); await route.continue().catch(() => {}); });
  await page.locator("#view-explain").click();
  await page.waitForFunction(() => document.getElementById("progress-words").textContent.startsWith("Loading the solver"), undefined, { timeout: 60_000 });
  await page.waitForTimeout(500); // longer than what is said of executions waits
  contains(await page.locator("#progress-words").innerText(), "Loading the solver", "that the solver is loaded stays told");
  await page.locator("#stop").click();
  await answered(page);
  contains(await headline(page), "Stopped", "it can be stopped");
  go?.();
  await view(page, "check");
  contains(await headline(page), "Holds", "and the next question is answered");
  await close(page, "solver, slow and gone");
});

await count.part("stop", async () => {
  // Eleven work-items raise one counter in 11! orders, which enum lists one by one.
  const threads = Array.from({ length: 11 }, (_, i) => `P${i}@wg ${i} (global atomic_int* c) { c.fetch_add(1, mo_rlx, dev_scope); int r = c.load(mo_rlx, dev_scope); }\n`).join("");
  const many = `OPENCL many\n{ atomic_int c = 0; }\n${threads}exists (0:r = 3 /\\ 1:r = 4)\n`;
  const page = await open(link({ f: [["pair.litmus", ORDERED]], m: "hrf-direct", p: "epoch", e: "enum" }));
  await type(page, many); // enum, and no time limit that comes before the reader's own
  await page.locator("#stop").click({ timeout: 20_000 });
  await answered(page);
  contains(await headline(page), "Stopped: you asked for it", "a run is stopped");
  await after(page, () => type(page, ORDERED));
  contains(await headline(page), "Holds", "and the next one answers");
  await close(page, "stop");
});

await count.part("keyboard", async () => {
  const page = await open();
  const reached = new Set();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent.slice(0, 20)));
  }
  for (const id of ["open-gallery", "share", "visibility", "persistency", "engine", "view-check", "view", "editor"]) count.check(reached.has(id), `Tab comes to ${id}`, [...reached].join(" "));
  await page.locator("#view-check").focus();
  await after(page, () => page.keyboard.press("ArrowRight"));
  count.check((await page.locator("#view-explain").getAttribute("aria-selected")) === "true", "arrows change what is asked");
  await after(page, () => page.keyboard.press("ArrowLeft"));
  await page.locator("#open-gallery").focus();
  await page.keyboard.press("Enter");
  await page.locator("#tests button").first().waitFor();
  await page.locator("#find").focus();
  await page.keyboard.type("insert");
  await page.keyboard.press("Escape");
  count.check(!(await page.locator("#gallery").isVisible()), "Escape closes the gallery");
  count.check((await page.evaluate(() => document.activeElement.id)) === "open-gallery", "and leads back");
  await close(page, "keyboard");
});

for (const [name, options] of Object.entries({ "phone-light": { viewport: PHONE }, "phone-dark": { viewport: PHONE, dark: true }, "wide-dark": { dark: true } })) {
  await count.part(name, async () => {
    const page = await open("", options);
    const { inner, whole } = await page.evaluate(() => ({ inner: innerWidth, whole: document.documentElement.scrollWidth }));
    count.check(whole <= inner, `${name}: nothing is wider than the screen`, `${whole} of ${inner}`);
    const small = await page.locator("button:visible, select:visible").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < (innerWidth < 800 ? 28 : 20)).map((one) => one.textContent));
    count.check(small.length === 0, `${name}: buttons are large enough`, small.join(", "));
    // WCAG's contrast of what carries the verdict.
    const contrast = await page.locator("#headline").evaluate((part) => {
      const light = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((value) => value / 255).map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
      const [one, other] = [getComputedStyle(part).color, getComputedStyle(part).backgroundColor].map(light).sort((a, b) => b - a);
      return (one + 0.05) / (other + 0.05);
    });
    count.check(contrast >= 4.5, `${name}: contrast of the verdict`, contrast.toFixed(2));
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    await close(page, name);
  });
}

for (const [name, options] of Object.entries({ "phone-light": { viewport: PHONE }, "phone-dark": { viewport: PHONE, dark: true }, "wide-dark": { dark: true } })) {
  await count.part(`views, ${name}`, async () => {
    const page = await open("", options);
    for (const which of ["crash", "machine", "explain", "narrow", "repair", "compare", "cases"]) {
      await view(page, which);
      if (await page.locator(".player").count()) {
        await page.locator(".player").first().focus();
        await page.keyboard.press("End");
      }
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const { inner, whole } = await page.evaluate(() => ({ inner: innerWidth, whole: document.documentElement.scrollWidth }));
      count.check(whole <= inner, `${which}, ${name}: nothing is wider than the screen`, `${whole} of ${inner}`);
      const small = await page.locator("#answer button:visible, #answer select:visible").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < (innerWidth < 800 ? 28 : 20)).map((one) => one.textContent));
      count.check(small.length === 0, `${which}, ${name}: buttons are large enough`, small.join(", "));
      const hidden = await page.locator("#views [role=tab]").evaluateAll((tabs) => tabs.filter((tab) => {
        const { left, top } = tab.getBoundingClientRect();
        return document.elementFromPoint(left + 10, top + 10) !== tab;
      }).length);
      count.check(hidden === 0, `${which}, ${name}: what is scrolled leaves the views in sight`, String(hidden));
      await page.evaluate(() => scrollTo(0, 0));
      if (shots) await page.screenshot({ path: join(shots, `${which}-${name}.png`), fullPage: true });
    }
    await close(page, `views, ${name}`);
  });
}

// ---- Lessons ----

const lessons = JSON.parse(readFileSync(join(site, "lessons.json"), "utf8"));
const lessonNamed = (name) => lessons.find((lesson) => lesson.name === name);
const result = (page) => page.locator("#lesson-result-1");

// Puts an answer to the first exercise of the open lesson into the editor, and has it checked.
async function answerWith(page, text) {
  await page.locator("#lesson-start-1").click();
  await after(page, () => type(page, text));
  await checkAnswer(page);
}

async function checkAnswer(page) {
  await page.locator("#lesson-check-1").click();
  await page.locator("#lesson-result-1 .said[class*=v-]").waitFor({ timeout: 60_000 });
  await answered(page);
}

await count.part("lesson", async () => {
  const page = await open();
  await after(page, () => page.locator("#open-lessons").click());
  const [first, second] = lessons;
  contains(await page.locator("#lesson-title").innerText(), first.title, "the first lesson opens");
  count.check((await editorText(page)).startsWith("OPENCL bare"), "with its test in the editor");
  contains(await headline(page), "Violated", "which is answered");
  count.check(new URL(page.url()).hash === `#lesson=${first.name}`, "and has an address", page.url());
  const exercise = first.exercises[0];
  await answerWith(page, exercise.start);
  contains(await result(page).innerText(), "something is not as asked", "the start is no answer");
  count.check((await result(page).locator("tr.breaks").count()) > 0 && (await result(page).locator(".execution[open] img").count()) > 0, "what breaks it is shown, as a picture too");
  await shot(page, "lesson-unsolved");
  await answerWith(page, exercise.solution.text);
  contains(await result(page).innerText(), "Solved", "the solution is one");
  contains(await page.locator("#lesson-choice option").first().innerText(), "✓", "and is marked in the list");
  await shot(page, "lesson-solved");
  await after(page, () => result(page).locator("button", { hasText: "Next" }).click());
  contains(await page.locator("#lesson-title").innerText(), second.title, "the next lesson follows");
  await page.reload();
  await answered(page);
  contains(await page.locator("#lesson-title").innerText(), second.title, "and is there when the page is loaded again");
  contains(await page.locator("#lesson-progress").innerText(), `1 of ${lessons.length}`, "with what was solved");
  await page.locator("#lesson-close").click();
  count.check(!(await page.locator("#lesson").isVisible()) && (await page.evaluate(() => document.activeElement.id)) === "open-lessons", "it closes, and leads back");
  await close(page, "lesson");
});

// Neither another text nor a step back costs an answer.
await count.part("lesson, left and back", async () => {
  const page = await open();
  await after(page, () => page.locator("#open-lessons").click());
  await after(page, () => page.locator("#lesson-next").click());
  await after(page, () => page.goBack());
  contains(await page.locator("#lesson-title").innerText(), lessons[0].title, "a step back leads to the lesson before");
  await page.locator("#lesson-start-1").click();
  await answered(page);
  await after(page, () => type(page, `${lessons[0].exercises[0].start}// mine\n`));
  await page.locator("#open-gallery").click();
  await after(page, () => page.locator("#tests button").first().click());
  count.check(!(await editorText(page)).includes("// mine"), "an example is opened over an answer");
  await page.locator("#lesson-check-1").click();
  await result(page).locator("p", { hasText: "The exercise is in the editor now" }).waitFor();
  contains(await editorText(page), "// mine", "which is not taken for the answer, and what was typed is back");
  await close(page, "lesson, left and back");
});

await count.part("lesson, cheats", async () => {
  const page = await open("lesson=missing-barrier");
  const exercise = lessonNamed("missing-barrier").exercises[0];
  const conditions = /^(crash|final) .*\n/gm;
  const cheats = [
    ["no conditions", exercise.start.replace(conditions, ""), "something is not as asked"],
    ["other conditions", exercise.start.replaceAll("~exists", "exists"), "something is not as asked"],
    ["an expectation", `${exercise.start}expect hrf-direct + epoch : violated\n`, "something is not as asked"],
    ["nothing stored", exercise.start.replace(/^ {2}\*.*\n/gm, ""), "something is not as asked"],
    ["another start", exercise.start.replace("nvm length = 0", "nvm length = 5"), "another exercise"],
    ["a crash of its own", exercise.start.replace("  *length", '  crash "here";\n  *length'), "another exercise"],
    ["no program", "", "cannot be read"],
    ["one barrier too many", exercise.solution.text.replace("  *text", "  p_barrier_wi;\n  *text"), "wider than needed or needless"],
  ];
  for (const [name, text, words] of cheats) {
    await answerWith(page, text);
    contains(await result(page).innerText(), words, `refused: ${name}`);
  }
  contains(await result(page).innerText(), "A way that leads here", "with the reason");
  contains(await page.locator("#lesson-progress").innerText(), "0 of", "none of them is counted");
  await shot(page, "lesson-narrow");
  await close(page, "lesson, cheats");
});

// Each exercise once: the page finds of its start and of its solution what tests/corpus/lessons_check.py finds of them.
await count.part("lessons, all", async () => {
  const page = await open(`lesson=${lessons[0].name}`);
  for (const [i, lesson] of lessons.entries()) {
    if (i > 0) await after(page, () => page.locator("#lesson-next").click());
    await page.locator("#lesson-start-1").click();
    await checkAnswer(page);
    count.check(!(await result(page).innerText()).includes("Solved"), `${lesson.name}: the start is no answer`);
    await answerWith(page, lesson.exercises[0].solution.text);
    contains(await result(page).innerText(), "Solved", `${lesson.name}: the solution`);
  }
  contains(await page.locator("#lesson-progress").innerText(), `${lessons.length} of ${lessons.length}`, "all are solved");
  count.check(await page.locator("#lesson-next").isDisabled(), "and behind the last there is none");
  await shot(page, "lesson-last");
  await close(page, "lessons, all");
});

await count.part("lesson, its address", async () => {
  const page = await open("lesson=strands");
  contains(await page.locator("#lesson-title").innerText(), lessonNamed("strands").title, "an address leads to a lesson");
  count.check((await page.locator("#persistency").inputValue()) === "strand" && (await page.locator("#visibility").inputValue()) === "sc", "whose test brings its models");
  await after(page, () => page.locator("#lesson-text button", { hasText: "undo-log-not-joined" }).click());
  contains(await editorText(page), "OPENCL", "it leads to a test of litmus/");
  await page.locator("#open-gallery").click();
  await page.locator("#folder optgroup[label='By lesson'] option").first().waitFor({ state: "attached" });
  await page.locator("#folder").selectOption("lesson-strands");
  contains(await page.locator("#tests").innerText(), "new-strand", "which the examples have by lesson as well");
  await close(page, "lesson, its address");
  for (const name of ["lesson=nothing", "lesson=../index", "lesson=<img src=x onerror=alert(1)>"]) {
    const lost = await open(name);
    contains(await headline(lost), "Violated", `${name}: an example instead`);
    await close(lost, name);
  }
});

await count.part("lesson, storage refused", async () => {
  const context = await browser.newContext({ viewport: WIDE });
  const page = await context.newPage();
  page.trouble = [];
  page.on("pageerror", (fault) => page.trouble.push(String(fault)));
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get() { throw new Error("refused"); } }));
  await page.goto(`${origin}/#lesson=missing-barrier`);
  await answered(page);
  await answerWith(page, lessons[0].exercises[0].solution.text);
  contains(await result(page).innerText(), "Solved", "without storage a lesson can be solved");
  await close(page, "lesson, storage refused");
});

for (const [name, options] of Object.entries({ "lesson-phone": { viewport: PHONE }, "lesson-phone-dark": { viewport: PHONE, dark: true }, "lesson-wide-dark": { dark: true } })) {
  await count.part(name, async () => {
    const page = await open("lesson=scopes", options);
    await after(page, () => page.locator("#lesson-start-1").click());
    await checkAnswer(page);
    const { inner, whole } = await page.evaluate(() => ({ inner: innerWidth, whole: document.documentElement.scrollWidth }));
    count.check(whole <= inner, `${name}: nothing is wider than the screen`, `${whole} of ${inner}`);
    const small = await page.locator("button:visible, select:visible").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < (innerWidth < 800 ? 28 : 20)).map((one) => one.textContent));
    count.check(small.length === 0, `${name}: buttons are large enough`, small.join(", "));
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    await close(page, name);
  });
}

await count.part("lesson, keyboard", async () => {
  const page = await open();
  await page.locator("#open-lessons").focus();
  await after(page, () => page.keyboard.press("Enter"));
  count.check((await page.evaluate(() => document.activeElement.id)) === "lesson-title", "the lesson has the focus");
  const reached = new Set();
  for (let i = 0; i < 25; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.id));
  }
  for (const id of ["lesson-start-1", "lesson-check-1"]) count.check(reached.has(id), `Tab comes to ${id}`, [...reached].join(" "));
  await page.locator("#lesson-check-1").focus();
  await after(page, () => page.keyboard.press("Enter"));
  contains(await result(page).innerText(), "The exercise is in the editor now", "who checks another text is led to the exercise first");
  await page.keyboard.press("Enter");
  await page.locator("#lesson-result-1 .said.v-violated").waitFor();
  await close(page, "lesson, keyboard");
});

// From the page to the next lesson, and no pointer: Tab goes through the page in its order, the editor takes letters.
await count.part("lesson, solved by keyboard alone", async () => {
  const page = await open();
  const focused = () => page.evaluate(() => { const at = document.activeElement; return at.id || at.textContent.trim(); });
  const tabTo = async (words, key = "Tab") => {
    for (let i = 0; i < 40 && !(await focused()).startsWith(words); i++) await page.keyboard.press(key);
    count.check((await focused()).startsWith(words), `${key} comes to ${words}`, await focused());
  };
  await tabTo("open-lessons");
  await after(page, () => page.keyboard.press("Enter"));
  await tabTo("lesson-start-1");
  await after(page, () => page.keyboard.press("Enter"));
  await tabTo("editor");
  await page.keyboard.press("Control+Home");
  // Lines that are wrapped take a step for each row.
  for (let i = 0; i < 20 && !(await activeLine(page)).includes("*text = 7;"); i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await after(page, () => page.keyboard.type("\np_barrier_wi;"));
  contains(await editorText(page), "*text = 7;\n  p_barrier_wi;\n  *sent = 1;", "the barrier is typed");
  await tabTo("lesson-check-1", "Shift+Tab");
  await page.keyboard.press("Enter");
  await result(page).locator(".said.v-ok").waitFor({ timeout: 60_000 });
  await answered(page);
  contains(await result(page).innerText(), "Solved", "the answer is checked");
  await tabTo(`Next: ${lessons[1].title}`);
  await after(page, () => page.keyboard.press("Enter"));
  contains(await page.locator("#lesson-title").innerText(), lessons[1].title, "the next lesson follows");
  count.check((await focused()) === "lesson-title", "with the focus");
  await close(page, "lesson, solved by keyboard alone");
});

// ---- States, models, panes ----

await count.part("state", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto" }));
  const row = (cells) => page.locator(".states tbody tr:not(.below)").filter({ has: page.locator("td:nth-child(2)", { hasText: new RegExp(`^${cells[0]}$`) }) }).filter({ has: page.locator("td:nth-child(3)", { hasText: new RegExp(`^${cells[1]}$`) }) });
  // The first store alone is durable: it executes, becomes durable, and power fails; no condition asks for that.
  await row(["42", "0"]).locator("td").nth(1).click();
  const looked = page.locator(".looked");
  await looked.locator(".steps").waitFor();
  contains(await looked.innerText(), "How value=42; valid=0 comes about", "a state that is clicked says how it comes about");
  contains((await looked.locator(".steps > li").allInnerTexts()).join("; "), "W value becomes durable", "by steps");
  count.check(await looked.locator("img").evaluate((image) => image.complete && image.naturalWidth > 100), "and as a picture");
  await after(page, () => looked.locator("button", { hasText: "Its crash cut" }).click());
  contains(await page.locator(".player .leaves").first().innerText(), "value=42; valid=0", "it leads to its crash cut");
  await view(page, "check");
  await row(["42", "0"]).locator("button").focus();
  await page.keyboard.press("Enter");
  await page.locator(".looked .steps").waitFor();
  await after(page, () => page.locator(".looked button", { hasText: "A machine's run to it" }).click());
  contains(await page.locator(".player .title").first().innerText(), "to the crash state value=42; valid=0", "and to a machine's run, by keyboard as well");
  await view(page, "check");
  // What breaks the condition has its execution already.
  await row(["0", "1"]).locator("button").click();
  await page.locator(".looked .steps").waitFor();
  contains(await page.locator(".looked").innerText(), "lost in the crash", "the state that breaks a condition has its steps, too");
  await row(["0", "1"]).locator("button").click();
  count.check((await page.locator(".looked").count()) === 0, "another click folds them away");
  await close(page, "state");
});

await count.part("model's text", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE], ["mine.cat", 'mine "m"\nlet persist-before = 0\nlet durable-before = 0\n']], m: "hrf-direct", p: "epoch" }));
  await page.locator("#persistency-text").click();
  await page.locator("#reading-text li").first().waitFor();
  contains(await page.locator("#reading").innerText(), "let persist-before", "a model's name leads to its text");
  await page.locator("#reading-text button", { hasText: "collective.cat" }).click();
  await page.locator("#reading-name", { hasText: "collective.cat" }).waitFor();
  contains(await page.locator("#reading-text").innerText(), "waits", "and that to what it includes");
  await page.keyboard.press("Escape");
  await view(page, "compare");
  await page.locator(".compare th button", { hasText: /^strict$/ }).click();
  await page.locator("#reading-name", { hasText: "persistency/strict.cat" }).waitFor();
  await page.keyboard.press("Escape");
  await after(page, () => page.locator("#persistency").selectOption("mine.cat"));
  await page.locator("#persistency-text").click();
  contains(await editorText(page), 'mine "m"', "a model of one's own opens in the editor");
  await close(page, "model's text");
});

const second = (page) => page.frameLocator("#second iframe");
await count.part("two panes", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto" }));
  const said = (words) => second(page).locator("#headline", { hasText: words }).waitFor({ timeout: 30_000 });
  await page.locator("#beside").click();
  await said("Violated");
  // strict: what became visible first is durable first, so no crash leaves the second store alone.
  await second(page).locator("#persistency").selectOption("strict");
  await said("Holds");
  contains(await headline(page), "Violated", "two models stand beside each other");
  await view(page, "crash");
  await said("Move the crash");
  await view(page, "check");
  await after(page, () => type(page, BARE.replace("*valid = 1", "*valid = 2").replace("valid = 1", "valid = 2")));
  await said("Holds");
  await second(page).locator(".cm-line", { hasText: "*valid = 2" }).waitFor();
  count.check(await page.locator("#in-step").isChecked(), "in step the second has text and view of the first");
  await second(page).locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// own");
  await page.waitForFunction(() => !document.getElementById("in-step").checked);
  await after(page, () => type(page, ORDERED));
  contains(await headline(page), "Holds", "out of step");
  contains(await second(page).locator(".cm-content").innerText(), "// own", "two versions stand beside each other");
  await page.locator("#divider").focus();
  const width = () => page.locator("#second").evaluate((part) => part.getBoundingClientRect().width), before = await width();
  await page.keyboard.press("ArrowLeft");
  count.check((await width()) > before + 30, "the divider moves by keyboard");
  await shot(page, "two-panes");
  const other = await linked(page);
  await second(other).locator(".cm-content", { hasText: "// own" }).waitFor({ timeout: 30_000 });
  count.check((await second(other).locator("#persistency").inputValue()) === "strict" && !(await other.locator("#in-step").isChecked()), "a link has both panes");
  await close(other, "two panes, linked");
  await page.locator("#second-close").click();
  count.check((await page.locator("#second iframe").count()) === 0 && (await page.evaluate(() => document.activeElement.id)) === "beside", "it closes, and leads back");
  await page.locator("#inner-divider").focus();
  const editorWidth = () => page.locator("#source").evaluate((part) => part.getBoundingClientRect().width), was = await editorWidth();
  await page.keyboard.press("ArrowRight");
  count.check((await editorWidth()) > was + 30, "test and answer have a divider, too");
  await close(page, "two panes");
});

await count.part("presentation", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto" }), { dark: true });
  await page.locator("#present").click();
  const place = () => page.locator("#present-place").innerText(), press = async (key) => { await page.keyboard.press(key); await page.waitForTimeout(50); await answered(page); };
  count.check(!(await page.locator("#source").isVisible()) && !(await page.locator("#top").isVisible()), "one view alone");
  const ink = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  count.check(ink === "rgb(255, 255, 255)", "dark on light, in a dark browser as well", ink);
  count.check((await page.locator("#headline").evaluate((part) => part.getBoundingClientRect().height / parseFloat(getComputedStyle(part).lineHeight))) > 1.5 || (await page.locator("#answer").evaluate((part) => Number(getComputedStyle(part).zoom))) > 1.5, "and large");
  await press("ArrowLeft");
  count.check((await place()) === "The test" && (await page.locator("#editor").isVisible()) && !(await page.locator("#answer").isVisible()), "the test comes before");
  await press("ArrowRight");
  await press("PageDown");
  contains(await place(), "Why?", "keys lead to the next view");
  await page.locator(".why").first().waitFor();
  await press("ArrowRight");
  contains(await place(), "Crash", "and to the next");
  const first = await page.locator(".player .place").first().innerText();
  await press("ArrowLeft");
  count.check((await place()) === "Crash" && (await page.locator(".player .place").first().innerText()) !== first, "steps of what moves come before that");
  await shot(page, "presentation");
  await press("Escape");
  count.check(await page.locator("#source").isVisible(), "Escape leaves");
  await close(page, "presentation");
});

// 1280 x 720 at 200 %.
await count.part("zoom", async () => {
  const page = await open("", { viewport: { width: 640, height: 360 } });
  const box = (id) => page.locator(id).evaluate((part) => part.getBoundingClientRect().toJSON());
  const [editor, said] = [await box("#editor"), await box("#headline")];
  count.check(editor.top < 200 && editor.height > 100 && said.top >= 0 && said.bottom <= 360 && said.left >= editor.right - 1, "at 200 % test and verdict are on one screen", JSON.stringify([editor, said]));
  const { inner, whole } = await page.evaluate(() => ({ inner: innerWidth, whole: document.documentElement.scrollWidth }));
  count.check(whole <= inner, "and nothing is wider than it", `${whole} of ${inner}`);
  await shot(page, "zoom");
  await close(page, "zoom");
});

await count.part("pictures and cells, 390 pixels", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto" }), { viewport: PHONE, dark: true });
  const picture = await page.locator(".execution[open] img").first().evaluate((image) => image.getBoundingClientRect().width);
  count.check(picture <= 390, "a picture is as wide as its pane", String(picture));
  const corner = await page.locator(".execution[open] img").first().evaluate((image) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 8, height: 8 }), ink = canvas.getContext("2d");
    ink.drawImage(image, 0, 0);
    return ink.getImageData(2, 2, 1, 1).data[0];
  });
  count.check(corner < 60, "and dark on a dark page", String(corner));
  await view(page, "crash");
  // A line of 13 pixels that is broken letter by letter would be as high as the word is long.
  const worst = await page.locator(".events td:visible").evaluateAll((all) => Math.max(...all.map((cell) => cell.getBoundingClientRect().height)));
  count.check(worst < 60, "no cell of Crash is broken letter by letter", String(worst));
  await close(page, "pictures and cells");
});

const LONG = "n".repeat(120);
await count.part("long names, 390 pixels", async () => {
  const text = BARE.replaceAll("value", LONG).replaceAll("valid", `${LONG}b`);
  for (const which of ["check", "explain", "crash", "machine", "narrow", "repair", "compare", "cases"]) {
    const page = await open(link({ f: [["long.litmus", text]], m: "hrf-direct", p: "epoch", e: "auto", v: which }), { viewport: PHONE });
    const { inner, whole } = await page.evaluate(() => ({ inner: innerWidth, whole: document.documentElement.scrollWidth }));
    count.check(whole <= inner, `long names, ${which}: nothing is wider than the screen`, `${whole} of ${inner}`);
    await close(page, `long names, ${which}`);
  }
});

// Beside a lesson a pane of a wide screen is as narrow as a phone.
await count.part("crash beside a lesson", async () => {
  const page = await open("lesson=missing-barrier");
  await view(page, "crash");
  const worst = await page.locator(".events td:visible").evaluateAll((all) => Math.max(...all.map((cell) => cell.getBoundingClientRect().height)));
  count.check(worst < 60, "no cell of Crash is broken letter by letter there", String(worst));
  await close(page, "crash beside a lesson");
});

// ---- A lecturer's exercise ----

// Mended by a barrier between the two stores; who stores nothing has `exists (value = 42)` against them.
await count.part("exercise as a link", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch", e: "auto" }));
  await page.locator("#open-setting").click();
  contains(await page.locator("#setting").innerText(), "who decodes the link can read them", "that hidden is hidden from the eye alone is said");
  await page.locator("#setting-title").fill(`Order <b>it</b> ${MARKUP}`);
  await page.locator("#setting-task").fill(`Value first.\n\n${MARKUP}`);
  await page.locator("#setting-hidden").fill("crash exists (value = 43");
  await page.locator("#setting-make").click();
  contains(await page.locator("#setting-said .said").innerText(), "hidden condition 1", "a hidden condition that cannot be read is told");
  await page.locator("#setting-hidden").fill("crash exists (valid = 1 /\\ value = 42)\n\nfinal forall (value = 42)\n");
  await page.locator("#setting-make").click();
  await page.locator(".made").waitFor();
  const address = await page.locator(".made").inputValue();
  await shot(page, "exercise-made");
  await close(page, "exercise, made");

  const student = await open(new URL(address).hash.slice(1));
  contains(await student.locator("#lesson-text").innerText(), "Value first.", "the link has the task");
  count.check((await student.locator("#lesson-text img, #lesson-text b, #lesson-text script").count()) === 0, "as text");
  count.check(!(await student.locator("body").innerText()).includes("value = 42)") && !(await editorText(student)).includes("forall"), "what is hidden is not shown");
  contains(await student.locator("#lesson-text").innerText(), "2 conditions are hidden here; who decodes the link can read them", "but that there is something, and who can read it");
  await checkAnswer(student);
  contains(await result(student).innerText(), "Not yet", "the start is no answer");
  await after(student, () => type(student, BARE.replace(/^ {2}\*.*\n/gm, "")));
  await checkAnswer(student);
  contains(await result(student).innerText(), "hidden condition 1 of 2: violated", "who stores nothing meets what is hidden");
  count.check(!(await result(student).innerText()).includes("value=42"), "and is not told its text", await result(student).innerText());
  await after(student, () => type(student, ORDERED));
  await checkAnswer(student);
  contains(await result(student).innerText(), "Solved", "the barrier solves it");
  await shot(student, "exercise-solved");
  await student.locator(".sending input").first().fill(`Ada ${MARKUP}`);
  await student.locator("#send-answer").click();
  await student.locator(".sending .made").waitFor();
  const back = await student.locator(".sending .made").inputValue();
  await close(student, "exercise, answered");

  const lecturer = await open(new URL(back).hash.slice(1));
  await lecturer.locator("#lesson-result-1 .said[class*=v-]").waitFor({ timeout: 60_000 });
  contains(await lecturer.locator("#lesson-title").innerText(), `An answer by Ada ${MARKUP}`, "the answer comes back with its name, as text");
  contains(await result(lecturer).innerText(), "Solved", "and is judged");
  contains(await editorText(lecturer), "p_barrier_wi;", "with its text in the editor");
  await close(lecturer, "exercise, back");
});

const packed = (name, said) => `${name}=${deflateRawSync(JSON.stringify(said)).toString("base64url")}`;
const SET = { t: "t", a: "a", c: ["crash exists (value = 42)"], f: [["pair.litmus", BARE]], m: "hrf-direct", p: "epoch" };
for (const [name, fragment, words] of [
  ["cut off", packed("exercise", SET).slice(0, -7), "cut off"], ["of a number", packed("exercise", 7), "no files"], ["of no model", packed("exercise", { ...SET, m: "--fault" }), "there is no visibility"],
  ["of markup for a model", packed("exercise", { ...SET, p: MARKUP }), "there is no persistency"], ["of two lines", packed("exercise", { ...SET, c: ["crash exists (value = 42)\n}"] }), "more than one line"],
  ["of many conditions", packed("exercise", { ...SET, c: Array(500).fill("x") }), "more than 50"], ["of conditions that are none", packed("exercise", { ...SET, c: [{}] }), "is none"],
  ["with a long title", packed("exercise", { ...SET, t: "t".repeat(100_000) }), "more than 200"], ["of a path", packed("exercise", { ...SET, f: [["../x.litmus", BARE]] }), "no proper name"],
  ["of a model alone", packed("exercise", { ...SET, f: [["x.cat", BARE]] }), "no test"], ["answer without one", packed("answer", { x: "y", n: "z" }), "no files"],
  ["answer of no text", packed("answer", { e: SET, x: 7, n: "z" }), "is none"], ["second pane of a path", link({ f: [["pair.litmus", BARE]], b: { f: [["../x.litmus", BARE]] } }), "no proper name"],
])
  await count.part(`hostile exercise, ${name}`, async () => {
    const page = await open(fragment);
    contains(await page.locator("#notice").innerText(), words, `hostile exercise, ${name}: refused in words`);
    contains(await headline(page), "Violated", `hostile exercise, ${name}: an example instead`);
    await close(page, `hostile exercise, ${name}`);
  });

// ---- <crashlit-test> ----

// A page of somebody else's, at `at`, or, where that is a folder, from a server of that folder.
async function host(body, at = origin) {
  const context = await browser.newContext({ viewport: WIDE }), page = await context.newPage();
  page.trouble = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.trouble.push(message.text()));
  page.on("pageerror", (fault) => page.trouble.push(String(fault)));
  page.on("dialog", (dialog) => { page.trouble.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  const whole = `<!doctype html><title>host</title><link rel="icon" href="data:,"><script src="${origin}/crashlit-test.js"></script><body>${body}</body>`;
  if (at === origin) await page.route(`${at}/host.html`, (route) => route.fulfill({ contentType: "text/html", body: whole }));
  else writeFileSync(join(at, "host.html"), whole);
  const own = at !== origin && await serve(at);
  await page.goto(`${own ? `http://127.0.0.1:${own.address().port}` : at}/host.html`);
  own?.unref?.();
  await page.waitForFunction(() => Array.from(document.querySelectorAll("crashlit-test"), (one) => one.shadowRoot?.getElementById("headline")?.textContent ?? "…").every((words) => words !== "…"), undefined, { timeout: 60_000 });
  return page;
}
const tag = (text, attributes = "") => `<crashlit-test ${attributes}><script type="text/plain">\n${text}</script></crashlit-test>`;
const saidBy = (page, number) => page.locator("crashlit-test").nth(number);

await count.part("element", async () => {
  const page = await host(tag(BARE) + tag(BARE, 'persistency="strict" show="verdict"') + `<crashlit-test>${ORDERED.replace(/&/g, "&amp;")}</crashlit-test>` + tag(BARE.replace("= 1;", "= oops;")));
  contains(await saidBy(page, 0).locator("#headline").innerText(), "Violated: a crash can leave value=0, valid=1", "one script and one tag have a verdict");
  count.check(await saidBy(page, 0).locator(".execution[open] img").evaluate((image) => image.complete && image.naturalWidth > 100), "and a picture");
  count.check((await saidBy(page, 0).locator("tr.breaks").count()) === 1, "and states");
  await saidBy(page, 0).locator(".conditions .line").click();
  contains(await saidBy(page, 0).locator(".text .at").innerText(), "crash ~exists", "a line leads to its line of the text");
  contains(await saidBy(page, 1).locator("#headline").innerText(), "Holds", "models are attributes");
  count.check((await saidBy(page, 1).locator(".text, img, table").count()) === 0, "and so is what is shown");
  contains(await saidBy(page, 2).locator("#headline").innerText(), "Holds", "text may stand in the tag itself");
  contains(await saidBy(page, 3).locator("#headline").innerText(), "Line 5: ", "a mistake is told, with its line");
  contains(await saidBy(page, 0).evaluate((one) => one.record.verdict), "violated", "the record can be had");
  await shot(page, "element");
  await close(page, "element");
});

await count.part("element, hostile text", async () => {
  const page = await host(`<crashlit-test>${STRANGER[0][1].replace('uses "own.def"\n', "").replace("own(); ", "").replace(/&/g, "&amp;").replace(/</g, "&lt;")}</crashlit-test><crashlit-test id="x" visibility="&lt;img src=x onerror=alert(1)>" persistency="--fault"></crashlit-test>`);
  const found = await page.evaluate(() => Array.from(document.querySelectorAll("crashlit-test"), ({ shadowRoot }) => shadowRoot).flatMap((root) => Array.from(root.querySelectorAll("img[src=x], [onerror], script"), (one) => one.outerHTML)));
  count.check(found.length === 0 && (await page.title()) === "host", "element, hostile text: nothing becomes markup", found.join("; "));
  await close(page, "element, hostile text");
});

await count.part("element, from elsewhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crashlit-host-")), page = await host(tag(BARE), folder);
  contains(await saidBy(page, 0).locator("#headline").innerText(), "Violated", "the script's folder may be of another origin");
  await close(page, "element, from elsewhere");
  rmSync(folder, { recursive: true });
});

await count.part("element, whose text is late", async () => {
  const page = await host("");
  await page.evaluate(async (text) => {
    document.open();
    document.write('<!doctype html><title>host</title><crashlit-test><script type="text/plain">\n');
    await new Promise((resume) => { setTimeout(resume, 100); });
    document.write(`${text}</scr` + "ipt></crashlit-test>");
    document.close();
  }, BARE);
  await page.waitForFunction(() => (document.querySelector("crashlit-test")?.shadowRoot?.getElementById("headline")?.textContent ?? "…") !== "…", undefined, { timeout: 60_000 });
  contains(await saidBy(page, 0).locator("#headline").innerText(), "Violated", "a text that comes after its tag is waited for");
  await close(page, "element, whose text is late");
});

// ---- Completion ----

await count.part("completion", async () => {
  const page = await open(link({ f: [["pair.litmus", BARE], ["mine.cat", 'mine "m"\nlet later = po\n']], m: "hrf-direct", p: "epoch" }));
  const list = page.locator("#editor .cm-tooltip-autocomplete li");
  await page.locator("#editor .cm-line", { hasText: "*valid = 1" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.type("p_barrier_wi");
  await list.first().waitFor();
  contains((await list.allInnerTexts()).join("\n"), "persist barrier of the work-item", "a statement is offered, and said what it is");
  await page.waitForTimeout(100); // completion takes no key for a moment, as a guard against slips
  await page.keyboard.press("Enter");
  await page.keyboard.type(";\nvalu");
  await page.locator("#editor .cm-tooltip-autocomplete li", { hasText: /^value/ }).waitFor();
  await page.waitForTimeout(100);
  await after(page, () => page.keyboard.press("Enter"));
  contains(await editorText(page), "p_barrier_wi;\n  value", "by keyboard, and locations of the test are");
  await page.locator("#files [role=tab]", { hasText: "mine.cat" }).click();
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("let before = sync");
  await list.first().waitFor();
  contains((await list.allInnerTexts()).join("\n"), "syncbar", "in a model base names are");
  await page.keyboard.press("Escape");
  await page.keyboard.type("bar | la");
  await page.locator("#editor .cm-tooltip-autocomplete li", { hasText: /^later/ }).waitFor();
  await shot(page, "completion");
  await close(page, "completion");
});

// Without Z3, examples and lessons, which are loaded when they are asked for, and what is there for other pages.
const LATER = ["lessons.json", "licences.txt", "crashlit-test.js"];
await count.part("size", async () => {
  const files = readdirSync(site, { withFileTypes: true }).filter((entry) => entry.isFile() && !LATER.includes(entry.name));
  const bytes = files.reduce((all, { name }) => all + gzipSync(readFileSync(join(site, name)), { level: 9 }).length, 0);
  console.log(`the page, compressed: ${bytes} bytes`);
  count.check(bytes < 1_000_000, "the page has less than 1 MB", String(bytes));
});

await count.part("time", async () => {
  const began = Date.now();
  const page = await open();
  console.log(`load, with an empty cache, to the first answer: ${Date.now() - began} ms`);
  await close(page, "time");
});

await browser.close();
server.close();
count.end();
