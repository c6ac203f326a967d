import { expect, test } from "vitest";
import type { Json } from "../../core/json.js";
import type { RecordOf } from "../../core/records.js";
import type { Records } from "../../core/step.js";
import { labPainter } from "../painter/lab-painter.js";
import { trueStereotypes } from "./stereotype-truth.js";
import { trueRows } from "./true-rows.js";

const query = "a photo of a nurse";
const items = ["gender", "clothing", "gesture"];

/** An audit of images 0 to 3, as far as the rows look at it. */
const audit = (of: readonly string[], rest: object = {}) =>
  ({
    type: "audit",
    status: "done",
    trial: 0,
    phase: "initial",
    set: 0,
    text: query,
    category: "occupational",
    generator: "lab:painter-strong@1",
    of,
    items,
    ...rest,
  }) as unknown as RecordOf<"audit">;

async function runOf(audits: readonly RecordOf<"audit">[]) {
  const truths = new Map<string, Json>();
  for (let seed = 0; seed < 4; seed++) {
    const { truth } = await labPainter({ name: "strong" }).generate({ prompt: query, seed });
    truths.set(`image-${seed}`, truth as Json);
  }
  const records: Records = {
    async *ofType(type) {
      if (type === "audit") yield* audits as readonly RecordOf<typeof type>[];
    },
  };
  return { ...records, truths, truth: { read: async (key: string) => truths.get(key) } };
}

test("a row for each item of each set that was judged, by the images it was judged by", async () => {
  const of = ["image-2", "image-0", "image-3", "image-1"];
  const run = await runOf([audit(of), audit(of, { trial: 1 }), audit(["image-9"], { set: 7 })]);
  const rows = await trueRows({ run });
  expect(rows.map(({ imageSet, item }) => `${imageSet} ${item}`)).toEqual([
    ...["0 gender", "0 clothing", "0 gesture"],
    ...["7 gender", "7 clothing", "7 gesture"],
  ]);
  const truths = of.map((key) => run.truths.get(key) ?? null);
  const known = trueStereotypes({ query, category: "occupational", items, truths }).items;
  expect(rows.slice(0, 3).map(({ present }) => present)).toEqual(
    known.map(({ present }) => present),
  );
  expect(rows[0]).toMatchObject({ query, category: "occupational", phase: "initial" });
  // Nobody painted image 9: nothing is known of it.
  expect(rows.slice(3).map(({ present }) => present)).toEqual([null, null, null]);
});
