// Plants the faults of mutations.json in a copy of the source, one at a time, and runs the tests that
// should notice: a fault that none notices is a hole in the tests. Part of the soak; alone:
//   node scripts/mutations.mjs

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const faults = JSON.parse(readFileSync(join(root, "scripts/mutations.json"), "utf8"));

/** Which faults no test noticed. */
export function plantFaults() {
  const copy = mkdtempSync(join(tmpdir(), "touchstone-mutations-"));
  try {
    for (const name of [
      "src",
      "test",
      "data",
      "docs",
      "scripts",
      "package.json",
      "tsconfig.json",
      "vitest.config.ts",
    ]) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    for (const name of ["node_modules", "dist", "packages", "bin"]) {
      symlinkSync(join(root, name), join(copy, name));
    }
    const passes = (tests) =>
      spawnSync("npx", ["vitest", "run", ...tests, "--bail=1"], { cwd: copy, stdio: "ignore" })
        .status === 0;
    // Tests that fail anyway would notice anything.
    if (!passes([...new Set(faults.flatMap(({ tests }) => tests))])) {
      return { planted: 0, unnoticed: ["tests that should notice fail without a fault"] };
    }
    const unnoticed = faults.filter(({ file, right, wrong, tests }) => {
      const path = join(copy, "src", file);
      const source = readFileSync(path, "utf8");
      writeFileSync(path, source.replace(right, wrong));
      const wentUnnoticed = passes(tests);
      writeFileSync(path, source);
      console.log(`${wentUnnoticed ? "NOT NOTICED" : "noticed"}: ${file}: ${right}`);
      return wentUnnoticed;
    });
    return {
      planted: faults.length,
      unnoticed: unnoticed.map(({ file, right }) => `${file}: ${right}`),
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exit(plantFaults().unnoticed.length === 0 ? 0 : 1);
}
