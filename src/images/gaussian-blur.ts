import type { Box, Pixels } from "../core/models.js";

/** The kernel reaches this many pixels to each side: 51 in all. */
const reach = 25;
const sigma = 25;

/*
 * A Gaussian that ends one sigma from its middle is nearly an arch of a cosine:
 * exp(-d² / 2 sigma²) = flat + arch cos(angle d) for |d| <= 25 to within 0.00025. A window of such
 * weights can slide: one step costs the same however wide it is. What is left of the difference
 * moves no level by more than a fraction of one.
 */
const angle = 0.066;
const { flat, arch } = fitted();

function fitted(): { flat: number; arch: number } {
  // Least squares on 1 and the cosine, then scaled so that the weights sum to 1.
  let n = 0;
  let cosines = 0;
  let squares = 0;
  let weights = 0;
  let products = 0;
  for (let at = -reach; at <= reach; at++) {
    const cosine = Math.cos(angle * at);
    const weight = Math.exp(-(at ** 2) / (2 * sigma ** 2));
    n += 1;
    cosines += cosine;
    squares += cosine ** 2;
    weights += weight;
    products += weight * cosine;
  }
  const slope = (n * products - cosines * weights) / (n * squares - cosines ** 2);
  const offset = (weights - slope * cosines) / n;
  return { flat: offset / weights, arch: slope / weights };
}

/**
 * Part of an image as it looks when all of it is blurred by a Gaussian of 51 x 51 pixels and sigma
 * 25, the border reflected without its outermost pixel (OpenCV's reflect-101). Only what the part
 * shows is computed. Levels are rounded once, at the end; they lie within one level of the sums
 * over the whole kernel.
 *
 * @param box the part, by default everything
 */
export function blurred(pixels: Pixels, box: Box = wholeOf(pixels)): Pixels {
  const { x0, y0, x1, y1 } = box;
  const width = x1 - x0;
  const height = y1 - y0;
  const rowAt = Array.from({ length: height + 2 * reach + 1 }, (_, step) =>
    reflected(y0 - reach + step, pixels.height),
  );
  const columnAt = Int32Array.from({ length: width + 2 * reach + 1 }, (_, step) =>
    reflected(x0 - reach + step, pixels.width),
  );
  const rows = new Map<number, Float32Array>();
  // One buffer for all: thousands of small ones would keep the garbage collector busy.
  const length = width * 3;
  const store = new Float32Array(Math.min(pixels.height, rowAt.length) * length);
  const rowOf = (step: number): Float32Array => {
    const y = rowAt[step] ?? 0;
    const known = rows.get(y);
    if (known !== undefined) return known;
    const row = store.subarray(rows.size * length, (rows.size + 1) * length);
    blurRow(pixels, { y, columnAt, row });
    rows.set(y, row);
    return row;
  };
  const data = new Uint8Array(height * length);
  const window = new SlidingRows(length);
  for (let step = 0; step <= 2 * reach; step++) window.start(rowOf(step), step - reach);
  for (let y = 0; y < height; y++) {
    const into = data.subarray(y * length, (y + 1) * length);
    window.write(into, rowOf(y), rowOf(y + 2 * reach + 1));
  }
  return { width, height, data };
}

export const wholeOf = ({ width, height }: { width: number; height: number }): Box => ({
  x0: 0,
  y0: 0,
  x1: width,
  y1: height,
});

/** Where a pixel beyond the border is taken from: … 2 1 | 0 1 2 … n-1 | n-2 … */
function reflected(at: number, size: number): number {
  if (size === 1) return 0;
  const period = 2 * (size - 1);
  const place = ((at % period) + period) % period;
  return place < size ? place : period - place;
}

const cosStep = Math.cos(angle);
const sinStep = Math.sin(angle);
const cosLeaving = Math.cos(angle * reach);
const sinLeaving = Math.sin(angle * reach);
const cosEntering = Math.cos(angle * (reach + 1));
const sinEntering = Math.sin(angle * (reach + 1));

/**
 * Blurs one row of the image along itself into `row`, not rounded. The channels go side by side: each waits
 * for its own last sums, and a processor has the others to do meanwhile.
 */
function blurRow(
  { width: stride, data }: Pixels,
  {
    y,
    columnAt,
    row,
  }: { readonly y: number; readonly columnAt: Int32Array; readonly row: Float32Array },
): void {
  const start = y * stride * 3;
  const [red, green, blue] = [0, 1, 2].map((channel) =>
    firstWindow(data, start + channel, columnAt),
  );
  if (red === undefined || green === undefined || blue === undefined) return;
  let { sum: sumR, cosines: cosR, sines: sinR } = red;
  let { sum: sumG, cosines: cosG, sines: sinG } = green;
  let { sum: sumB, cosines: cosB, sines: sinB } = blue;
  for (let x = 0; x < row.length / 3; x++) {
    const at = x * 3;
    row[at] = flat * sumR + arch * cosR;
    row[at + 1] = flat * sumG + arch * cosG;
    row[at + 2] = flat * sumB + arch * cosB;
    const leaves = start + (columnAt[x] ?? 0) * 3;
    const enters = start + (columnAt[x + 2 * reach + 1] ?? 0) * 3;
    const outR = data[leaves] ?? 0;
    const outG = data[leaves + 1] ?? 0;
    const outB = data[leaves + 2] ?? 0;
    const inR = data[enters] ?? 0;
    const inG = data[enters + 1] ?? 0;
    const inB = data[enters + 2] ?? 0;
    sumR += inR - outR;
    sumG += inG - outG;
    sumB += inB - outB;
    const cR = cosR + inR * cosEntering - outR * cosLeaving;
    const cG = cosG + inG * cosEntering - outG * cosLeaving;
    const cB = cosB + inB * cosEntering - outB * cosLeaving;
    const sR = sinR + inR * sinEntering + outR * sinLeaving;
    const sG = sinG + inG * sinEntering + outG * sinLeaving;
    const sB = sinB + inB * sinEntering + outB * sinLeaving;
    cosR = cosStep * cR + sinStep * sR;
    cosG = cosStep * cG + sinStep * sG;
    cosB = cosStep * cB + sinStep * sB;
    sinR = cosStep * sR - sinStep * cR;
    sinG = cosStep * sG - sinStep * cG;
    sinB = cosStep * sB - sinStep * cB;
  }
}

/** The sums of the window around a row's first pixel, of one channel. */
function firstWindow(data: Uint8Array | Uint8ClampedArray, start: number, columnAt: Int32Array) {
  let sum = 0;
  let cosines = 0;
  let sines = 0;
  for (let step = 0; step <= 2 * reach; step++) {
    const level = data[start + (columnAt[step] ?? 0) * 3] ?? 0;
    sum += level;
    cosines += level * (windowCosines[step] ?? 0);
    sines += level * (windowSines[step] ?? 0);
  }
  return { sum, cosines, sines };
}

const inWindow = Array.from({ length: 2 * reach + 1 }, (_, step) => angle * (step - reach));
const windowCosines = Float64Array.from(inWindow, Math.cos);
const windowSines = Float64Array.from(inWindow, Math.sin);

/** The same window over rows, all columns at once. */
class SlidingRows {
  readonly #sum: Float64Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;

  constructor(length: number) {
    this.#sum = new Float64Array(length);
    this.#cosines = new Float64Array(length);
    this.#sines = new Float64Array(length);
  }

  /** Takes in a row `at` rows from the window's middle. */
  start(row: Float32Array, at: number): void {
    const sum = this.#sum;
    const cosines = this.#cosines;
    const sines = this.#sines;
    const cosine = Math.cos(angle * at);
    const sine = Math.sin(angle * at);
    for (let x = 0; x < sum.length; x++) {
      const level = row[x] ?? 0;
      sum[x] = (sum[x] ?? 0) + level;
      cosines[x] = (cosines[x] ?? 0) + level * cosine;
      sines[x] = (sines[x] ?? 0) + level * sine;
    }
  }

  /** Writes the row at the window's middle, rounded, and moves the window down by one row. */
  write(data: Uint8Array, leavingRow: Float32Array, enteringRow: Float32Array): void {
    const sum = this.#sum;
    const cosines = this.#cosines;
    const sines = this.#sines;
    for (let x = 0; x < sum.length; x++) {
      const ofSum = sum[x] ?? 0;
      const cosine = cosines[x] ?? 0;
      // Weights are positive and sum to 1, so that no level leaves 0 to 255.
      data[x] = flat * ofSum + arch * cosine + 0.5;
      const leaving = leavingRow[x] ?? 0;
      const entering = enteringRow[x] ?? 0;
      sum[x] = ofSum + entering - leaving;
      const c = cosine + entering * cosEntering - leaving * cosLeaving;
      const s = (sines[x] ?? 0) + entering * sinEntering + leaving * sinLeaving;
      cosines[x] = cosStep * c + sinStep * s;
      sines[x] = cosStep * s - sinStep * c;
    }
  }
}
