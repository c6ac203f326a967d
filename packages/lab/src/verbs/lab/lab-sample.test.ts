import { cardAsks } from "touchstone-t2i/internal/cli/verbs/card/card-asks.js";
import type { Picture } from "touchstone-t2i/internal/core/models.js";
import { expect, test } from "vitest";
import { isLabPicture } from "../../signature.js";
import { parseSentence } from "../../world/english.js";
import { paintLabSample } from "./lab-sample.js";

const words = (text: string) =>
  text
    .toLowerCase()
    .match(/[a-z-]+/g)
    ?.sort();

test("paints what a card asks about: lab pictures and sentences, the same by the same seed", async () => {
  const sample = await paintLabSample({ pictures: 2, seed: 5 });
  const { triplets, statements, bindings } = sample;
  expect([triplets.length, statements.length, bindings.length]).toEqual([2, 2, 2]);
  const pictures: Picture[] = [
    ...triplets.flatMap(({ typical, atypical }) => [
      ...[typical.right, typical.wrong, atypical.right, atypical.wrong],
    ]),
    ...statements.map(({ picture }) => picture),
    ...bindings.map(({ picture }) => picture),
  ];
  for (const picture of pictures) expect(isLabPicture(await picture.pixels())).toBe(true);
  expect(new Set(pictures.map(({ hash }) => hash)).size).toBe(pictures.length);
  for (const { text } of triplets) expect(parseSentence(text).subject).toHaveProperty("hypernym");
  for (const each of statements) {
    parseSentence(each.true);
    parseSentence(each.false);
    expect(each.false).not.toBe(each.true);
  }
  for (const { text, swapped } of bindings) {
    expect(swapped).not.toBe(text);
    // The articles may change with the colour that follows: "an orange ball", "a red ball".
    const plain = (sentence: string) => words(sentence)?.filter((word) => !/^an?$/.test(word));
    expect(plain(swapped)).toEqual(plain(text));
  }
  const again = await paintLabSample({ pictures: 1, seed: 5 });
  expect(again.statements[0]?.picture.hash).toBe(statements[0]?.picture.hash);
  const other = await paintLabSample({ pictures: 1, seed: 6 });
  expect(other.statements[0]?.picture.hash).not.toBe(statements[0]?.picture.hash);
});

test("asks 33 rows for each picture, the repetitions last, every one by a name of its own", async () => {
  const rows = cardAsks(await paintLabSample({ pictures: 2, seed: 5 }));
  // 4 of a triplet, 1 swap, 4 wordings, 1 statement, 1 as it is, 5 x 4 degraded, 2 again.
  expect(rows).toHaveLength(2 * 33);
  expect(new Set(rows.map(({ row }) => row.id)).size).toBe(rows.length);
  expect(rows.slice(-4).map(({ row }) => row.trial)).toEqual(["1", "1", "2", "2"]);
  const statements = rows.filter(({ row }) => row.id.startsWith("statement-"));
  expect(statements.filter(({ row }) => row.trial === "0").map(({ row }) => row.label)).toEqual([
    1, 0,
  ]);
  const shown = rows.flatMap(({ asks }) => Object.values(asks).map((ask) => ask.shown));
  expect(shown.filter((each) => each.endsWith("/noise/4"))).toHaveLength(2);
});
