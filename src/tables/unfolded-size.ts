/**
 * Memory that unpacking Zstandard takes, in bytes, told by the headers of its frames and blocks (RFC 8878, section
 * 3.1): what the blocks unfold to at most, and the largest window. A file of some kilobytes may unfold to gigabytes.
 */
export function unfoldedSize(packed: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const end = packed.length;
  let size = 0;
  let window = 0;
  let at = 0;
  while (at + 8 <= end) {
    const magic = view.getUint32(at, true);
    if (magic !== frameMagic) {
      // A frame that is skipped says its length; anything else whoever unpacks it refuses.
      if (magic >>> 4 !== skippedMagic) break;
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    const flags = packed[at + 4] ?? 0;
    const isSingle = (flags & 32) !== 0;
    at += 5;
    if (!isSingle) {
      const descriptor = packed[at] ?? 0;
      const base = 2 ** (10 + (descriptor >> 3));
      window = Math.max(window, base + (base / 8) * (descriptor & 7));
      at += 1;
    }
    at += [0, 1, 2, 4][flags & 3] ?? 0;
    const sizeBytes = flags >> 6 === 0 ? Number(isSingle) : 1 << (flags >> 6);
    let declared = 0;
    for (let byte = sizeBytes - 1; byte >= 0; byte--)
      declared = declared * 256 + (packed[at + byte] ?? 0);
    window = Math.max(window, declared);
    at += sizeBytes;
    for (let isLast = false; !isLast && at + 3 <= end; ) {
      const header = view.getUint16(at, true) + 65_536 * (packed[at + 2] ?? 0);
      isLast = (header & 1) === 1;
      const kind = (header >> 1) & 3;
      const length = header >> 3;
      size += kind === 2 ? largestBlock : length;
      at += 3 + (kind === 1 ? 1 : length);
    }
    at += (flags & 4) === 0 ? 0 : 4;
  }
  return size + window;
}

const frameMagic = 0xfd2fb528;
const skippedMagic = 0x184d2a5;

/** No block unfolds to more. */
const largestBlock = 131_072;
