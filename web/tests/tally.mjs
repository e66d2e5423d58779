// Counts what a test found, in the words of the other steps. PARTS, a regular expression, chooses parts by their names.

export function tally() {
  let passed = 0, failed = 0;
  return {
    check(good, what, found = "") {
      if (good) {
        passed++;
        return;
      }
      failed++;
      console.log(`FAIL ${what}${found === "" ? "" : `: ${found}`}`);
    },
    /** A part of the test: what it throws is a failure of that part. */
    async part(name, body) {
      if (!new RegExp(process.env.PARTS ?? "").test(name)) return;
      try {
        await body();
      } catch (fault) {
        failed++;
        console.log(`FAIL ${name}: ${fault.message?.split("\n")[0]}`);
      }
    },
    end() {
      console.log(`${passed} passed, ${failed} failed`);
      process.exitCode = failed ? 1 : 0;
    },
  };
}
