import sharp from "sharp";
import { expect, test } from "vitest";
import { answerStudy } from "../../../../test/support/answer-study.js";
import { commandLines } from "../../../../test/support/command-lines.js";
import { generatedRun } from "../../../../test/support/generated-run.js";
import { nextCommandsIn } from "../../../../test/support/next-commands.js";
import { openStudy } from "../../../studies/home/open-study.js";
import { StudyService } from "../../../studies/server/study-service.js";

const { names, place, put, read, remove, run } = commandLines();

const prompts = Array.from({ length: 20 }, (_, at) => `thing ${at}`);

/** Says how bright an image is, as a user's own metric would. */
const brightness = `export default {
  name: "brightness",
  range: [0, 1],
  direction: "higher",
  async score({ image }) {
    const { data } = await image.pixels();
    return { value: data.reduce((sum, value) => sum + value, 0) / data.length / 255 };
  },
};
`;

async function picture(grey: number): Promise<Buffer> {
  const background = { r: grey, g: grey, b: grey };
  return sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
}

/** B is brighter on most prompts. */
const greys = { a: (at: number) => 90 + at, b: (at: number) => (at % 5 === 4 ? 60 : 150) + at };

async function folders(hasTexts = true) {
  await put("brightness.mjs", brightness);
  for (const side of ["a", "b"] as const) {
    for (const at of prompts.keys()) await put(`${side}/${at}.png`, await picture(greys[side](at)));
    if (!hasTexts) continue;
    const rows = prompts.map((text, at) => JSON.stringify({ file_name: `${at}.png`, text }));
    await put(`${side}/metadata.jsonl`, rows.join("\n"));
  }
}

const sides = ["--images", "A=a", "--images", "B=b"];
const metric = ["--metric", "./brightness.mjs", "--no-sanity"];

async function found(...words: string[]) {
  const { code, stdout, stderr } = await run(["compare", ...words, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** Prefers the brighter of two images. */
async function askSomebody(study: string, id: string) {
  const service = await StudyService.open(await openStudy(place(study)));
  await answerStudy(service, {
    id,
    async answer({ a, b }, look) {
      const light = async (shown: unknown) => {
        const { channels } = await sharp(await look(String([shown].flat()[0]))).stats();
        return channels[0]?.mean ?? 0;
      };
      return { preferred: (await light(a)) > (await light(b)) ? "a" : "b" };
    },
  });
}

test("from two folders to a verdict that begins with people: what one verb writes the next reads", async () => {
  await folders();
  for (const side of ["a", "b"]) {
    const words = ["score", side, ...metric, "--out", `${side}.jsonl`];
    expect(await run(words)).toMatchObject({ code: 0 });
  }
  const scored = await found("a.jsonl", "b.jsonl");
  expect(Object.keys(scored.models)).toEqual(["a", "b"]);

  const asked = await found(...sides, ...metric, "--ask", "12");
  expect(asked).toMatchObject({
    metric: "brightness",
    paired: { by: "metadata.jsonl", n: 20, leftOver: { A: 0, B: 0 } },
    pairs: [{ a: "A", b: "B", winRate: { value: scored.pairs[0].winRate.value } }],
    study: { study: "people-A-B/study", prompts: 12 },
  });
  expect(asked.people).toBeUndefined();
  await askSomebody(asked.study.study, "somebody");
  expect(nextCommandsIn((await run(["study", "status", asked.study.study])).stdout)).toEqual([
    asked.study.goOn,
  ]);

  const [program, verb, ...goOn] = asked.study.goOn.split(" ");
  expect([program, verb]).toEqual(["touchstone", "compare"]);
  const concluded = await found(...goOn);
  const { people } = concluded;
  expect(people).toMatchObject({ n: 12, prompts: 12 });
  expect(people.winRate.value).toBeLessThan(0.5);
  expect(people.difference.value).toBeCloseTo(2 * people.winRate.value - 1, 9);
  expect(concluded.verdict).toMatch(/^People prefer B in .* of 12 pairs .*; the metric agrees\. /);
  // What was scored is found again.
  expect(concluded.run).toBe(asked.run);
  expect(concluded.humanCorrected.labels).toBe(24);

  const page = await run(["compare", ...goOn, "--out", "page.html"]);
  expect(page.code, page.stderr).toBe(0);
  const html = await read("page.html");
  expect(html).toContain("Where B is furthest behind A");
  expect(html.match(/<img /g)?.length).toBeGreaterThan(1);

  // Each answer counts by the probability with which its prompt was drawn.
  const pairs = (await read("people-A-B/pairs.csv")).trimEnd().split("\n");
  expect(pairs[0]).toContain("prompt,probability,weight,stratum,round");
  expect(concluded.humanCorrected.sampling).toBe("planned");

  const table = ["--table", "preferences", "--out", "answers.csv"];
  expect(await run(["study", "export", asked.study.study, ...table])).toMatchObject({ code: 0 });
  expect((await found(...sides, ...metric, "--labels", "answers.csv")).people).toEqual(people);
});

test("with no call allowed, the JSON forecasts every metric, and nothing is scored", async () => {
  await folders();
  await put("darkness.mjs", brightness.replace('"brightness"', '"darkness"'));
  const line = ["compare", ...sides, ...metric, "--metric", "./darkness.mjs"];
  const { code, stderr } = await run([...line, "--max-calls", "0", "--json"]);
  expect(code).toBe(3);
  const { forecast } = JSON.parse(stderr).error;
  const own = (name: string) => ({
    what: expect.stringContaining(name),
    tasks: 2 * prompts.length,
    calls: null,
    cost: null,
  });
  expect(forecast).toEqual([own("brightness"), own("darkness")]);
});

test("labels name a prompt or an image, and say who is preferred or how good each is", async () => {
  await folders();
  const rows = prompts.slice(0, 10).map((text, at) => ({ text, at, isB: at % 5 !== 4 }));
  await put(
    "prompts.csv",
    `prompt,preferred\n${rows.map(({ text, isB }) => `${text},${isB ? "B" : "A"}`).join("\n")}`,
  );
  await put(
    "images.csv",
    `image,preferred\n${rows.map(({ at, isB }) => `${at}.png,${isB ? "b" : "a"}`).join("\n")}`,
  );
  await put(
    "values.jsonl",
    rows
      .flatMap(({ at, isB }) => [
        { image: `a/${at}.png`, value: 3 },
        { image: `b/${at}.png`, value: isB ? 5 : 1 },
      ])
      .map((row) => JSON.stringify(row))
      .join("\n"),
  );
  const people = async (file: string) => (await found(...sides, "--labels", file)).people;
  const byPrompt = await people("prompts.csv");
  expect(byPrompt).toMatchObject({ n: 10, winRate: { value: 0.2 }, difference: { value: -0.6 } });
  expect(await people("images.csv")).toEqual(byPrompt);
  const byValue = await people("values.jsonl");
  expect(byValue).toMatchObject({ n: 10, difference: { value: -1.2 } });
  expect(byValue.winRate).toEqual(byPrompt.winRate);
});

test("folders without texts are paired by file name, and take their prompts from a file", async () => {
  await folders(false);
  await remove("b/7.png");
  await put("prompts.txt", prompts.filter((_, at) => at !== 7).join("\n"));
  await put(
    "prompts.csv",
    `file_name,prompt\n${prompts.map((text, at) => `${at}.png,${text}`).join("\n")}`,
  );
  const none = await run(["compare", ...sides, ...metric]);
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toContain("--prompts");
  const named = await found(...sides, ...metric, "--prompts", "prompts.csv");
  expect(named.paired).toEqual({ by: "prompt", n: 19, leftOver: { A: 1, B: 0 } });
  // One for each image is too few for the folder that has more.
  expect(await run(["compare", ...sides, ...metric, "--prompts", "prompts.txt"])).toMatchObject({
    code: 2,
  });
  await put("labels.csv", "image,preferred\n0.png,tie\n");
  const labelled = await found(...sides, "--labels", "labels.csv");
  expect(labelled.paired).toMatchObject({ by: "file name", n: 19 });
  expect(labelled.people.winRate.value).toBe(0.5);
});

test.each([
  ["labels.csv", "prompt,preferred\nanother thing,A\n", "none of its 1 row"],
  ["labels.csv", "prompt,preferred\nthing 1,C\n", "Expected A, B or tie"],
  ["labels.csv", "prompt,other\nthing 1,A\n", "Expected preferred"],
])("labels that can't be used are refused: %s %j", async (name, content, message) => {
  await folders();
  await put(name, content);
  const refused = await run(["compare", ...sides, "--labels", name]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr.replace(/\s+/g, " ")).toContain(message);
});

test("prompts that a file says are one image's each, and an empty file is refused", async () => {
  await folders(false);
  await put("prompts.txt", prompts.join("\n"));
  const { making } = await found(...sides, ...metric, "--prompts", "prompts.txt");
  expect(making).toMatchObject([
    { by: "A", images: 20, prompts: 20, perPrompt: [1] },
    { by: "B", images: 20, prompts: 20, perPrompt: [1] },
  ]);
  await put("labels.csv", "image,preferred\n0.png,A\n");
  const unnamed = await found(...sides, "--labels", "labels.csv");
  expect(unnamed.making).toMatchObject([{ perPrompt: [1] }, { perPrompt: [1] }]);
  await put("prompts.txt", "\n");
  const empty = await run([
    "compare",
    ...sides,
    "--labels",
    "labels.csv",
    "--prompts",
    "prompts.txt",
  ]);
  expect(empty).toMatchObject({ code: 2 });
  expect(empty.stderr).toContain("Expected prompts in prompts.txt but it has none");
});

test("an image that can't be read is said on the page, and hides nothing else", async () => {
  await folders();
  await put("labels.csv", "prompt,preferred\nthing 0,A\nthing 1,B\nthing 2,B\n");
  await put("a/0.png", "no image");
  const page = await run(["compare", ...sides, "--labels", "labels.csv", "--out", "page.html"]);
  expect(page.code, page.stderr).toBe(0);
  expect(await read("page.html")).toContain("A: 0.png, can&#39;t be read");
});

test("what nothing judged is a page that says so; a taken study is refused before scores are paid", async () => {
  await folders();
  const asked = await run(["compare", ...sides, "--ask", "3", "--out", "page.html"]);
  expect(asked.code, asked.stderr).toBe(0);
  expect(await read("page.html")).toContain("nothing judged the pairs yet");
  await put("broken.mjs", "export default {};");
  const again = await run(["compare", ...sides, "--metric", "./broken.mjs", "--ask", "3"]);
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain("--labels people-A-B/study");
});

test("a study stands once, and a gate compares scores", async () => {
  await folders();
  expect(await run(["compare", ...sides, "--ask", "3"])).toMatchObject({ code: 0 });
  expect(await names()).toContain("people-A-B");
  const again = await run(["compare", ...sides, "--ask", "3"]);
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain("--labels people-A-B/study");
  const gate = ["--baseline", "old.json", "--labels", "labels.csv"];
  expect(await run(["compare", ...sides, ...gate])).toMatchObject({ code: 2 });
  const empty = await run(["compare", ...sides, "--labels", "people-A-B/study"]);
  expect(empty).toMatchObject({ code: 2 });
  expect(empty.stderr).toContain("touchstone study serve people-A-B/study");
});

test("runs are sides as folders are", async () => {
  await put("brightness.mjs", brightness);
  for (const name of ["one", "other"]) await generatedRun(place(name), { images: 8 });
  const runs = ["--images", "A=one", "--images", "B=other"];
  expect(await found(...runs, ...metric)).toMatchObject({
    metric: "brightness",
    paired: { by: "prompt", n: 8, leftOver: { A: 0, B: 0 } },
    pairs: [{ a: "A", b: "B", ties: 1 }],
    making: [
      { by: "A", images: 8 },
      { by: "B", images: 8 },
    ],
  });
  expect((await found(...runs)).images).toMatchObject({ pairs: 8, changed: { value: 0 } });
});
