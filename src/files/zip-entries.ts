import { crc32, inflateRawSync } from "node:zlib";
import { decompressZstd } from "hyparquet-compressors";
import { InputError } from "../core/errors.js";

/** One file of an archive; it is unpacked when it is asked for. */
export interface ZipEntry {
  readonly name: string;
  bytes(): Uint8Array;
}

const end = 0x06054b50;
const central = 0x02014b50;
/** Bytes of one file, unpacked: a larger one is no log that a person reads. */
const largest = 500e6;

const unpackers: Readonly<Record<number, (packed: Uint8Array) => Uint8Array>> = {
  0: (packed) => packed,
  8: (packed) => inflateRawSync(packed, { maxOutputLength: largest }),
  93: (packed) => decompressZstd(packed),
};

/**
 * The files of a ZIP archive in memory, by its table at the end (PKWARE APPNOTE 4.3): stored, deflated or
 * packed with Zstandard, which inspect_ai's .eval are and what libraries for ZIP can't read. Checksums are
 * compared. No ZIP64.
 *
 * @throws InputError where it is no archive or is damaged, at once or when a file is unpacked.
 */
export function zipEntries(archive: Uint8Array, name: string): ZipEntry[] {
  const damaged = (what: string) => new InputError(`Expected a ZIP archive but ${name} ${what}`);
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let at = archive.length - 22;
  while (at >= 0 && view.getUint32(at, true) !== end) at -= 1;
  if (at < 0) throw damaged("has no table of files at its end");
  const count = view.getUint16(at + 10, true);
  const entries: ZipEntry[] = [];
  let next = view.getUint32(at + 16, true);
  for (let number = 0; number < count; number += 1) {
    if (next + 46 > archive.length || view.getUint32(next, true) !== central) {
      throw damaged("has a damaged table of files");
    }
    const [method, crc] = [view.getUint16(next + 10, true), view.getUint32(next + 16, true)];
    const [packed, length] = [view.getUint32(next + 20, true), view.getUint32(next + 24, true)];
    const [nameLength, extra, comment] = [28, 30, 32].map((to) => view.getUint16(next + to, true));
    const start = view.getUint32(next + 42, true);
    const file = new TextDecoder().decode(
      archive.subarray(next + 46, next + 46 + (nameLength ?? 0)),
    );
    entries.push({
      name: file,
      bytes() {
        const unpack = unpackers[method];
        if (unpack === undefined || length > largest || start + 30 > archive.length) {
          throw damaged(`holds ${file} in a way that can't be read here`);
        }
        const from =
          start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
        let bytes: Uint8Array;
        try {
          bytes = unpack(archive.subarray(from, from + packed));
        } catch (cause) {
          throw new InputError(`Could not unpack ${file} of ${name}`, { cause });
        }
        if (crc32(bytes) !== crc) throw damaged(`holds ${file} with a wrong checksum`);
        return bytes;
      },
    });
    next += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}
