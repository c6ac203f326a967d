import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { decompressZstd } from "hyparquet-compressors";
import { InputError } from "../core/errors.js";
import type { ForeignFile, ForeignTool } from "../tables/foreign/foreign-table.js";
import { parsedJson } from "../tables/python-json.js";
import { fileError } from "./file-error.js";
import { readRegularFile, UnreadableFile } from "./regular-file.js";

/** Bytes of one file: it is held whole. */
const mostBytes = 500e6;

/**
 * The files of another tool, in sets that are read together: a file as it is (JSON or JSON lines), of an
 * .eval archive and of a folder those that the tool wants, in the order of their names.
 *
 * @throws InputError where nothing is there, nothing is wanted, or a file is no JSON.
 */
export async function foreignFiles(
  path: string,
  { tool, workingDirectory }: { readonly tool: ForeignTool; readonly workingDirectory: string },
): Promise<ForeignFile[][]> {
  const place = resolve(workingDirectory, path);
  try {
    const isFolder = (await stat(place)).isDirectory();
    const sets = isFolder ? await ofFolder(place, tool) : [await ofFile(place, path, tool)];
    if (sets.every((files) => files.length === 0)) {
      throw new InputError(`Expected ${tool.summary} in ${path} but found no such file`, {
        hint: `See: touchstone import ${tool.name} --help`,
      });
    }
    return sets;
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof UnreadableFile) {
      throw new InputError(`Could not read ${path}: ${error.reason}`, { cause: error });
    }
    throw fileError(error, "read", path);
  }
}

async function ofFile(place: string, name: string, tool: ForeignTool): Promise<ForeignFile[]> {
  const bytes = await readRegularFile(place, { mostBytes });
  if (!/\.(eval|zip)$/i.test(name)) return [jsonFile(name, bytes, tool)];
  return zipEntries(bytes, name)
    .filter((entry) => tool.wants(entry.name))
    .map((entry) => jsonFile(entry.name, entry.bytes(), tool))
    .sort((one, other) => inOrder.compare(one.name, other.name));
}

async function ofFolder(place: string, tool: ForeignTool): Promise<ForeignFile[][]> {
  const names = (await readdir(place, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(place, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort(inOrder.compare);
  if (tool.isWhole !== undefined) {
    const whole = names.filter((name) => tool.isWhole?.(name));
    return Promise.all(whole.map((name) => ofFile(join(place, name), name, tool)));
  }
  const wanted = names.filter((name) => tool.wants(name));
  const read = async (name: string) =>
    jsonFile(name, await readRegularFile(join(place, name), { mostBytes }), tool);
  return [await Promise.all(wanted.map(read))];
}

/** s2 stands before s10. */
const inOrder = new Intl.Collator("en", { numeric: true });

function jsonFile(name: string, bytes: Uint8Array, tool: ForeignTool): ForeignFile {
  const text = new TextDecoder().decode(bytes);
  const isLines = /\.jsonl$/i.test(name);
  const hint = /\bInfinity\b/.test(text) ? "Infinity is not JSON" : `It takes ${tool.summary}`;
  try {
    const value = parsedJson(text);
    return { name, value: isLines && !Array.isArray(value) ? [value] : value };
  } catch (cause) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (isLines || (lines.length > 1 && isJson(lines[0]))) {
      return {
        name,
        value: lines.map((line, at) => jsonLine(line, { place: `${name}, line ${at + 1}`, hint })),
      };
    }
    throw new InputError(`Expected JSON in ${basename(name)} but received something else`, {
      hint,
      cause,
    });
  }
}

function isJson(text = ""): boolean {
  try {
    parsedJson(text);
    return true;
  } catch {
    return false;
  }
}

function jsonLine(
  line: string,
  { place, hint }: { readonly place: string; readonly hint: string },
): unknown {
  try {
    return parsedJson(line);
  } catch (cause) {
    throw new InputError(`Expected JSON lines but received something else (in ${place})`, {
      hint,
      cause,
    });
  }
}

/** A file of an archive; `bytes` unpacks it. */
interface ZipEntry {
  readonly name: string;
  bytes(): Uint8Array;
}

const end = 0x06054b50;
const central = 0x02014b50;
/** The most bytes of a file, unpacked. */
const largest = 500e6;

const unpackers: Readonly<Record<number, (packed: Uint8Array) => Uint8Array>> = {
  0: (packed) => packed,
  8: (packed) => inflateRawSync(packed, { maxOutputLength: largest }),
  93: (packed) => decompressZstd(packed),
};

/**
 * Returns the files of a ZIP archive in memory, by the table at its end (PKWARE APPNOTE 4.3): stored, deflated
 * or packed with Zstandard, as inspect_ai's .eval are, which libraries for ZIP can't read. Checksums are
 * compared; ZIP64 is not read.
 *
 * @throws InputError where it is no archive or is damaged; damaged files are found when they are unpacked.
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
