import { appendFile, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { absent, fileError } from "../../files/file-error.js";
import { readTextFile } from "../../files/regular-file.js";
import { type Comment, type NamedView, noNotes, type RunNotes } from "./note-api.js";

const word = z.string().trim().min(1).max(60);

/** A change of notes: about the run, or about the images that `of` names. */
export const noteSchema = z.strictObject({
  of: z.array(z.string().max(64)).min(1).max(20_000).optional(),
  by: z.string().trim().max(60).optional(),
  tag: word.optional(),
  untag: word.optional(),
  comment: z.string().trim().min(1).max(2000).optional(),
  title: z.string().trim().max(120).optional(),
  isPinned: z.boolean().optional(),
  /** Filters to keep by a name; null forgets it. */
  view: z
    .strictObject({
      name: word,
      page: z.enum(["gallery", "grid"]),
      search: z.record(z.string().max(20), z.string().max(500)).nullable(),
    })
    .optional(),
});

export type Note = z.output<typeof noteSchema>;

const noted = noteSchema.extend({ at: z.string() });

/**
 * What people noted about a run: lines appended to `notes/notes.jsonl` in its folder, beside its records
 * and never in them, so that a sealed run stays sealed. Several studios may append to one file.
 */
export class NotesFile {
  readonly #path: string;
  #last: RunNotes = noNotes;

  /** @param run the folder of the run */
  constructor(run: string) {
    this.#path = join(run, "notes", "notes.jsonl");
  }

  /** All notes as they stand; a line that is none, such as one cut short by a crash, counts for nothing. */
  async read(): Promise<RunNotes> {
    const size = (await stat(this.#path).catch(absent(this.#path)))?.size ?? 0;
    if (size === this.#last.version) return this.#last;
    const text = (await readTextFile(this.#path).catch(absent(this.#path))) ?? "";
    this.#last = notesIn(text);
    return this.#last;
  }

  /** Adds a note; it is on the disk when this resolves. @throws InputError where the folder can't be written. */
  async add(note: Note, at: Date): Promise<RunNotes> {
    // The last line may have been cut short: this one begins on its own.
    const line = `\n${JSON.stringify({ ...note, at: at.toISOString() })}\n`;
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      await appendFile(this.#path, line, { flush: true });
    } catch (error) {
      throw fileError(error, "write", this.#path);
    }
    return this.read();
  }
}

/** What lines of notes come to, in their order. */
function notesIn(text: string): RunNotes {
  let title: string | undefined;
  let isPinned = false;
  const own = newNotes();
  const views = new Map<string, NamedView>();
  const images = new Map<string, ReturnType<typeof newNotes>>();
  for (const line of text.split("\n")) {
    const note = noteOf(line);
    if (note === undefined) continue;
    if (note.title !== undefined) title = note.title === "" ? undefined : note.title;
    isPinned = note.isPinned ?? isPinned;
    if (note.view !== undefined) {
      const { search, ...named } = note.view;
      const id = `${named.page}/${named.name}`;
      if (search === null) views.delete(id);
      else views.set(id, { ...named, search });
    }
    if (note.of === undefined) take(own, note);
    for (const key of note.of ?? []) {
      const about = images.get(key) ?? newNotes();
      images.set(key, about);
      take(about, note);
    }
  }
  return {
    version: Buffer.byteLength(text),
    ...(title === undefined ? {} : { title }),
    isPinned,
    ...listed(own),
    views: [...views.values()],
    images: Object.fromEntries([...images].map(([key, about]) => [key, listed(about)])),
  };
}

const newNotes = () => ({ tags: new Set<string>(), comments: [] as Comment[] });

const listed = ({ tags, comments }: ReturnType<typeof newNotes>) => ({ tags: [...tags], comments });

function take(
  { tags, comments }: ReturnType<typeof newNotes>,
  { tag, untag, comment, by, at }: z.output<typeof noted>,
): void {
  if (tag !== undefined) tags.add(tag);
  if (untag !== undefined) tags.delete(untag);
  if (comment !== undefined) comments.push({ text: comment, at, ...(by ? { by } : {}) });
}

function noteOf(line: string): z.output<typeof noted> | undefined {
  try {
    return noted.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
