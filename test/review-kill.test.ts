import { expect, test } from "vitest";
import { openLabels } from "../src/cli/verbs/calibrate/judged-table.js";
import type { ReviewHand } from "../src/studio/reviews/review-api.js";
import { queueAnswers, reviewQueue } from "./support/review-queue.js";
import { MortalStudio } from "./support/review-storm.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

const items = 36;
const kills = [8, 20];

test("answers that a killed studio acknowledged are in the file, each once, and calibrate reads them", async () => {
  const directory = await temporaryDirectory();
  const path = await reviewQueue(directory, { items, side: 8 });
  const studio = new MortalStudio(directory);
  await studio.start();
  const acknowledged = new Map<string, string>();
  const due = [...kills];
  let killing: Promise<void> = Promise.resolve();
  const window = async (name: string) => {
    for (;;) {
      try {
        const address = `${studio.address}/api/reviews/review.jsonl`;
        const search = new URLSearchParams({ window: name, limit: "2" });
        const hand = (await (await fetch(`${address}/next?${search}`)).json()) as ReviewHand;
        const [item] = hand.items;
        if (item === undefined) return;
        const answer = item.place % 2 === 0 ? "a" : "b";
        const kept = fetch(`${address}/answers`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-touchstone": "test" },
          body: JSON.stringify({ item: item.key, answer, was: item.answer }),
        });
        if (acknowledged.size >= (due[0] ?? items)) {
          due.shift();
          killing = studio.kill();
        }
        if ((await kept).status === 200) acknowledged.set(item.key, answer);
      } catch {
        // It was killed at it: another one is there when this is over.
        await killing;
      }
    }
  };
  await Promise.all([window("one"), window("two")]);
  await killing;
  expect(due).toEqual([]);
  const said = await queueAnswers(path);
  expect(said.map(({ id, preferred }) => [id, preferred])).toEqual(
    Array.from({ length: items }, (_, at) => [`pair-${at}`, at % 2 === 0 ? "a" : "b"]),
  );
  // The last may have been written and not acknowledged; none is acknowledged and not written.
  expect(acknowledged.size).toBeGreaterThanOrEqual(items - kills.length * 2);
  const environment = { workingDirectory: directory, stdin: process.stdin };
  const table = { file: "review.jsonl", map: [], environment };
  const labels = await openLabels(table, { task: "pair", isReviewed: true });
  const read = await labels.read(undefined);
  expect(read.map(({ id, label }) => [id, label])).toEqual(
    Array.from({ length: items }, (_, at) => [`pair-${at}`, at % 2 === 0 ? 1 : 0]),
  );
});
