import { expect, test } from "vitest";
import { commandLines } from "../../../../test/support/command-lines.js";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { InputError } from "../../../core/errors.js";
import type { ItemPair } from "./pair-items.js";
import { peoplesLabels } from "./peoples-labels.js";
import type { TwoSides } from "./side-items.js";

const { place, put } = commandLines();

const pairs = ["p1", "p2"].map((prompt): ItemPair => {
  const item = (side: string) => {
    const image = `${prompt}-${side}.png`;
    return { image, path: `/${image}`, text: prompt, others: {} };
  };
  return { prompt, items: [item("a"), item("b")] };
});

async function labelsOf(content: string, names: readonly [string, string] = ["A", "B"]) {
  await put("labels.csv", content);
  const sides: TwoSides = [
    { name: names[0], source: "x" },
    { name: names[1], source: "y" },
  ];
  const environment = fakeEnvironment({ workingDirectory: place(".") });
  return peoplesLabels(["labels.csv"], { sides, pairs, environment });
}

const winsOf = async (...given: Parameters<typeof labelsOf>) =>
  (await labelsOf(...given)).answers.map(({ win }) => win);

test("a side's name goes before its position, whatever its capitals", async () => {
  expect(await winsOf("prompt,preferred\np1,a\np2,b\n", ["B", "A"])).toEqual([0, 1]);
  expect(await winsOf("prompt,preferred\np1,a\np2,b\n", ["ours", "theirs"])).toEqual([1, 0]);
});

test("rows without an answer are left out and counted; a score is none", async () => {
  const half = await labelsOf("prompt,preferred,score\np1,A,0.9\np2,,0.1\n");
  expect(half.answers).toHaveLength(1);
  expect(half.notes).toEqual(["1 row of labels.csv left out: no answer"]);
  const rated = await labelsOf(
    "image,value,score\np1-a.png,3,0.9\np1-b.png,1,0.8\np2-a.png,,0.7\np2-b.png,,0.1\n",
  );
  expect(rated.answers).toEqual([{ prompt: "p1", win: 1, difference: 2 }]);
  await expect(labelsOf("prompt,preferred\np1,\n")).rejects.toThrow("none of its 1 row has one");
});

test("answers about another pair of models are left out and counted", async () => {
  const rows = ["p1,A,B,b", "p1,A,C,a", "p1,C,A,tie", "p2,C,A,a"];
  const { answers, notes } = await labelsOf(`prompt,a,b,preferred\n${rows.join("\n")}\n`);
  expect(answers.map(({ win }) => win)).toEqual([0]);
  expect(notes).toEqual(["3 labels of labels.csv left out: about none of the pairs"]);
  const ratings = await labelsOf("prompt,model,value\np1,A,1\np1,B,2\np1,C,5\n");
  expect(ratings.answers).toEqual([{ prompt: "p1", win: 0, difference: -1 }]);
});

test("labels that were drawn keep their draws, of images both images' draw", async () => {
  const drawn = "prompt,preferred,weight,stratum,round\np1,A,4,0,1\np2,B,2,1,1\n";
  expect((await labelsOf(drawn)).answers).toMatchObject([
    { prompt: "p1", win: 1, draw: { weight: 4, stratum: "0", round: 1 } },
    { prompt: "p2", win: 0, draw: { weight: 2, stratum: "1", round: 1 } },
  ]);
  for (const [weight, round] of [
    ["0.5", "1"],
    ["abc", "1"],
    ["0,5", "1"],
    ["2", "first"],
  ]) {
    const bad = labelsOf(`prompt,preferred,weight,round\np1,A,"${weight}",${round}\n`);
    await expect(bad).rejects.toThrow(InputError);
  }
});
