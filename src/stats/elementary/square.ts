/** Returns x times x: ECMAScript lets each engine round `x ** 2` as it likes. */
export const square = (x: number): number => x * x;
