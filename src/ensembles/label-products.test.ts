import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { chosenRows, plainProducts } from "./label-products.js";
import { pairedProducts } from "./paired-products.js";

const size = fc.integer({ min: 1, max: 12 });
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
    scale: of(labels),
  });
});

test.each([
  { name: "by JavaScript", productsOf: plainProducts },
  { name: "by WebAssembly", productsOf: pairedProducts },
])(
  "products are those of the definition, to the last bit, for any shape: $name",
  ({ productsOf }) => {
    fc.assert(
      fc.property(tables, ({ labels, groups, prompts, membership, values, field, scale }) => {
        const at = (numbers: Float64Array, place: number) => numbers[place] ?? 0;
        const sumsOf = (factor: (label: number) => number) =>
          field.map((_, place) => {
            const [group, prompt] = [Math.floor(place / prompts), place % prompts];
            let sum = 0;
            for (let label = 0; label < labels; label++) {
              const member = factor(label) * at(membership, label * groups + group);
              sum += member * at(values, label * prompts + prompt);
            }
            return sum;
          });
        const products = productsOf({ labels, groups, prompts, membership, values });
        const sums = new Float64Array(groups * prompts);
        products?.sumOverLabels(scale, sums);
        expect(sums).toEqual(sumsOf((label) => at(scale, label)));
        products?.sumOverLabels(undefined, sums);
        expect(sums).toEqual(sumsOf(() => 1));

        const own = new Float64Array(labels);
        products?.valueOfLabels(field, own);
        const expectedOwn = own.map((_, label) => {
          const term = (prompt: number) => {
            let line = 0;
            for (let group = 0; group < groups; group++) {
              line += at(membership, label * groups + group) * at(field, group * prompts + prompt);
            }
            return prompt < prompts ? line * at(values, label * prompts + prompt) : 0;
          };
          let sum = 0;
          for (let prompt = 0; prompt < prompts; prompt += 2)
            sum += term(prompt) + term(prompt + 1);
          return sum;
        });
        expect(own).toEqual(expectedOwn);
      }),
    );
  },
);

test("products keep their tables when others are asked between, in grown and in large memory", () => {
  // The second needs more than the first page, the last two the memory of large tables, the last more of it.
  const sizes = [3, 20_000, 7, 50_000, 90_000];
  const products = sizes.map((labels) => {
    const membership = new Float64Array(labels).fill(1);
    const values = Float64Array.from({ length: 2 * labels }, (_, at) => at % 2);
    return pairedProducts({ labels, groups: 1, prompts: 2, membership, values });
  });
  for (const which of [0, 1, 2, 3, 4, 0, 3, 1, 4, 3]) {
    const labels = sizes[which] ?? 0;
    const sums = new Float64Array(2);
    products[which]?.sumOverLabels(undefined, sums);
    expect([...sums]).toEqual([0, labels]);
    const own = new Float64Array(labels);
    products[which]?.valueOfLabels(Float64Array.of(5, 3), own);
    expect(own.every((value) => value === 3)).toBe(true);
  }
});

test("where its memory can't grow there are none by it, and JavaScript's are taken", async () => {
  vi.resetModules();
  const { Memory } = Reflect.get(globalThis, "WebAssembly");
  const grow = vi.spyOn(Memory.prototype, "grow").mockImplementation(() => {
    throw new RangeError("WebAssembly.Memory.grow(): Unable to grow instance memory");
  });
  const { labelProducts, pairedProducts } = await import("./paired-products.js");
  const tablesOf = (labels: number) => {
    const one = new Float64Array(labels).fill(1);
    return { labels, groups: 1, prompts: 1, membership: one, values: one };
  };
  expect(pairedProducts(tablesOf(100))).toBeDefined();
  expect(pairedProducts(tablesOf(100_000))).toBeUndefined();
  const sums = new Float64Array(1);
  labelProducts(tablesOf(100_000)).sumOverLabels(undefined, sums);
  expect(sums[0]).toBe(100_000);
  grow.mockRestore();
});

test("where WebAssembly is forbidden there are none by it, and JavaScript's are taken", async () => {
  vi.resetModules();
  vi.stubGlobal("WebAssembly", undefined);
  const { labelProducts, pairedProducts } = await import("./paired-products.js");
  const labels = 100_000;
  const one = new Float64Array(labels).fill(1);
  const tables = { labels, groups: 1, prompts: 1, membership: one, values: one };
  expect(pairedProducts(tables)).toBeUndefined();
  const sums = new Float64Array(1);
  labelProducts(tables).sumOverLabels(undefined, sums);
  expect(sums[0]).toBe(labels);
  vi.unstubAllGlobals();
});

test("chosen rows come in the order in which they were chosen", () => {
  const table = Float64Array.of(1, 2, 3, 4, 5, 6);
  expect(chosenRows(table, 2, Int32Array.of(2, 0))).toEqual(Float64Array.of(5, 6, 1, 2));
  expect(chosenRows(table, 2, undefined)).toBe(table);
});
