/*
 * The methods of s_tanh.c and e_atanh.c in fdlibm.
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 * Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved.
 */
import { expm1 } from "./exponential.js";
import { log1p } from "./logarithm.js";

/**
 * Returns the hyperbolic tangent, from -1 to 1. The same bits on every engine.
 *
 * @example tanh(0.5) // 0.46211715726000974
 */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(x) || size < 2 ** -28) return x;
  if (size >= 22) return Math.sign(x);
  const t = expm1(size >= 1 ? 2 * size : -2 * size);
  return Math.sign(x) * (size >= 1 ? 1 - 2 / (t + 2) : -t / (t + 2));
}

/**
 * Returns the inverse hyperbolic tangent of a number from -1 to 1. The same bits on every engine.
 *
 * @returns NaN outside, an infinity at the ends.
 * @example atanh(0.5) // 0.5493061443340548
 */
export function atanh(x: number): number {
  const size = Math.abs(x);
  if (size < 2 ** -28) return x;
  const twice = size + size;
  const half =
    size < 0.5 ? 0.5 * log1p(twice + (twice * size) / (1 - size)) : 0.5 * log1p(twice / (1 - size));
  return x < 0 ? -half : half;
}
