import { paddedPrompts, pairedCode } from "./paired-code.js";

/** What of WebAssembly is needed, which the types of Node.js leave out. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};
type Predict = (...addresses: number[]) => void;

const memory = new WebAssembly.Memory({ initial: 1 });
const pageBytes = 1 << 16;
/** Whose numbers the memory holds. */
let holder: object | undefined;
const compiled = new Map<number, Predict>();

function predictFor(prompts: number): Predict {
  const before = compiled.get(prompts);
  if (before !== undefined) return before;
  const module = new WebAssembly.Module(pairedCode(prompts));
  const { exports } = new WebAssembly.Instance(module, { from: { memory } });
  const { predict } = exports as { predict: Predict };
  compiled.set(prompts, predict);
  return predict;
}

/**
 * `ensemblePrediction` for pairs that every prompt answered and one grouping, with one set of weights after the
 * other: a grid asks for tens of thousands, so the numbers lie ready in the memory of `pairedCode`.
 *
 * @returns a function of weights, groups x prompts. It writes P(label is 1) of each row to `into`.
 */
export function answeredPrediction({
  probabilities,
  prompts,
  membership,
  groups,
}: {
  /** rows x prompts, without NaN. */
  readonly probabilities: Float64Array;
  readonly prompts: number;
  /** rows x groups. */
  readonly membership: Float64Array;
  readonly groups: number;
}): (weights: Float64Array, into: Float64Array) => void {
  const rows = membership.length / groups;
  const evenRows = rows + (rows % 2);
  const width = paddedPrompts(prompts);
  const predict = predictFor(prompts);
  const lengths = [evenRows * width, evenRows * groups, groups * width, evenRows];
  const ends = lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, each) => sum + each));
  const [membersAt = 0, weightsAt = 0, intoAt = 0, end = 0] = ends;
  const self = {};
  const load = () => {
    const missing = Math.ceil((8 * end - memory.buffer.byteLength) / pageBytes);
    if (missing > 0) memory.grow(missing);
    const numbers = new Float64Array(memory.buffer, 0, end).fill(0);
    padRows(numbers, probabilities, prompts);
    numbers.set(membership, membersAt);
    holder = self;
  };
  return (weights, into) => {
    if (holder !== self) load();
    const numbers = new Float64Array(memory.buffer, 0, end);
    padRows(numbers.subarray(weightsAt), weights, prompts);
    predict(0, 8 * membersAt, 8 * membersAt, 8 * groups, 8 * weightsAt, 8 * intoAt);
    into.set(numbers.subarray(intoAt, intoAt + rows));
  };
}

/** Copies rows to where they are of even length. */
function padRows(to: Float64Array, from: Float64Array, width: number): void {
  const padded = paddedPrompts(width);
  for (let row = 0; row * width < from.length; row++) {
    to.set(from.subarray(row * width, (row + 1) * width), row * padded);
  }
}
