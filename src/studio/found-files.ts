import { open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { append } from "../core/arrays.js";
import { type FileBelow, filesBelow } from "../files/files-below.js";
import { hasStore } from "../files/open-store.js";
import { reportPage, standingReport, verdictFile } from "../report/standing.js";
import type { FileKind, FileList } from "./api.js";
import { Refusal } from "./refusal.js";

/**
 * The address of the report in a folder below what is shown. It mirrors the folders, so that links between
 * reports lead on. @example reportAddress("demo/judge") // "/reports/demo/judge/report.html"
 */
export const reportAddress = (folder: string): string =>
  `/${["reports", ...folder.split("/").filter(Boolean), reportPage].map(encodeURIComponent).join("/")}`;

/** How a kind of file is told by its first bytes, which may end in the midst of a line. */
interface Recognised {
  readonly kind: FileKind;
  readonly ending: string;
  recognises(start: string): boolean;
}

/** Members that every row of `score` has, and together no other table. */
const ofScores = ["image", "metric", "status", "value", "reason", "low", "high", "direction"];

const areOfScores = (columns: readonly string[]): boolean =>
  ofScores.every((name) => columns.includes(name));

const recognised: readonly Recognised[] = [
  { kind: "review", ending: ".jsonl", recognises: hasMembers("why", "asked", "unscored") },
  {
    kind: "judge",
    ending: ".json",
    recognises: (start) => /^\s*\{\s*"kind":\s*"touchstone-judge"/.test(start),
  },
  {
    kind: "study",
    ending: "/study.json",
    recognises: (start) => /^\s*\{\s*"study":\s*1\b/.test(start),
  },
  {
    kind: "cards",
    ending: ".json",
    recognises: (start) => /^\s*\{\s*"cards":\s*\[\s*\{\s*"subject"/.test(start),
  },
  { kind: "scores", ending: ".jsonl", recognises: hasMembers(...ofScores) },
  {
    kind: "scores",
    ending: ".json",
    // A row of `score` a line; other programs may break them otherwise.
    recognises: (start) => hasMembers(...ofScores)(/^\s*\[\s*(\{[^{}]*\})/.exec(start)?.[1] ?? ""),
  },
  {
    kind: "scores",
    ending: ".csv",
    recognises: (start) => areOfScores((start.split(/\r?\n/, 1)[0] ?? "").split(",")),
  },
  {
    kind: "report",
    ending: verdictFile,
    recognises: (start) => /^\s*\{\s*"verdict":\s*\[/.test(start),
  },
];

/** Enough for a line of a judge of 9 ratings and a long prompt. */
const mostSniffed = 65_536;

export interface FoundFile extends FileBelow {
  /** Names it in addresses. */
  readonly id: string;
  readonly kind: FileKind;
  /** Verdict of a report, and the address of its page. */
  readonly verdict?: string;
  readonly report?: string;
}

/** The address of a file's page, without a slash before it. */
export function pageOfFile({ kind, id, name }: Pick<FoundFile, "kind" | "id" | "name">): string {
  if (kind === "cards") return `cards?from=${encodeURIComponent(JSON.stringify([`file:${id}`]))}`;
  if (kind === "report") return reportAddress(folderOf(name)).slice(1);
  const rooms = { review: "reviews", judge: "judges", scores: "scores", study: "studies" };
  return `${rooms[kind]}/${encodeURIComponent(id)}`;
}

/** The files below a folder that have a page of their own: told by what stands in them. */
export class FoundFiles {
  readonly #root: string;
  readonly #shown: string;
  readonly #sniffed = new Map<string, { readonly mark: string; readonly kind: FileKind | null }>();
  #found: ReadonlyMap<string, FoundFile> = new Map();

  /** @param options.shown what people call the folder */
  constructor({ root, shown }: { readonly root: string; readonly shown: string }) {
    this.#root = root;
    this.#shown = shown;
  }

  async list(): Promise<FileList> {
    const found = await this.look();
    return {
      files: found.map(({ path: _, ...file }) => file),
      directory: this.#shown,
    };
  }

  /** @throws Refusal where there is no such file of this kind. */
  async find(kind: FileKind, id: string): Promise<FoundFile> {
    const isIt = (file: FoundFile | undefined) => file?.kind === kind && file.id === id;
    const known = this.#found.get(id);
    const found = isIt(known) ? known : (await this.look()).find(isIt);
    if (found !== undefined) return found;
    throw new Refusal(404, "no-file", "There is no such file in the folder that is shown", {
      hint: "The first page lists them (GET /api/files).",
    });
  }

  /** Folders whose reports are no run's own, by name from the folder that is shown. */
  async reports(): Promise<readonly FileBelow[]> {
    const found = (await this.look()).filter(({ kind }) => kind === "report");
    return found.map(({ name, path }) => ({ name: folderOf(name), path: dirname(path) }));
  }

  async look(): Promise<readonly FoundFile[]> {
    const found: FoundFile[] = [];
    for (const file of await filesBelow(this.#root, [".jsonl", ".json", ".csv", ".parquet"])) {
      const kind = await this.#kindOf(file);
      if (kind === null) continue;
      const one = { ...file, id: file.name.replaceAll("/", "~"), kind };
      if (kind === "report") append(found, await reportOf(one));
      else found.push(one);
    }
    this.#found = new Map(found.map((file) => [file.id, file]));
    return found;
  }

  /** A file that has not changed is not opened again. */
  async #kindOf({ path }: FileBelow): Promise<FileKind | null> {
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || !facts.isFile()) return null;
    const mark = `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
    const known = this.#sniffed.get(path);
    if (known?.mark === mark) return known.kind;
    const kind = await (path.endsWith(".parquet") ? kindOfParquet(path) : kindByStart(path)).catch(
      () => null,
    );
    this.#sniffed.set(path, { mark, kind });
    return kind;
  }
}

/** A verdict with the page it is of; none where there is no page, or where it is a run's. */
async function reportOf(file: FoundFile): Promise<readonly FoundFile[]> {
  const folder = dirname(file.path);
  const report = (await hasStore(folder)) ? undefined : await standingReport(folder);
  const [verdict] = report?.verdict ?? [];
  return verdict === undefined
    ? []
    : [{ ...file, verdict, report: reportAddress(folderOf(file.name)) }];
}

/** The folder of a file by its name; "" for the one that is shown. */
const folderOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf("/")));

async function kindByStart(path: string): Promise<FileKind | null> {
  const start = await startOf(path);
  const found = recognised.find(
    ({ ending, recognises }) => path.endsWith(ending) && recognises(start),
  );
  return found?.kind ?? null;
}

/** Reads a Parquet file's kind from its end. */
async function kindOfParquet(path: string): Promise<FileKind | null> {
  const { tableBytes } = await import("../files/read-table.js");
  const { openParquet } = await import("../tables/parquet-blocks.js");
  const { names } = await openParquet(await tableBytes({ name: path, path }, false));
  return areOfScores(names) ? "scores" : null;
}

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostSniffed), 0, mostSniffed, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Whether the first line is an object with these members. */
function hasMembers(...names: readonly string[]) {
  return (start: string): boolean => {
    try {
      const value: unknown = JSON.parse(start.split("\n", 1)[0] ?? "");
      return typeof value === "object" && value !== null && names.every((name) => name in value);
    } catch {
      return false;
    }
  };
}
