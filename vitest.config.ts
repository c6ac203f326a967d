import { defineConfig } from "vitest/config";

// No test of a pure room can leave anything behind, so their files share a worker.
const pureRooms = ["core", "stats", "ensembles", "analysis", "tables"];
const pureTests = pureRooms.map((room) => `src/${room}/**/*.test.ts`);
// They need a browser, which a clone has not: see test/browser/in-browser.ts.
const browserTests = ["test/browser/**/*.test.ts"];
// They take longer than CI may: see scripts/soak.mjs.
const soakTests = ["test/soak/**/*.test.ts"];
const shared = {
  setupFiles: ["test/support/property-seed.ts", "test/support/check-next-commands.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // By default one processor is left idle: of two that is half of them.
    maxWorkers: "100%",
    projects: [
      { test: { ...shared, name: "pure", include: pureTests, isolate: false } },
      {
        test: {
          ...shared,
          name: "rooms",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...pureTests, ...browserTests, ...soakTests],
        },
      },
      { test: { ...shared, name: "browser", include: browserTests } },
      { test: { ...shared, name: "soak", include: soakTests } },
    ],
  },
});
