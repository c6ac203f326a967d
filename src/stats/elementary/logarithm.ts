import { highWord, powerOfTwo, withHighWord } from "./float-words.js";

/*
 * The methods and constants of e_log.c and s_log1p.c in fdlibm.
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 * Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved.
 */

const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;
const twoTo54 = 18014398509481984;
const g1 = 0.6666666666666735;
const g2 = 0.3999999999940942;
const g3 = 0.2857142874366239;
const g4 = 0.22222198432149784;
const g5 = 0.1818357216161805;
const g6 = 0.15313837699209373;
const g7 = 0.14798198605106586;

/**
 * Returns the natural logarithm, with an error below one unit of the last place. The same bits on every
 * engine: ECMAScript lets each round `Math.log` as it likes.
 *
 * @returns -Infinity for 0 and NaN below.
 * @example log(2) // 0.6931471805599453
 */
export function log(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0)) return Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let k = 0;
  let from = x;
  let word = highWord(x);
  if (word < 0x00100000) {
    k = -54;
    from = x * twoTo54;
    word = highWord(from);
  }
  // The power of two that leaves a number between the roots of 1/2 and 2.
  const power = (word >> 20) - 1023 + (((word & 0xfffff) + 0x95f64) >> 20);
  k += power;
  word &= 0xfffff;
  const f = from * powerOfTwo(-power) - 1;
  if ((0xfffff & (2 + word)) < 3) {
    if (f === 0) return k === 0 ? 0 : k * ln2High + k * ln2Low;
    const r = f * f * (0.5 - 0.3333333333333333 * f);
    return k === 0 ? f - r : k * ln2High - (r - k * ln2Low - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const r = z * (g1 + w * (g3 + w * (g5 + w * g7))) + w * (g2 + w * (g4 + w * g6));
  if (((word - 0x6147a) | (0x6b851 - word)) > 0) {
    const half = 0.5 * f * f;
    return k === 0
      ? f - (half - s * (half + r))
      : k * ln2High - (half - (s * (half + r) + k * ln2Low) - f);
  }
  return k === 0 ? f - s * (f - r) : k * ln2High - (s * (f - r) - k * ln2Low - f);
}

/**
 * Returns the natural logarithm of 1 + x, exact to the last place or so however small x is. The same bits
 * on every engine.
 *
 * @example log1p(1e-20) // 1e-20
 */
export function log1p(x: number): number {
  if (x === -1) return Number.NEGATIVE_INFINITY;
  if (!(x > -1)) return Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const word = highWord(x);
  const size = word & 0x7fffffff;
  if (size < 0x3e200000) return size < 0x3c900000 ? x : x - x * x * 0.5;
  let k = 0;
  let f = x;
  let c = 0;
  let upper = 1;
  if (word >= 0x3fda827a || (word < 0 && word > (0xbfd2bec4 | 0))) {
    let u = x;
    if (word < 0x43400000) {
      u = 1 + x;
      upper = highWord(u);
      k = (upper >> 20) - 1023;
      c = (k > 0 ? 1 - (u - x) : x - (u - 1)) / u;
    } else {
      upper = highWord(u);
      k = (upper >> 20) - 1023;
    }
    upper &= 0xfffff;
    if (upper < 0x6a09e) u = withHighWord(u, upper | 0x3ff00000);
    else {
      k += 1;
      u = withHighWord(u, upper | 0x3fe00000);
      upper = (0x100000 - upper) >> 2;
    }
    f = u - 1;
  }
  const half = 0.5 * f * f;
  if (upper === 0) {
    if (f === 0) return k === 0 ? 0 : k * ln2High + (c + k * ln2Low);
    const r = half * (1 - 0.6666666666666666 * f);
    return k === 0 ? f - r : k * ln2High - (r - (k * ln2Low + c) - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const r = z * (g1 + z * (g2 + z * (g3 + z * (g4 + z * (g5 + z * (g6 + z * g7))))));
  return k === 0
    ? f - (half - s * (half + r))
    : k * ln2High - (half - (s * (half + r) + (k * ln2Low + c)) - f);
}

/**
 * The logarithmic derivative of the gamma function, to 1e-12: recurrence up to 10, then the asymptotic series
 * (Abramowitz and Stegun, 6.3.5 and 6.3.18).
 *
 * @param x above 0.
 * @example digamma(1) // -0.5772156649: minus Euler's constant
 */
export function digamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < 10; at++) sum -= 1 / at;
  const square = 1 / (at * at);
  const series =
    square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))));
  return sum + log(at) - 0.5 / at - series;
}
