import { randomBytes } from "node:crypto";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { type Hash, hashOf } from "../../core/keys.js";
import { jsonOrNone } from "../../core/read-json.js";
import { hash, jsonObject } from "../../core/record-schema.js";
import { codesSchema } from "../coding/codebook.js";
import { studyConfigSchema } from "../config/study-schema.js";
import type { Study, StudyItem } from "../study.js";

const studyText = z.object({ version: z.string(), text: z.string() });

const filterShare = z.object({
  kept: z.int(),
  of: z.int(),
  description: z.string(),
  unfiltered: z.boolean(),
});

const frozenSchema = z.object({
  study: z.literal(1),
  id: z.string(),
  settings: studyConfigSchema,
  consent: studyText,
  debrief: studyText.optional(),
  codebook: codesSchema.optional(),
  /** SHA-256 of all the other members; studies of before have none. */
  sha256: hash.optional(),
  blocks: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      items: z.int(),
      gold: z.int(),
      /** Not given where there are none. */
      practice: z.int().optional(),
      /** SHA-256 of the file; studies of before have none. */
      sha256: hash.optional(),
      filter: filterShare.optional(),
      judge: z.string().optional(),
    }),
  ),
});

const itemSchema = z.object({
  id: z.string(),
  images: z.array(hash),
  sources: z.array(z.string()),
  content: jsonObject,
  beside: jsonObject,
  known: jsonObject.optional(),
  feedback: z.string().optional(),
});

const hashOfText = (text: string): Hash => hashOf(new TextEncoder().encode(text));

const secretSchema = z.object({
  secret: z.string().regex(/^[0-9a-f]{64}$/),
  adminToken: z.string().min(20),
});

/** Name of the file, or entry, that holds a study from its creation on. */
export const frozenName = "study.json";
export const secretName = "secret.json";

/** A study as it was frozen, and the secrets that only its servers read. */
export interface FrozenStudy {
  readonly study: Study;
  /** Signs sessions, invitations and names of images; 32 random bytes in hexadecimal. */
  readonly secret: string;
  /** The token that opens the experimenter's pages. */
  readonly adminToken: string;
}

export const newSecrets = (): Omit<FrozenStudy, "study"> => ({
  secret: randomBytes(32).toString("hex"),
  adminToken: randomBytes(24).toString("base64url"),
});

/** The texts of a study by name, in the order in which they are written: without the last it is none. */
export function frozenTexts({
  study,
  secret,
  adminToken,
}: FrozenStudy): ReadonlyMap<string, string> {
  const { blocks, ...rest } = study;
  const placed = blocks.map((block, index) => ({
    block,
    file: `items/${String(index + 1).padStart(2, "0")}-${block.name}.jsonl`,
    text: [...block.items, ...block.gold, ...(block.practice ?? [])]
      .map((item) => `${JSON.stringify(item)}\n`)
      .join(""),
  }));
  const frozen = {
    study: 1,
    ...rest,
    blocks: placed.map(({ block, file, text }) => ({
      name: block.name,
      file,
      items: block.items.length,
      gold: block.gold.length,
      practice: block.practice?.length,
      sha256: hashOfText(text),
      filter: block.filter,
      judge: block.judge,
    })),
  };
  const sealed = { ...frozen, sha256: hashOfText(JSON.stringify(frozen)) };
  return new Map([
    ...placed.map(({ file, text }) => [file, text] as const),
    [secretName, `${JSON.stringify({ secret, adminToken })}\n`],
    [frozenName, `${JSON.stringify(sealed, null, 2)}\n`],
  ]);
}

/** Where the texts of a study are read. */
export interface FrozenSource {
  /** The text of this name; undefined where there is none. */
  read(name: string): Promise<string | undefined>;
  /** Names the text to people. */
  placeOf(name: string): string;
}

/** @throws InputError where there is no study, or it was changed by hand. */
export async function readFrozenStudy(source: FrozenSource): Promise<FrozenStudy> {
  const frozen = await readChecked(source, {
    name: frozenName,
    schema: frozenSchema,
    hint: "Make one with: touchstone study create CONFIG --run DIR",
  });
  const secrets = await readChecked(source, {
    name: secretName,
    schema: secretSchema,
    hint: "Without it no session can be checked: copy the whole study.",
  });
  const blocks = [];
  checkSeal(frozen.sha256, {
    text: withoutSeal((await source.read(frozenName)) ?? ""),
    place: source.placeOf(frozenName),
  });
  for (const [index, frozenBlock] of frozen.blocks.entries()) {
    const { file, items, gold, practice, sha256, ...block } = frozenBlock;
    const settings = frozen.settings.blocks[index];
    const text = (await source.read(file)) ?? "";
    const all = itemsIn(text, source.placeOf(file));
    const total = items + gold + (practice ?? 0);
    if (settings === undefined || all.length !== total) {
      throw new InputError(
        `Expected ${total} items in ${source.placeOf(file)} but found ${all.length}`,
        { hint: frozenHint },
      );
    }
    checkSeal(sha256, { text, place: source.placeOf(file) });
    blocks.push({
      ...block,
      settings,
      items: all.slice(0, items),
      gold: all.slice(items, items + gold),
      practice: practice === undefined ? undefined : all.slice(items + gold),
    });
  }
  const { id, settings, consent, debrief, codebook } = frozen;
  return { study: { id, settings, consent, debrief, codebook, blocks }, ...secrets };
}

const frozenHint = "A frozen study is not edited; create a new one.";

/** @throws InputError where a text is not the one that was frozen; one without a hash is not checked. */
function checkSeal(
  sha256: Hash | undefined,
  { text, place }: { readonly text: string; readonly place: string },
): void {
  if (sha256 === undefined || sha256 === hashOfText(text)) return;
  throw new InputError(`Expected ${place} as study create froze it but it was changed`, {
    hint: frozenHint,
  });
}

/** What the hash in study.json is of: all other members, in one line. */
function withoutSeal(text: string): string {
  const { sha256: _, ...others } = jsonObject.parse(jsonOrNone(text));
  return JSON.stringify(others);
}

function itemsIn(text: string, place: string): StudyItem[] {
  return text.split("\n").flatMap((line, at) => {
    if (line === "") return [];
    const checked = itemSchema.safeParse(jsonOrNone(line));
    if (checked.success) return [checked.data];
    throw new InputError(
      `Expected line ${at + 1} of ${place} as study wrote it but it was edited or damaged`,
      {
        hint: "Restore the file; a study's files are not edited by hand.",
      },
    );
  });
}

async function readChecked<Output>(
  source: FrozenSource,
  {
    name,
    schema,
    hint,
  }: { readonly name: string; readonly schema: z.ZodType<Output>; readonly hint: string },
): Promise<Output> {
  const text = await source.read(name);
  const place = source.placeOf(name);
  if (text === undefined) {
    throw new InputError(`Expected a study but could not read ${place}`, { hint });
  }
  const checked = schema.safeParse(jsonOrNone(text));
  if (checked.success) return checked.data;
  throw new InputError(`Expected the members of a study in ${place}`, {
    hint,
    cause: checked.error,
  });
}
