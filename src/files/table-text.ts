import { isUtf8 } from "node:buffer";
import { InputError } from "../core/errors.js";

/**
 * Decodes UTF-8 piece by piece; a byte order mark at the start is left out.
 *
 * @throws InputError naming byte, offset and line where the bytes are not UTF-8, and how to convert.
 */
export async function* decodeUtf8(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<string> {
  let pending = Buffer.alloc(0);
  let offset = 0;
  let line = 1;
  const take = (bytes: Buffer): string => {
    if (!isUtf8(bytes)) throw notUtf8(bytes, { name, offset, line });
    const text = bytes.toString("utf8");
    const isStart = offset === 0 && bytes.length > 0;
    offset += bytes.length;
    line += lineFeeds(bytes);
    return isStart && text.startsWith("\ufeff") ? text.slice(1) : text;
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([pending, chunk]);
    const whole = bytes.length - cutCharacter(bytes);
    pending = bytes.subarray(whole);
    if (whole > 0) yield take(bytes.subarray(0, whole));
  }
  if (pending.length > 0) yield take(pending);
}

/** How many bytes at the end begin a character that has not come whole. */
function cutCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? back : 0;
  }
  return 0;
}

/** How many bytes a character has that starts with this one. */
const lengthFrom = (first: number) => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

function notUtf8(
  bytes: Buffer,
  { name, offset, line }: { name: string; offset: number; line: number },
): InputError {
  let at = 0;
  while (at < bytes.length) {
    const length = lengthFrom(bytes[at] ?? 0);
    if (at + length > bytes.length || !isUtf8(bytes.subarray(at, at + length))) break;
    at += length;
  }
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const isUtf16 = offset === 0 && at === 0 && ["FF", "FE"].includes(byte);
  const source = name.startsWith('"') || /\s/.test(name) ? "FILE" : name;
  return new InputError(
    `Expected UTF-8 text but received the byte 0x${byte} at offset ${offset + at} ` +
      `(in ${name}, line ${line + lineFeeds(bytes.subarray(0, at))})`,
    {
      hint:
        "Save it as UTF-8, or convert it: " +
        `iconv -f ${isUtf16 ? "UTF-16" : "WINDOWS-1252"} -t UTF-8 ${source} > converted`,
    },
  );
}

function lineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
