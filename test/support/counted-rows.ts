import { z } from "zod";
import type { Database } from "../../src/files/postgres/database.js";

interface Plan {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number | undefined;
  readonly "Rows Removed by Join Filter"?: number | undefined;
  readonly Plans?: readonly Plan[] | undefined;
}

const planSchema: z.ZodType<Plan> = z.lazy(() =>
  z.object({
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    "Rows Removed by Join Filter": z.number().optional(),
    Plans: z.array(planSchema).optional(),
  }),
);
const explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: planSchema })]) })]);

/** Rows that all parts of a plan looked at. */
const rowsOf = (plan: Plan): number =>
  plan["Actual Loops"] *
    (plan["Actual Rows"] +
      (plan["Rows Removed by Filter"] ?? 0) +
      (plan["Rows Removed by Join Filter"] ?? 0)) +
  (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0);

/** A database that counts the rows that its plans look at. */
export function countedRows(database: Database) {
  let looked = 0;
  return {
    /** Since it was asked last. */
    looked(): number {
      const sum = looked;
      looked = 0;
      return sum;
    },
    async rows<Answer extends object>(
      ...[text, values]: Parameters<Database["rows"]>
    ): Promise<Answer[]> {
      const plan = await database.rows(`explain (analyze, format json) ${text}`, values);
      looked += rowsOf(explained.parse(plan)[0]["QUERY PLAN"][0].Plan);
      return database.rows<Answer>(text, values);
    },
  };
}
