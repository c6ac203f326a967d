import { expect, test } from "vitest";
import { sampleReport } from "../../../../test/report/sample-report.js";
import { failureTable } from "./failure-table.js";

test("each metric's rates pool the domains, and stand once more with equal weight for each", () => {
  const text = failureTable(sampleReport(), 100);
  expect(text).toMatch(/domains pooled, then with equal weight for\s+each/);
  const metrics = sampleReport().selections[0].metrics.length;
  expect(text.match(/^ +mean of domains /gm)).toHaveLength(metrics);
});

test("a run of one domain has nothing to pool", () => {
  const report = sampleReport();
  const [first] = report.selections;
  const metrics = first.metrics.map((each) => ({
    ...each,
    domains: Object.fromEntries(Object.entries(each.domains).slice(0, 1)),
  }));
  const text = failureTable({ ...report, selections: [{ ...first, metrics }] }, 100);
  expect(text).not.toMatch(/pooled|mean of domains/);
});
