const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  }
  return remainder;
});

/** The checksum of gzip (RFC 1952, section 8), from 0 to 2^32 - 1. */
export function crc32(bytes: Uint8Array): number {
  let checksum = 0xffffffff;
  for (const byte of bytes) {
    checksum = (checksum >>> 8) ^ (remainders[(checksum ^ byte) & 255] ?? 0);
  }
  return (checksum ^ 0xffffffff) >>> 0;
}
