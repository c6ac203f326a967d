import { expect, test } from "vitest";
import { commandLines } from "../../test/support/command-lines.js";

const { put, run } = commandLines();
const json = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await run([...words, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};
const csv = (header: string, rows: readonly (readonly (string | number)[])[]) =>
  [header, ...rows.map((row) => row.join(",")), ""].join("\n");

/** Rows of a table, of which each of the second kind stands for three. */
const kinds = Array.from({ length: 24 }, (_, at) => at);
const weightOf = (at: number) => (at % 2 === 0 ? 1 : 3);
const drawn = kinds.map((at) => [weightOf(at), at % 2, 1]);
const repeated = kinds.flatMap((at) => Array.from({ length: weightOf(at) }, () => at));

const tables = {
  contrastive: {
    words: ["analyze", "contrastive"],
    header: "id,metric,domain,correct,adversarial",
    row: (at: number, id: string) => [id, "m", "d", ((at * 7) % 24) / 24, ((at * 5) % 24) / 24],
    values: (found: never) =>
      found["metrics" as never]["m" as never]["overall" as never]["failureRate" as never][
        "value" as never
      ],
  },
  calibration: {
    words: ["analyze", "calibration"],
    header: "id,label,probability",
    row: (at: number, id: string) => [id, at % 3 === 0 ? 1 : 0, ((at * 7) % 24) / 24],
    values: (found: never) => [
      found["accuracy" as never],
      found["brier" as never],
      found["rocAuc" as never],
    ],
  },
  correlation: {
    words: ["analyze", "correlation", "--human", "rating", "--metrics", "m"],
    header: "id,rating,m",
    row: (at: number, id: string) => [id, (at * 7) % 24, ((at * 5) % 24) / 24 + at],
    values: (found: never) =>
      found["metrics" as never]["m" as never]["pearson" as never]["value" as never],
  },
};

test.each(Object.entries(tables))(
  "%s counts a drawn row as often as its weight says",
  async (_, { words, header, row, values }) => {
    const weighted = kinds.map((at) => [...row(at, `${at}`), ...(drawn[at] ?? [])]);
    await put("weighted.csv", csv(`${header},weight,stratum,round`, weighted));
    await put(
      "repeated.csv",
      csv(
        header,
        repeated.map((at, place) => row(at, `${place}`)),
      ),
    );
    const [verb = "", name = "", ...more] = words;
    const [one, other] = [
      await json(verb, name, "weighted.csv", ...more, "--resamples", "100"),
      await json(verb, name, "repeated.csv", ...more, "--resamples", "100"),
    ];
    expect(one.weighted).toContain("1 / probability");
    const numbers = (found: unknown) => [values(found as never)].flat() as number[];
    for (const [at, value] of numbers(one).entries()) {
      expect(value).toBeCloseTo(numbers(other)[at] ?? Number.NaN, 12);
    }
  },
);

test.each(Object.entries(tables))(
  "%s is the same with weights of 1, but for saying so",
  async (_, { words, header, row }) => {
    const rows = kinds.map((at) => row(at, `${at}`));
    await put("plain.csv", csv(header, rows));
    await put(
      "ones.csv",
      csv(
        `${header},weight`,
        rows.map((each) => [...each, 1]),
      ),
    );
    const [verb = "", name = "", ...more] = words;
    const { weighted, warnings, ...one } = await json(
      verb,
      name,
      "ones.csv",
      ...more,
      "--resamples",
      "100",
    );
    const { warnings: others, ...plain } = await json(
      verb,
      name,
      "plain.csv",
      ...more,
      "--resamples",
      "100",
    );
    expect(weighted).toBeDefined();
    expect(plain).not.toHaveProperty("weighted");
    const metricless = ({ metrics: _, ...rest }: Record<string, unknown>) => rest;
    expect(metricless(one)).toEqual(metricless(plain));
  },
);

test("1 / probability stands in for a weight where a stratum or a round says that it is a draw's", async () => {
  const rows = kinds.map((at) => [`${at}`, (at * 7) % 24, at % 5, 1 / weightOf(at), at % 2]);
  await put("drawn.csv", csv("id,rating,m,probability,stratum", rows));
  await put("metric.csv", csv("id,rating,m,probability,other", rows));
  const words = ["--human", "rating", "--resamples", "100"];
  const found = await json("analyze", "correlation", "drawn.csv", ...words);
  expect(Object.keys(found.metrics)).toEqual(["m"]);
  expect(found.weighted).toBeDefined();
  const plain = await json("analyze", "correlation", "metric.csv", ...words);
  expect(Object.keys(plain.metrics)).toContain("probability");
  expect(plain).not.toHaveProperty("weighted");
});

test("intervals that know no weights are refused", async () => {
  const rows = kinds.map((at) => [`${at}`, (at * 7) % 24, at % 5, weightOf(at)]);
  await put("drawn.csv", csv("id,rating,m,weight", rows));
  const words = ["analyze", "correlation", "drawn.csv", "--human", "rating", "--interval", "t"];
  expect(await run(words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--interval"),
  });
});

test("bounds over unscored rows are weighted as the failure rate between them is", async () => {
  const rows = kinds.map((at) => [`${at}`, "m", "d", at < 2 ? "" : 0.5, at % 2, weightOf(at)]);
  await put("drawn.csv", csv("id,metric,domain,correct,adversarial,weight", rows));
  const { metrics } = await json("analyze", "contrastive", "drawn.csv", "--resamples", "100");
  const { failureRate, bounds } = metrics.m.overall;
  expect(failureRate.value).toBeCloseTo(33 / 44, 12);
  expect(bounds.low).toBeCloseTo(33 / 48, 12);
  expect(bounds.high).toBeCloseTo(37 / 48, 12);
});
