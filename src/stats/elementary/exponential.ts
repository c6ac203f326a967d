/*
 * The methods and constants of e_exp.c and s_expm1.c in fdlibm.
 * Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
 * Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved.
 */
import { highWord, powerOfTwo } from "./float-words.js";

const mostBeforeInfinity = 709.782712893384;
const leastAboveZero = -745.1332191019411;
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;
const perLn2 = Math.LOG2E;
const p1 = 0.16666666666666602;
const p2 = -0.0027777777777015593;
const p3 = 0.00006613756321437934;
const p4 = -0.0000016533902205465252;
const p5 = 4.1381367970572385e-8;
const smallest = 9.332636185032189e-302;
const q1 = -0.03333333333333313;
const q2 = 0.0015873015872548146;
const q3 = -0.0000793650757867488;
const q4 = 0.000004008217827329362;
const q5 = -2.0109921818362437e-7;

/**
 * Returns e to the power of x, with an error below one unit of the last place. The same bits on every
 * engine: ECMAScript lets each round `Math.exp` as it likes.
 *
 * @example exp(1) // 2.718281828459045
 */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > mostBeforeInfinity) return Number.POSITIVE_INFINITY;
  if (x < leastAboveZero) return 0;
  const word = highWord(x) & 0x7fffffff;
  if (word < 0x3e300000) return 1 + x;
  let rest = x;
  let high = 0;
  let low = 0;
  let k = 0;
  if (word > 0x3fd62e42) {
    if (word < 0x3ff0a2b2) {
      if (x === 1) return Math.E;
      k = x > 0 ? 1 : -1;
    } else k = Math.trunc(perLn2 * x + (x > 0 ? 0.5 : -0.5));
    high = x - k * ln2High;
    low = k * ln2Low;
    rest = high - low;
  }
  const t = rest * rest;
  const c = rest - t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5))));
  if (k === 0) return 1 - ((rest * c) / (c - 2) - rest);
  const y = 1 - (low - (rest * c) / (2 - c) - high);
  if (k === 1024) return y * 2 * powerOfTwo(1023);
  return k >= -1021 ? y * powerOfTwo(k) : y * powerOfTwo(k + 1000) * smallest;
}

/**
 * Returns e to the power of x, minus 1, exact to the last place or so however small x is. The same bits
 * on every engine.
 *
 * @example expm1(1e-20) // 1e-20
 */
export function expm1(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > mostBeforeInfinity) return Number.POSITIVE_INFINITY;
  const word = highWord(x) & 0x7fffffff;
  if (word >= 0x4043687a && x < 0) return -1;
  if (word < 0x3c900000) return x;
  let rest = x;
  let c = 0;
  let k = 0;
  if (word > 0x3fd62e42) {
    k = word < 0x3ff0a2b2 ? (x > 0 ? 1 : -1) : Math.trunc(perLn2 * x + (x > 0 ? 0.5 : -0.5));
    const high = x - k * ln2High;
    const low = k * ln2Low;
    rest = high - low;
    c = high - rest - low;
  }
  const half = 0.5 * rest;
  const squared = rest * half;
  const r = 1 + squared * (q1 + squared * (q2 + squared * (q3 + squared * (q4 + squared * q5))));
  const t = 3 - r * half;
  let e = squared * ((r - t) / (6 - rest * t));
  if (k === 0) return rest - (rest * e - squared);
  e = rest * (e - c) - c;
  e -= squared;
  if (k === -1) return 0.5 * (rest - e) - 0.5;
  if (k === 1) return rest < -0.25 ? -2 * (e - (rest + 0.5)) : 1 + 2 * (rest - e);
  if (k <= -2 || k > 56) {
    const y = 1 - (e - rest);
    return (k === 1024 ? y * 2 * powerOfTwo(1023) : y * powerOfTwo(k)) - 1;
  }
  const small = powerOfTwo(-k);
  return (k < 20 ? 1 - small - (e - rest) : rest - (e + small) + 1) * powerOfTwo(k);
}
