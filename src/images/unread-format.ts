/** Formats that people have images in and that are not read, by how their files begin. */
const beginnings: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["HEIC", /^.{4}ftyp(hei[cmsx]|hev[cmsx]|m[is]f1.{4,48}hei[cx])/s],
  ["JPEG XL", /^(\xff[\n]|.{4}JXL )/s],
  ["JPEG 2000", /^.{4}jP {2}/s],
  ["BMP", /^BM/],
  ["PSD", /^8BPS/],
  ["PDF", /^%PDF/],
];

/** The name of such a format, as the first bytes tell it. */
export function unreadFormat(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 64));
  return beginnings.find(([, pattern]) => pattern.test(start))?.[0];
}
