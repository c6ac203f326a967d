import { z } from "zod";
import { unscoredReasons } from "../core/unscored.js";
import { Refusal } from "./refusal.js";

const sortings = ["plan", "score", "margin", "disagreement", "people"] as const;

const number = z
  .string()
  .regex(/^-?\d+(\.\d+)?(e-?\d+)?$/i, "a number")
  .transform(Number);
const short = z.string().max(500);

const query = z.object({
  /** One image, by its key. */
  key: short.optional(),
  /** Words that all must stand in the texts. */
  text: short.optional(),
  domain: short.optional(),
  role: short.optional(),
  generator: short.optional(),
  /** A column that min, max, failed, reason and the sorting are about. */
  metric: short.optional(),
  min: number.optional(),
  max: number.optional(),
  failed: z.enum(["yes", "no"]).optional(),
  reason: z.enum([...unscoredReasons, "any"]).optional(),
  /** At least how far apart the ranks of metrics, or of metrics and people, lie: 0 to 1. */
  spread: number.optional(),
  gap: number.optional(),
  /** Conditions on scores, such as `vqa < 0.5 and clip > 0.3`. */
  where: short.optional(),
  /** A tag that somebody gave the image. */
  tag: short.optional(),
  sort: z.enum(sortings).default("plan"),
  order: z.enum(["up", "down"]).default("up"),
});

/** Pairs by a run's filter as well, whose column and threshold a run's detail names. */
const pairQuery = query.extend({
  /** A column that scores each image of a pair. */
  keptBy: short.optional(),
  /** The least score that both images must have. */
  keepFrom: number.default(0),
  kept: z.enum(["yes", "no"]).default("yes"),
});

const rowsQuery = query.extend({
  /** Rows in which a metric tells models apart, disagrees with people, or has no answer. */
  only: z.enum(["differences", "people", "unscored"]).optional(),
});

export const pagingSchema = z.object({
  limit: z
    .string()
    .regex(/^(?!0+$)\d{1,6}$/, "a whole number from 1 to 999999")
    .transform(Number)
    .default(60),
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, "a whole number of up to nine digits")
    .transform(Number)
    .default(0),
});

/** Which images of a run, and in which order. */
export type ItemQuery = z.output<typeof query>;
/** Which pairs of a run: those whose first image an `ItemQuery` leaves, and that its filter keeps. */
export type PairQuery = z.output<typeof pairQuery>;
/** Which prompts of a run: those of which an image is one that an `ItemQuery` leaves. */
export type GridQuery = z.output<typeof rowsQuery>;
export type Paging = z.output<typeof pagingSchema>;

/** How many are answered at most at once. */
const mostItems = 500;

export const itemQuery = (parameters: Readonly<Record<string, string>>): ItemQuery & Paging =>
  pagedQuery(query, parameters);

export const pairsQuery = (parameters: Readonly<Record<string, string>>): PairQuery & Paging =>
  pagedQuery(pairQuery, parameters);

export const gridQuery = (parameters: Readonly<Record<string, string>>): GridQuery & Paging =>
  pagedQuery(rowsQuery, parameters);

/** Whether a query takes all images in the order of the plan. */
export const isWhole = ({
  cursor: _,
  limit: _most,
  sort,
  order: _order,
  ...filters
}: GridQuery & Paging) =>
  sort === "plan" && Object.values(filters).every((value) => value === undefined);

function pagedQuery<Schema extends z.ZodType<ItemQuery>>(
  schema: Schema,
  parameters: Readonly<Record<string, string>>,
): z.output<Schema> & Paging {
  const { limit, cursor, ...rest } = parameters;
  const page = {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const wanted = { ...parsedQuery(schema, rest), ...parsedQuery(pagingSchema, page) };
  return { ...wanted, limit: Math.min(wanted.limit, mostItems) };
}

/** Reads a query; what an address leaves empty is not given. @throws Refusal that names the value which it can't have. */
export function parsedQuery<Schema extends z.ZodType>(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const given = Object.entries(value).filter(([, text]) => text !== "");
  const { data, error } = schema.safeParse(Object.fromEntries(given));
  if (error === undefined) return data as z.output<Schema>;
  const [issue] = error.issues;
  const name = issue?.path.join(".") ?? "";
  const received = JSON.stringify(value[name])?.slice(0, 80);
  throw new Refusal(
    400,
    "query",
    `Expected ${wantedBy(issue)} for ${name} but received ${received}`,
  );
}

function wantedBy(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "invalid_value") return `one of ${issue.values.join(", ")}`;
  if (issue?.code === "too_big") return `at most ${issue.maximum} characters`;
  return issue?.message ?? "another value";
}
