/** Names a kind of JPEG that is not read, as its frame header tells it; `undefined` for the usual ones. */
export function unreadJpeg(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 2; at + 9 < file.length && file[at] === 0xff; ) {
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xf7) return "JPEG-LS";
    if (isFrame(marker)) {
      const bits = file.readUInt8(at + 4);
      if (marker % 4 === 3) return "Lossless JPEG";
      return bits === 8 ? undefined : `${bits}-bit JPEG`;
    }
    at += 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}

/** The start of a frame; three markers among them define tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
