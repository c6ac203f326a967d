/** A decimal of Parquet: a number, or the text of a whole one that no number holds. Null where there is none. */
export function decimalOf(value: unknown, scale: number): number | string | null {
  if (value === undefined || value === null) return null;
  const unscaled = value instanceof Uint8Array ? signed(value) : BigInt(value as number | bigint);
  if (scale === 0) {
    return Number.isSafeInteger(Number(unscaled)) ? Number(unscaled) : String(unscaled);
  }
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const whole = digits.slice(0, -scale);
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  const text = `${unscaled < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
  const found = Number(text);
  return Number.isInteger(found) && !Number.isSafeInteger(found) ? text : found;
}

/** A whole number in two's complement, the highest byte first. */
function signed(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}
