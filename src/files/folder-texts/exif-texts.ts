/** Tags of Exif and TIFF that hold what is asked for. */
const exifTag = 0x8769;
const commentTag = 0x9286;

const asciiType = 2;
/** Where a comment says nothing of its kind, it is text, too. */
const commentTypes = [1, asciiType, 7];

/**
 * The texts in an image's Exif: its comment as `parameters`, where A1111 and its kin write what PNGs have in a chunk of
 * that name; and what ComfyUI writes into any tag as `prompt:…`, as `prompt`.
 *
 * @param exif from the header of TIFF on.
 * @returns an empty map where the Exif is damaged.
 */
export function exifTexts(exif: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  try {
    const isBig = exif.toString("latin1", 0, 2) === "MM";
    const short = (at: number) => (isBig ? exif.readUInt16BE(at) : exif.readUInt16LE(at));
    const long = (at: number) => (isBig ? exif.readUInt32BE(at) : exif.readUInt32LE(at));
    const directories = [long(4)];
    for (let which = 0; which < Math.min(directories.length, 2); which++) {
      const start = directories[which] ?? 0;
      for (let entry = 0; entry < short(start); entry++) {
        const at = start + 2 + entry * 12;
        const [tag, type, count] = [short(at), short(at + 2), long(at + 4)];
        const place = count > 4 ? long(at + 8) : at + 8;
        const bytes = exif.subarray(place, place + count);
        if (tag === exifTag) directories.push(long(at + 8));
        else if (bytes.length < count) continue;
        else if (tag === commentTag && commentTypes.includes(type)) {
          texts.set("parameters", commentIn(bytes, isBig));
        } else if (type === asciiType) {
          const [, keyword, text] = /^(prompt): ?(.*?)\0*$/s.exec(eitherText(bytes)) ?? [];
          if (keyword !== undefined && text !== undefined) texts.set(keyword, text);
        }
      }
    }
  } catch (error) {
    // A place beyond the end.
    if (!(error instanceof RangeError)) throw error;
  }
  return texts;
}

/** A comment behind the eight bytes that name its characters; some programs write none. */
function commentIn(bytes: Buffer, isBig: boolean): string {
  const kind = bytes.toString("latin1", 0, 8);
  if (/^(ASCII|UNICODE|JIS)?\0+$/.test(kind)) {
    const text = bytes.subarray(8);
    return trimmed(kind.startsWith("UNICODE") ? unicodeText(text, isBig) : eitherText(text));
  }
  return trimmed(eitherText(bytes));
}

/** UTF-16 in either order, whichever the header says, since programs differ: half of a Latin letter is 0. */
function unicodeText(bytes: Buffer, isBig: boolean): string {
  const zeros = (from: number) => bytes.filter((byte, at) => at % 2 === from && byte === 0).length;
  const [first, second] = [zeros(0), zeros(1)];
  if (first + second === 0) return eitherText(bytes);
  const isBigText = first === second ? isBig : first > second;
  return new TextDecoder(isBigText ? "utf-16be" : "utf-16le").decode(bytes);
}

const trimmed = (text: string) => text.replace(/\0+$/, "");

/** Latin-1 by the standard, UTF-8 as many programs write it. */
export function eitherText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}
