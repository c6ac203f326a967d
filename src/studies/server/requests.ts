import { z } from "zod";
import { jsonObject } from "../../core/record-schema.js";
import { StudyError } from "./study-error.js";

const short = z.string().min(1).max(500);

/** The bodies of the requests of participants and of who leads their session; data/study-calls.yaml says what they answer. */
export const requests = {
  join: z.union([
    z.strictObject({ invite: short }),
    z.strictObject({
      external: z.strictObject({
        source: short,
        id: short,
        signature: short.optional(),
        study: short.optional(),
        session: short.optional(),
      }),
    }),
    z.strictObject({ resume: z.string().min(1).max(4_000) }),
  ]),
  consent: z.strictObject({
    version: z.string(),
    agreed: z.boolean(),
    boxes: z.array(z.boolean()).max(100).optional(),
  }),
  background: jsonObject,
  answer: z.union([
    z.strictObject({
      assignment: short,
      answer: jsonObject,
      note: z.string().max(10_000).optional(),
      milliseconds: z.number().nonnegative().optional(),
    }),
    z.strictObject({
      assignment: short,
      skipped: z.literal(true),
      note: z.string().max(10_000).optional(),
      milliseconds: z.number().nonnegative().optional(),
    }),
  ]),
  draft: z.strictObject({ assignment: short, draft: jsonObject.nullable() }),
  withdraw: z.strictObject({ erase: z.boolean() }),
  steer: z.strictObject({ to: z.enum(["next", "back", "skip"]) }),
  note: z.strictObject({
    id: z.string().min(1).max(100),
    text: z.string().trim().max(10_000).default(""),
    codes: z.array(z.string()).max(100).default([]),
  }),
  transcript: z.strictObject({
    name: z.string().trim().min(1).max(200),
    text: z.string().max(3_000_000),
    query: z.string().trim().min(1).max(2_000).optional(),
    begunAt: z.int().nonnegative().optional(),
  }),
};

/** @throws StudyError 400 that names the first member that does not fit. */
export function checked<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const member = issue?.path.map(String).join(".") || "the body";
  throw new StudyError(400, "malformed", `${member}: ${issue?.message ?? "does not fit"}`);
}
