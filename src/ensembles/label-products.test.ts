import fc from "fast-check";
import { expect, test } from "vitest";
import { chosenRows, sumOverLabels, valueOfLabels } from "./label-products.js";

const size = fc.integer({ min: 1, max: 9 });
const number = fc.double({ min: -2, max: 2, noNaN: true });
const tables = fc.tuple(size, size, size).chain(([labels, groups, prompts]) => {
  const of = (length: number) =>
    fc
      .array(number, { minLength: length, maxLength: length })
      .map((values) => Float64Array.from(values));
  return fc.record({
    labels: fc.constant(labels),
    groups: fc.constant(groups),
    prompts: fc.constant(prompts),
    membership: of(labels * groups),
    values: of(labels * prompts),
    field: of(groups * prompts),
  });
});

test("sums over labels are those of the definition, to the last bit, for any shape", () => {
  fc.assert(
    fc.property(tables, ({ labels, groups, prompts, membership, values, field }) => {
      const at = (numbers: Float64Array, place: number) => numbers[place] ?? 0;
      const sums = new Float64Array(groups * prompts);
      const expected = sums.map((_, place) => {
        const [group, prompt] = [Math.floor(place / prompts), place % prompts];
        let sum = 0;
        for (let label = 0; label < labels; label++) {
          sum += at(membership, label * groups + group) * at(values, label * prompts + prompt);
        }
        return sum;
      });
      sumOverLabels({ labels, groups, prompts, membership, values }, sums);
      expect(sums).toEqual(expected);

      const own = new Float64Array(labels);
      const expectedOwn = own.map((_, label) => {
        let sum = 0;
        for (let prompt = 0; prompt < prompts; prompt++) {
          let line = 0;
          for (let group = 0; group < groups; group++) {
            line += at(membership, label * groups + group) * at(field, group * prompts + prompt);
          }
          sum += line * at(values, label * prompts + prompt);
        }
        return sum;
      });
      valueOfLabels({ labels, groups, prompts, membership, values }, field, own);
      expect(own).toEqual(expectedOwn);
    }),
  );
});

test("chosen rows come in the order in which they were chosen", () => {
  const table = Float64Array.of(1, 2, 3, 4, 5, 6);
  expect(chosenRows(table, 2, Int32Array.of(2, 0))).toEqual(Float64Array.of(5, 6, 1, 2));
  expect(chosenRows(table, 2, undefined)).toBe(table);
});
