import { expect, test } from "vitest";
import { reportLine } from "./written-report.js";

test("a page in a folder is opened in a browser; one in a database is not", () => {
  const line = (path: string) => reportLine({ path, shown: path, bytes: 1_400_000, verdict: [] });
  expect(line("/runs/demo/report.html")).toBe(
    "Report: /runs/demo/report.html (1.4 MB); open it in a browser.",
  );
  expect(line("postgres://me@db/t/demo/report.html")).toBe(
    "Report: postgres://me@db/t/demo/report.html (1.4 MB).",
  );
});
