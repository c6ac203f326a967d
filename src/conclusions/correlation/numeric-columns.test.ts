import { expect, test } from "vitest";
import { tableOf } from "../../tables/bytes.js";
import { readTable } from "../../tables/table.js";
import { isNoMetric, numericColumns } from "./columns.js";

const namesIn = async (name: string, content: string) => {
  const table = await readTable({
    source: tableOf(name, content),
    shape: { kinds: {}, others: () => true },
  });
  return numericColumns(table.others, { rows: table.length, table: name });
};

test.each([
  ["1e999", "Infinity"],
  ['"n/a!"', '"n/a!"'],
])("a cell %s among numbers is quoted as it came", async (cell, quoted) => {
  await expect(namesIn("a.jsonl", `{"clip":0.5}\n{"clip":${cell}}\n`)).rejects.toThrow(
    `Expected numbers or nothing for clip but received ${quoted}`,
  );
});

test("the hint names the word that stands there", async () => {
  await expect(namesIn("a.csv", "clip\n0.5\n#DIV/0!\n")).rejects.toMatchObject({
    hint: expect.stringContaining("--unscored '#DIV/0!'"),
  });
});

test("a word with a backslash is named as it must be given", async () => {
  await expect(namesIn("a.csv", "clip\n0.5\n\\N\n")).rejects.toMatchObject({
    hint: expect.stringContaining("--unscored '\\N'"),
  });
});

test("a word with a quotation mark is not taken for one that ends there", async () => {
  await expect(namesIn("a.jsonl", '{"clip":0.5}\n{"clip":"4\\" in b"}\n')).rejects.toMatchObject({
    hint: expect.not.stringContaining("--unscored"),
  });
});

test("of decimal commas it is said how pandas reads them", async () => {
  await expect(namesIn("a.csv", "clip;b\n0,712;x\n")).rejects.toMatchObject({
    hint: expect.stringContaining('decimal=","'),
  });
});

test("a column of lists of one number is refused by name, not passed over", async () => {
  await expect(namesIn("a.jsonl", '{"clip":[0.5]}\n{"clip":[0.6]}\n')).rejects.toThrow(
    /clip .*line 1/,
  );
  expect(await namesIn("a.jsonl", '{"clip":1,"emb":[0.5,0.1]}\n')).toEqual(["clip"]);
});

test.each([
  "71.2 %",
  "0,712",
  "1,234.0",
  "[0.712]",
  "tensor(0.712)",
  '="0.712"',
  "(0.712,)",
  "'0.712",
  "−0.712",
  "1\u202f234",
  "0.712 ± 0.01",
])("a column of %s is refused by name, not passed over", async (cell) => {
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  await expect(namesIn("a.csv", `clip,b\n${quoted},x\n${quoted},x\n`)).rejects.toThrow(
    /clip .*line 2/,
  );
});

test.each(["[0.1, 0.2]", "2024-05-01", "10:30", "a cat", "12 cats", "{0.712}"])(
  "a column of %s is no column of numbers",
  async (cell) => {
    expect(await namesIn("a.csv", `other,clip\n"${cell}",1\n"${cell}",2\n`)).toEqual(["clip"]);
  },
);

test("what is said of a rating, or of how an image was made, is no metric", () => {
  const names = [
    ...[
      "rating_std",
      "rating_n",
      "rating_mean",
      "mean_rating",
      "n_rating",
      "avg rating",
      "rating_raw",
    ],
    ...["n_raters", "num_votes", "seed", "width", "image_width", "timestamp", "file_size", "bytes"],
    ...["num_inference_steps", "guidance_scale", "cfg_scale", "batch_size", "year", "epoch"],
    ...["latency", "latency_ms", "gen_seconds", "duration", "price_usd", "cost", "total_tokens"],
    ...[
      "#",
      "Image #",
      "prompt_no",
      "No.",
      "index",
      "row",
      "rank",
      "Ranking",
      "order",
      "iteration",
      "round",
      "trial",
      "attempt",
    ],
  ];
  expect(names.filter((name) => !isNoMetric(name, ["rating"]))).toEqual([]);
  const metrics = [
    "clip-score",
    "rating_model",
    "n",
    "stdclip",
    "human_like",
    "vqa_n",
    "seedream",
    "clip-s",
    "clip-b",
    "operating",
    "mllm-rating",
    "vqa_time_lapse",
    "position",
    "counting",
    "rank_score",
  ];
  expect(metrics.filter((name) => isNoMetric(name, ["rating"]))).toEqual([]);
});
