import { expect, test } from "vitest";
import { AsciiText, isAscii } from "./ascii-text.js";

test("bytes are ASCII where none is 128 or more, wherever it stands and they begin", () => {
  for (let from = 0; from < 4; from++) {
    for (let length = 0; length < 14; length++) {
      const bytes = new Uint8Array(20)
        .fill(0xff)
        .subarray(from, from + length)
        .fill(0x7f);
      expect(isAscii(bytes)).toBe(true);
      for (let at = 0; at < length; at++) {
        expect(isAscii(bytes.with(at, 0x80))).toBe(false);
        bytes[at] = 0x80;
        expect(isAscii(bytes)).toBe(false);
        bytes[at] = 0x7f;
      }
    }
  }
});

test("a part is the same text, short or long", () => {
  const text = Array.from({ length: 300 }, (_, at) => String.fromCharCode(at % 128)).join("");
  const ascii = new AsciiText(new TextEncoder().encode(`<${text}`).subarray(1));
  for (const [from, to] of [
    [0, 0],
    [3, 67],
    [3, 68],
    [0, 300],
  ] as const) {
    expect(ascii.slice(from, to)).toBe(text.slice(from, to));
  }
  expect(ascii.slice(290)).toBe(text.slice(290));
});
