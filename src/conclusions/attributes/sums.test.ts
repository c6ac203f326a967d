import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, csvOf, figures } from "../../../test/support/sums-of-rows.js";

interface Row {
  readonly image: string;
  readonly entity: string;
  readonly attribute: string;
  readonly kind: string;
  readonly annotator: string;
  readonly probability: number | null;
  readonly prompt: string;
}

/** What the printed query says of rows, worked out row by row. */
function sums(rows: readonly Row[]) {
  const about = ({ image, annotator, entity, attribute }: Row) =>
    JSON.stringify([image, annotator, entity, attribute]);
  const reflected = new Set(rows.filter((row) => row.kind === "reflection").map(about));
  const images = counted(
    rows,
    ({ image, prompt, annotator, kind }) => ({
      part: "images",
      of_image: image,
      of_prompt: prompt,
      of_annotator: annotator,
      of_kind: kind,
    }),
    (row) => {
      const isOwn = row.kind === "leakage" && reflected.has(about(row));
      const { probability } = row;
      return {
        said_yes: Number(!isOwn && probability !== null && probability >= 0.5),
        said_no: Number(!isOwn && probability !== null && probability < 0.5),
        unanswered: Number(!isOwn && probability === null),
        also_own: Number(isOwn),
        no_share: 0,
      };
    },
  );
  const entities = counted(rows, ({ entity }) => ({ part: "entities", entity }));
  const attributes = counted(rows, ({ attribute }) => ({ part: "attributes", attribute }));
  const all = [...images, ...entities, ...attributes];
  return csvOf(
    all.map((row) => ({ touchstone_sums: "attributes", ...row })),
    ["repeats", "inexact"],
  );
}

const rowsOf = (images: readonly string[]) =>
  fc
    .uniqueArray(
      fc.record({
        image: fc.constantFrom(...images),
        entity: fc.constantFrom("hat", "Hat", "shirt"),
        attribute: fc.constantFrom("red", "blue"),
        kind: fc.constantFrom("reflection", "leakage"),
        annotator: fc.constantFrom("", "ann", "bob"),
        probability: fc.constantFrom(null, 0, -0, 0.4, 0.5, 1),
      }),
      {
        minLength: 1,
        maxLength: 20,
        selector: (row) => JSON.stringify({ ...row, probability: 0 }),
      },
    )
    .map((rows) => rows.map((row): Row => ({ ...row, prompt: row.image === "3" ? "" : "a" })));

test.each([[["1", "2", "3"]], [["1"]]])(
  "sums of answers about images %j give their figures and intervals, byte by byte",
  async (images) => {
    await fc.assert(
      fc.asyncProperty(rowsOf(images), async (rows) => {
        const found = await figures("attributes", csvOf(rows));
        expect(found).toMatch(/^\{/);
        expect(await figures("attributes", sums(rows))).toBe(found);
      }),
      { numRuns: 15 },
    );
  },
);

test("sums that can't be read are refused by their columns", async () => {
  const row = { image: "1", entity: "hat", attribute: "red", kind: "reflection", annotator: "" };
  const text = sums([{ ...row, probability: 1, prompt: "a" }]);
  const read = (wrong: string) => figures("attributes", wrong);
  expect(await read(text.replace("reflection", "guess"))).toMatch(
    /of_kind but received "guess" \(in table\.csv, line 2\)/,
  );
  expect(await read(text.replace("images,1", "images,"))).toContain(
    "Expected image in each row but table.csv sums 1 row without it",
  );
  expect(await read(text.replace("said_yes", "yes"))).toContain("said_yes");
  const answered = figures("attributes", text, { threshold: "0.7" });
  expect(await answered).toContain("Expected --threshold 0.5 for a table of sums");
});
