// Plants twenty faults in a copy of the source, one at a time, and runs the tests nearest to each:
// a fault that no test notices is a hole in the tests. Part of the soak; alone:
//   node scripts/mutations.mjs

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** File, what stands there, what is put in its place, and the tests that should notice. */
const faults = [
  ["stats/wilson-interval.ts", "square / 4", "square / 2", "src/stats/wilson-interval.test.ts"],
  ["stats/holm.ts", "(count - at)", "(count - at + 1)", "src/stats"],
  ["stats/benjamini-yekutieli.ts", "1 / rank", "1", "src/stats"],
  ["stats/kendall.ts", "pairs - tiedX)", "pairs)", "src/stats/correlation.test.ts"],
  ["stats/kendall.ts", "Math.min(1, 2 * share", "Math.min(1, share", "src/stats"],
  ["stats/brier-score.ts", ") ** 2", ") ** 4", "src/stats/calibration.test.ts"],
  ["stats/expected-calibration-error.ts", "bin.n * Math.abs", "Math.abs", "src/stats"],
  [
    "stats/cohen-kappa.ts",
    "quadratic: (a: number, b: number) => (a - b) ** 2",
    "quadratic: (a: number, b: number) => Math.abs(a - b)",
    "src/stats/agreement.test.ts",
  ],
  ["stats/fleiss-kappa.ts", "let pairs = -raters", "let pairs = 0", "src/stats/agreement.test.ts"],
  [
    "stats/krippendorff-alpha.ts",
    "(n - 1) * observed",
    "n * observed",
    "src/stats/agreement.test.ts",
  ],
  ["stats/percentile-interval.ts", "0.025", "0.05", "src/stats"],
  ["stats/paired-t-test.ts", "/ df);", "/ n);", "src/stats/paired-t-test.test.ts"],
  [
    "stats/rogan-gladen.ts",
    "? (apparent + specificity - 1)",
    "? (apparent + specificity)",
    "src/stats/rogan-gladen.test.ts",
  ],
  ["analysis/pairs/score-ties.ts", "1e-6;", "1e-3;", "src/analysis/pairs"],
  ["core/random.ts", "(c << 21)", "(c << 20)", "src/core src/stats"],
  ["ensembles/binomial-bound.ts", "> 1 - confidence", "> confidence", "src/ensembles"],
  ["files/atomic.ts", "await rm(beside, { force: true });", "", "src/files/atomic.test.ts"],
  [
    "metrics/clip-score.ts",
    "2.5 * Math.max(value, 0)",
    "2.5 * value",
    "src/metrics/clip-score.test.ts",
  ],
  ["tables/csv-records.ts", `inner.replaceAll('""', '"')`, "inner", "src/tables"],
  [
    "tables/places.ts",
    "if (earlier !== 0) return earlier;",
    "",
    "src/tables src/files/table.test.ts",
  ],
];

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
    for (const name of ["node_modules", "dist", "weights", "bin"]) {
      symlinkSync(join(root, name), join(copy, name));
    }
    const unnoticed = faults.filter(([file, right, wrong, tests]) => {
      const path = join(copy, "src", file);
      const source = readFileSync(path, "utf8");
      if (!source.includes(right)) throw new Error(`Expected ${right} in ${file}: mend this list`);
      writeFileSync(path, source.replace(right, wrong));
      const { status } = spawnSync("npx", ["vitest", "run", ...tests.split(" "), "--bail=1"], {
        cwd: copy,
        stdio: "ignore",
      });
      writeFileSync(path, source);
      console.log(`${status === 0 ? "NOT NOTICED" : "noticed"}: ${file}: ${right}`);
      return status === 0;
    });
    return {
      planted: faults.length,
      unnoticed: unnoticed.map(([file, right]) => `${file}: ${right}`),
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exit(plantFaults().unnoticed.length === 0 ? 0 : 1);
}
