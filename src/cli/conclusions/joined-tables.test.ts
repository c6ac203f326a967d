import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { put, run } = commandLines();

/** Ratings of twelve images and a metric's scores of eleven of them and one more, in another order. */
async function putTables() {
  const images = Array.from({ length: 12 }, (_, at) => ({ id: `00${at}`, rating: (at * 7) % 5 }));
  await put(
    "ratings.csv",
    `id,rating,split\n${images.map(({ id, rating }, at) => `${id},${rating},${at % 3 === 0 ? "train" : "test"}\n`).join("")}`,
  );
  const scores = images.slice(1).reverse();
  await put(
    "clip.jsonl",
    [...scores, { id: "0099", rating: 1 }]
      .map(({ id, rating }, at) => `${JSON.stringify({ id, clip: rating + at / 10 })}\n`)
      .join(""),
  );
  await put(
    "vqa.json",
    JSON.stringify(Object.fromEntries(images.map(({ id, rating }) => [id, rating * 2]))),
  );
}
const correlate = (...words: readonly string[]) =>
  run(["analyze", "correlation", ...words, "--human", "rating", "--resamples", "100", "--json"]);

test("--join brings files of several formats together by id; what one lacks is missing", async () => {
  await putTables();
  const { code, stdout, stderr } = await correlate(
    "ratings.csv",
    "clip.jsonl",
    "vqa.json",
    "--join",
    "id",
  );
  expect(code, stderr).toBe(0);
  const { metrics, unscored } = JSON.parse(stdout);
  expect(metrics.clip).toMatchObject({ n: 11 });
  expect(metrics.value).toMatchObject({ n: 12, kendallTauB: { value: 1 } });
  expect(unscored).toBeGreaterThan(0);
});

test("--join refuses a name that is twice, columns of one name, and files that share nothing", async () => {
  await putTables();
  await put("twice.csv", "id,other\n001,1\n001,2\n");
  await put("same.csv", "id,rating\n001,1\n");
  await put("none.csv", "id,other\nx,1\n");
  for (const [file, message] of [
    ["twice.csv", "once in twice.csv"],
    ["same.csv", "is in ratings.csv and same.csv"],
    ["none.csv", "none is shared"],
  ] as const) {
    const { code, stderr } = await correlate("ratings.csv", file, "--join", "id");
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  }
  expect((await correlate("ratings.csv", "--join", "id")).code).toBe(2);
});

test("--where reads rows that fit, whatever the format", async () => {
  await putTables();
  const words = ["ratings.csv", "vqa.json", "--join", "id"];
  const of = async (...where: readonly string[]) => {
    const { code, stdout } = await correlate(
      ...words,
      ...where.flatMap((each) => ["--where", each]),
    );
    return code === 0 ? JSON.parse(stdout).metrics.value.n : code;
  };
  expect(await of("split=test")).toBe(8);
  expect(await of("split!=test")).toBe(4);
  expect(await of("split=test", "split=train")).toBe(12);
  expect(await of("split=test", "value=4.0")).toBe(2);
  expect(await of("split=validation")).toBe(2);
  expect(await of("part=test")).toBe(2);
  const { stderr } = await correlate(...words, "--where", "split=validation");
  expect(stderr).toContain("split has train, test");
});
