import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { CallMeter } from "../../../models/prices/call-meter.js";
import { Budget } from "../../../runs/budget.js";
import type { Output } from "../../terminal/output.js";
import { columnEmbedder, embedItems } from "./embed-items.js";

const item = (line: number, embeddings?: readonly (readonly number[])[]) => ({
  id: `${line}`,
  text: "a cat",
  images: [],
  place: `labels.csv, line ${line}`,
  ...(embeddings === undefined ? {} : { embeddings }),
});
const tools = {
  budget: new Budget({}),
  meter: new CallMeter(),
  goOn: "touchstone run resume judge-answers",
  environment: fakeEnvironment(),
  output: {} as Output,
};

test("embeddings of a column: one as it is, of a pair the mean of both; rows without are named", async () => {
  const found = await embedItems(
    columnEmbedder,
    [
      item(2, [[3, 4]]),
      item(3, [
        [1, 0],
        [0, 9],
      ]),
    ],
    tools,
  );
  expect(found[0]).toEqual(Float64Array.of(0.6, 0.8));
  expect(Array.from(found[1] ?? [])).toEqual(
    [Math.SQRT1_2, Math.SQRT1_2].map((n) => expect.closeTo(n, 12)),
  );
  const idle = new Set([1]);
  expect(
    await embedItems(columnEmbedder, [item(2, [[3, 4]]), item(3)], { ...tools, idle }),
  ).toHaveLength(2);
  await expect(
    embedItems(columnEmbedder, [item(2, [[3, 4]]), item(3), item(4, [[1, 2, 3]])], tools),
  ).rejects.toMatchObject({
    message: expect.stringContaining("but 2 rows differ"),
    problems: [
      "labels.csv, line 3: none",
      "labels.csv, line 4: another length than the rows before",
    ],
  });
});
