const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
float[0] = -0;
/** Where the half with sign, exponent and the first 20 bits of the fraction stands on this machine. */
const high = words[1] === 0 ? 0 : 1;

/** The upper half of a number's 64 bits, as a signed number: sign, exponent, 20 bits of fraction. */
export function highWord(value: number): number {
  float[0] = value;
  return (words[high] ?? 0) | 0;
}

/** The number with another upper half. */
export function withHighWord(value: number, word: number): number {
  float[0] = value;
  words[high] = word;
  return float[0] ?? 0;
}

/** 2 to the power of -1074, and of all above. */
const powersOfTwo = new Float64Array(1074 + 1024);
for (let at = 0, power = Number.MIN_VALUE; at < powersOfTwo.length; at++, power *= 2) {
  powersOfTwo[at] = power;
}

/** 2 to a whole number from -1074 to 1023, exactly. */
export function powerOfTwo(exponent: number): number {
  return powersOfTwo[exponent + 1074] ?? Number.NaN;
}
