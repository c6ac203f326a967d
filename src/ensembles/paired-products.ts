import { type LabelProducts, type LabelTables, plainProducts } from "./label-products.js";
import { paddedPrompts, pairedCode } from "./paired-code.js";

/** What of WebAssembly is needed, which the types of Node.js leave out. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};
type Products = Record<"valueOfLabels" | "sumOverLabels", (...addresses: number[]) => void>;

const pageBytes = 1 << 16;
/** Where fewer products are added up, JavaScript has done so before the tables are copied. */
const fewestPaired = 100_000;
/** JavaScript does what takes more. */
const mostBytes = 2 ** 30;

let memory: InstanceType<typeof WebAssembly.Memory> | undefined;
/** Whose numbers the memory holds. */
let holder: object | undefined;
/** By number of prompts; undefined where a page's policy forbids WebAssembly. */
const compiled = new Map<number, Products | undefined>();

function productsFor(prompts: number): Products | undefined {
  if (compiled.has(prompts)) return compiled.get(prompts);
  let products: Products | undefined;
  try {
    memory ??= new WebAssembly.Memory({ initial: 1 });
    const module = new WebAssembly.Module(pairedCode(prompts));
    products = new WebAssembly.Instance(module, { from: { memory } }).exports as Products;
  } catch {}
  compiled.set(prompts, products);
  return products;
}

export function labelProducts(tables: LabelTables): LabelProducts {
  const { labels, groups, prompts } = tables;
  const paired = labels * groups * prompts < fewestPaired ? undefined : pairedProducts(tables);
  return paired ?? plainProducts(tables);
}

/**
 * `plainProducts` by WebAssembly, the same to the last bit. The tables stay in its memory until others are needed.
 *
 * @param tables of at least one label.
 * @returns undefined where WebAssembly is forbidden, or the tables are too large for it.
 */
export function pairedProducts(tables: LabelTables): LabelProducts | undefined {
  const { labels, groups, prompts, membership, values } = tables;
  const width = paddedPrompts(prompts);
  const evenLabels = labels + (labels % 2);
  const membersAt = evenLabels * width;
  // One more, for the last label's second of two groups, where there is no second.
  const fieldAt = membersAt + evenLabels * groups + 1;
  const labelsAt = fieldAt + (groups + (groups % 2)) * width;
  const end = labelsAt + evenLabels;
  const products = 8 * end > mostBytes ? undefined : productsFor(prompts);
  if (products === undefined || memory === undefined) return undefined;
  const held = memory;
  const self = {};
  const numbers = () => {
    const missing = Math.ceil((8 * end - held.buffer.byteLength) / pageBytes);
    if (missing > 0) held.grow(missing);
    const all = new Float64Array(held.buffer, 0, end);
    if (holder === self) return all;
    copyRows(values, prompts, all, width);
    all.fill(0, labels * width, membersAt);
    all.set(membership, membersAt);
    all.fill(0, membersAt + labels * groups, fieldAt);
    holder = self;
    return all;
  };
  const [members, field, ofLabels, row] = [8 * membersAt, 8 * fieldAt, 8 * labelsAt, 8 * groups];
  return {
    valueOfLabels(from, into) {
      const all = numbers();
      copyRows(from, prompts, all.subarray(fieldAt, labelsAt), width);
      products.valueOfLabels(0, members, members + row, row, field, ofLabels, 8 * end);
      into.set(all.subarray(labelsAt, labelsAt + labels));
    },
    sumOverLabels(scale, into) {
      const all = numbers();
      if (scale === undefined) all.fill(1, labelsAt, labelsAt + labels);
      else all.set(scale, labelsAt);
      products.sumOverLabels(ofLabels, members, members + labels * row, row, 0, field, ofLabels);
      copyRows(all.subarray(fieldAt, fieldAt + groups * width), width, into, prompts);
    },
  };
}

/** Copies rows to where they are one longer, by a 0, or one shorter. */
function copyRows(from: Float64Array, width: number, into: Float64Array, newWidth: number): void {
  if (width === newWidth) into.set(from);
  else {
    for (let start = 0, other = 0; start < from.length; start += width, other += newWidth) {
      for (let column = 0; column < newWidth; column++) {
        into[other + column] = column < width ? (from[start + column] ?? 0) : 0;
      }
    }
  }
}
