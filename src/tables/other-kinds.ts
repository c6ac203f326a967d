import { InputError } from "../core/errors.js";

const bytesOf = (text: string) => [...text].map((sign) => sign.charCodeAt(0));

/** First bytes of other kinds of files, and what to do with them. */
const kinds = [
  {
    start: bytesOf("PK\u0003\u0004"),
    what: "a zip archive, as workbooks (.xlsx) are",
    hint: "Save the sheet as CSV, or unpack the archive",
  },
  { start: [0xd0, 0xcf, 0x11, 0xe0], what: "a workbook (.xls)", hint: "Save the sheet as CSV" },
  {
    start: bytesOf("PAR1"),
    what: "Parquet",
    hint: "Give it the ending .parquet, or, where the verb has this flag: --format parquet",
  },
  {
    start: bytesOf("PARE"),
    what: "encrypted Parquet",
    hint: "Write it once more without encryption: what holds the key can read it",
  },
  {
    start: bytesOf("ARROW1"),
    what: "an Arrow file (Feather)",
    hint: "Write Parquet: pd.read_feather(FILE).to_parquet(…)",
  },
  {
    start: bytesOf("version https://git-lfs"),
    what: "a pointer of Git LFS, not the file",
    hint: "Fetch the file: git lfs pull",
  },
  ...["<!doctype html", "<html", "<?xml"].map((start) => ({
    start: bytesOf(start),
    what: start === "<?xml" ? "XML" : "an HTML page",
    hint: "Download the file itself: the address may lead to a page about it, or ask to sign in",
  })),
];

/** Behind a byte order mark and blanks, letters small: how a file begins. */
function startOf(bytes: Uint8Array): Uint8Array {
  const mark = [0xef, 0xbb, 0xbf].every((byte, at) => bytes[at] === byte) ? 3 : 0;
  let at = mark;
  while (at < bytes.length && [0x09, 0x0a, 0x0d, 0x20].includes(bytes[at] ?? 0)) at++;
  return bytes.subarray(at, at + 32);
}

const small = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** What a file of another kind is by its first bytes, and what to do with it; undefined for one that isn't known. */
export function kindOf(
  bytes: Uint8Array,
): { readonly what: string; readonly hint: string } | undefined {
  const begun = startOf(bytes);
  return kinds.find(({ start }) =>
    start.every((byte, at) => small(byte) === small(begun[at] ?? 0)),
  );
}

/** @throws InputError where a file that should hold `expected` ("text", "a Parquet table") begins as one of another kind. */
export function checkKind(
  bytes: Uint8Array,
  { name, expected }: { readonly name: string; readonly expected: string },
): void {
  const found = kindOf(bytes);
  if (found === undefined) return;
  throw new InputError(`Expected ${expected} but ${name} is ${found.what}`, { hint: found.hint });
}
