/** As many codes become a text at once, without a decoder. */
const fewCodes = 64;

/** A piece of a file that is ASCII throughout, as its bytes: most of it need never become a text. */
export class AsciiText {
  readonly codes: Uint8Array;

  /** @param bytes below 128. */
  constructor(bytes: Uint8Array) {
    // A plain array of bytes, whatever the file was read into: one kind is read faster than several.
    this.codes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  slice(from: number, to: number = this.codes.length): string {
    const part = this.codes.subarray(from, to);
    return part.length <= fewCodes
      ? Reflect.apply(String.fromCharCode, undefined, part)
      : new TextDecoder().decode(part);
  }
}

/** Part of a file's text. */
export type TextPiece = string | AsciiText;

/** Tells whether all bytes are below 128; four at a time. */
export function isAscii(bytes: Uint8Array): boolean {
  const start = Math.min(bytes.length, -bytes.byteOffset & 3);
  const count = (bytes.length - start) >> 2;
  let all = 0;
  if (count > 0) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + start, count);
    for (let at = 0; at < count; at++) all |= words[at] ?? 0;
  }
  for (let at = 0; at < start; at++) all |= bytes[at] ?? 0;
  for (let at = start + 4 * count; at < bytes.length; at++) all |= bytes[at] ?? 0;
  return (all & 0x80808080) === 0;
}
