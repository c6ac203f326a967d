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
/** JavaScript does what takes more numbers. */
const mostNumbers = 2 ** 27;
/** What takes fewer has a memory of its own, so that tables that take long to copy stay in theirs. */
const fewestOfLarge = 2 ** 17;

/** A memory, whose numbers it holds, and the functions that read it, by number of prompts. */
class Place {
  readonly memory = new WebAssembly.Memory({ initial: 1 });
  holder: object | undefined;
  readonly #products = new Map<number, Products>();

  products(prompts: number): Products {
    const before = this.#products.get(prompts);
    if (before !== undefined) return before;
    const module = new WebAssembly.Module(pairedCode(prompts));
    const instance = new WebAssembly.Instance(module, { from: { memory: this.memory } });
    const products = instance.exports as Products;
    this.#products.set(prompts, products);
    return products;
  }
}

/** Null where a page's policy forbids WebAssembly. */
let places: { readonly small: Place; readonly large: Place } | null | undefined;

function allowedPlaces() {
  try {
    const small = new Place();
    small.products(1);
    return { small, large: new Place() };
  } catch {
    return null;
  }
}

/** Both products of tables: by WebAssembly where it may be. */
export const labelProducts = (tables: LabelTables): LabelProducts =>
  pairedProducts(tables) ?? plainProducts(tables);

/**
 * `plainProducts` by WebAssembly, the same to the last bit. The tables stay in its memory until others are needed.
 *
 * @returns undefined where WebAssembly is forbidden, or the tables are empty or too large for it or its memory.
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
  if (places === undefined) places = allowedPlaces();
  if (places === null || labels === 0 || end > mostNumbers) return undefined;
  const place = end < fewestOfLarge ? places.small : places.large;
  const missing = Math.ceil((8 * end - place.memory.buffer.byteLength) / pageBytes);
  try {
    if (missing > 0) place.memory.grow(missing);
  } catch {
    return undefined;
  }
  const products = place.products(prompts);
  const self = {};
  const numbers = () => {
    const all = new Float64Array(place.memory.buffer, 0, end);
    if (place.holder === self) return all;
    copyRows(values, prompts, all, width);
    all.fill(0, labels * width, membersAt);
    all.set(membership, membersAt);
    all.fill(0, membersAt + labels * groups, fieldAt);
    place.holder = self;
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
