import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// They need a browser, which a clone has not: see test/browser/in-browser.ts.
const browserTests = ["test/browser/**/*.test.ts"];
// They take longer than CI may: see scripts/soak.mjs.
const soakTests = ["test/soak/**/*.test.ts"];
// They start processes that are killed, measure memory, count what an import loads, load native code, or put another
// module in the place of one.
const isolatedTests = [
  "src/ensembles/label-products.test.ts",
  "src/studio/evidence/evidence-again.test.ts",
  "test/{browser-entries,commands,full-disk,import-budget}.test.ts",
  "test/{kill,kill-generate,kill-score,left-open,memory,review-kill}.test.ts",
  "test/conformance/{lab-in-transformers-js,native-runtime}.test.ts",
];
// Whole jobs, of ten commands and more: CI runs them behind the others.
const jobTests = [
  "src/cli/verbs/{calibrate/calibrate,report/report,run/run,run/run-exclude,study/study-people}.test.ts",
  "src/cli/verbs/score/score-hosted.test.ts",
  "test/{asked-once,chain,planted-key,servers-told-by-name}.test.ts",
  "test/malformed/{malformed,sources}.test.ts",
  "test/{faults,walkthroughs}/*.test.ts",
];
const isolatedJobs = [
  "test/{action,installed-package,interrupt-run,kill-judge,python-bridge,truth-out-of-reach}.test.ts",
];
// They measure speed and memory, so nothing runs beside them.
const measuredTests = ["test/soak/{million-rows,studio-speed,studio-million,study-load}.test.ts"];
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const shared = {
  // Both packages are tested from their sources.
  alias: [
    { find: /^touchstone-t2i\/internal\/(.*)\.js$/, replacement: file("src/$1.ts") },
    { find: "touchstone-t2i-lab/tool", replacement: file("packages/lab/src/tool.ts") },
  ],
  setupFiles: [
    "test/support/property-seed.ts",
    "test/support/check-next-commands.ts",
    "test/support/closed-files.ts",
  ],
  // They catch what hangs, however slow or busy the machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
};
// Files share a worker: importing the house anew for each would take as long as its tests.
const sharing = {
  ...shared,
  globalSetup: ["test/support/memory-disk.ts"],
  setupFiles: [...shared.setupFiles, "test/support/use-memory-disk.ts"],
  isolate: false,
};

export default defineConfig({
  test: {
    // By default one processor is left idle; tests wait for disks and servers half of their time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      {
        test: {
          ...sharing,
          name: "rooms",
          include: ["src/**/*.test.ts", "packages/lab/src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [
            ...[...isolatedTests, ...jobTests, ...isolatedJobs],
            ...[...browserTests, ...soakTests],
          ],
        },
      },
      { test: { ...shared, name: "house", include: isolatedTests } },
      { test: { ...sharing, name: "jobs", include: jobTests } },
      { test: { ...shared, name: "jobs-apart", include: isolatedJobs } },
      // A busy machine's browser may be late once; a test that passed at its second try is said to be flaky.
      {
        test: { ...shared, name: "browser", include: browserTests, retry: process.env.CI ? 1 : 0 },
      },
      {
        test: {
          ...shared,
          name: "soak-measured",
          include: measuredTests,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: "soak",
          include: soakTests,
          exclude: measuredTests,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
