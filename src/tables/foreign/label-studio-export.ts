import { z } from "zod";
import { type ForeignFile, parsed, text } from "./foreign-table.js";

const person = z.union([
  text,
  z.looseObject({ id: text.optional(), email: z.string().optional() }),
]);

const resultSchema = z.object({
  from_name: z.string(),
  type: z.string(),
  value: z.record(z.string(), z.unknown()),
  meta: z.unknown().optional(),
});

const annotationSchema = z.object({
  id: text,
  completed_by: person.nullish(),
  was_cancelled: z.boolean().nullish(),
  result: z.array(z.unknown()),
  /** Seconds. */
  lead_time: z.number().nullish(),
  updated_at: z.string().nullish(),
});

const taskSchema = z.object({
  id: text,
  data: z.record(z.string(), z.unknown()),
  annotations: z.array(annotationSchema),
  predictions: z.array(z.unknown()).nullish(),
  drafts: z.array(z.unknown()).nullish(),
});

export type LabelStudioTask = z.output<typeof taskSchema>;
export type LabelStudioAnnotation = LabelStudioTask["annotations"][number];

/** Answer to a question: a choice, side or text, several choices, a rating or number. */
export type LabelStudioValue = string | number | readonly string[];

/** One result of an annotation; `value` is undefined where it is of a kind that is not read. */
export interface LabelStudioResult {
  /** Its `from_name`. */
  readonly question: string;
  readonly type: string;
  readonly value: LabelStudioValue | undefined;
  readonly meta: unknown;
  /** Type and value, for messages. */
  readonly words: string;
}

/** @throws InputError where the file is no JSON export of Label Studio. */
export const labelStudioTasks = (file: ForeignFile): readonly LabelStudioTask[] =>
  parsed(z.array(taskSchema), file, "an export of Label Studio (JSON)");

/** Answers of an annotation, by question; undefined for a result of another shape. */
export const resultsOf = ({
  result,
}: LabelStudioAnnotation): readonly (LabelStudioResult | undefined)[] =>
  result.map((one) => {
    const { data } = resultSchema.safeParse(one);
    if (data === undefined) return undefined;
    const words = `${data.type} ${JSON.stringify(data.value).slice(0, 60)}`;
    const { from_name: question, type, meta } = data;
    return { question, type, value: answeredIn(data), meta, words };
  });

/** Who made an annotation: an address where the export has it, else a number. */
export function annotatorOf({ id, completed_by: by }: LabelStudioAnnotation): string {
  if (typeof by === "string") return by;
  return by?.email ?? by?.id ?? `annotation ${id}`;
}

function answeredIn({ type, value }: z.output<typeof resultSchema>): LabelStudioValue | undefined {
  const given = type === "pairwise" ? value.selected : value[type === "textarea" ? "text" : type];
  if (type === "pairwise") return given === "left" || given === "right" ? given : undefined;
  if (type === "rating" || type === "number") return typeof given === "number" ? given : undefined;
  if (type !== "choices" && type !== "textarea") return undefined;
  const words = (Array.isArray(given) ? given : [given]).filter((one) => typeof one === "string");
  if (words.length !== (Array.isArray(given) ? given.length : 1)) return undefined;
  const [only = "", ...more] = words;
  return words.length === 0 || more.length > 0 ? words : only;
}
