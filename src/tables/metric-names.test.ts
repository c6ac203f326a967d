import { expect, test } from "vitest";
import { MetricNames } from "./metric-names.js";

const namesOf = (...rows: readonly Record<string, unknown>[]) => {
  const names = new MetricNames();
  for (const row of rows) names.add(row);
  return [...names.names().values()];
};
const result = { metric: "m", metricVersion: "1", convention: null, template: "{text}" };

test("metrics of one name are told apart by as little as it takes", () => {
  const [a, b] = ["lab:a@f5c8e40c032d", "lab:a@a50b09052f5f"];
  expect(namesOf({ ...result, model: a }, { ...result, model: a })).toEqual(["m"]);
  expect(namesOf({ ...result, model: a }, { ...result, metric: "k", model: b })).toEqual([
    ...["m", "k"],
  ]);
  expect(namesOf({ ...result, model: a }, { ...result, model: b })).toEqual([`${a} m`, `${b} m`]);
  const other = { ...result, model: "lab:b@a50b09052f5f" };
  expect(namesOf({ ...result, model: a }, other)).toEqual(["lab:a m", "lab:b m"]);
  expect(namesOf(other, { ...other, convention: "cosine" })).toEqual(["m", "cosine m"]);
});

test("only a row that names a metric has one", () => {
  expect(namesOf({ metric: "" }, { metric: null }, { metric: "0.5" }, { metric: 2 }, {})).toEqual(
    [],
  );
  expect(namesOf({ metric: "m", model: "a" }, { metric: "m", model: "b" })).toEqual(["m"]);
});
