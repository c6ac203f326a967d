import { z } from "zod";
import { loadData } from "../load-data.js";

const schema = z.strictObject({
  injections: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected small letters and dashes"),
        aims: z.enum(["absent", "present", "none"]),
        text: z.string().trim().min(1).max(200),
      }),
    )
    .min(1),
});

/** A text that is slipped to a judge, and where it wants the answers to go. */
export type Injection = z.output<typeof schema>["injections"][number];

/** data/stereotypes/injections.yaml. */
export const loadInjections = (): readonly Injection[] =>
  loadData("stereotypes/injections.yaml", schema).injections;
