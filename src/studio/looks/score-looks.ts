import { z } from "zod";
import { questionsOf } from "../../analysis/confusion/confusion-images.js";
import {
  conventionOf,
  localizedName,
} from "../../benchmarks/attribute-confusion/localized-metrics.js";
import type { AnyRecord } from "../../core/records.js";
import type { TraceEntry } from "../../runs/record-life.js";
import type { EntityLook, ScoreLooks } from "./look-api.js";

const noted = z.object({
  kind: z.literal("mask"),
  entity: z.string(),
  width: z.int().positive(),
  height: z.int().positive(),
  runs: z.array(z.int().nonnegative()),
});

/**
 * Reads what a localised metric looked at for a score from the score and the notes kept beside it;
 * null for a record of anything else.
 */
export function scoreLooks(record: AnyRecord, trace: readonly TraceEntry[]): ScoreLooks | null {
  if (record.type !== "score" || record.metric !== localizedName) return null;
  if (record.status !== "done") return null;
  const threshold = z.number().catch(0.5).parse(record.details?.threshold);
  const masks = new Map(
    trace.flatMap((entry) => {
      const { data } = noted.safeParse(entry);
      return data === undefined ? [] : [[data.entity, data] as const];
    }),
  );
  const questions = questionsOf(record);
  const entities = [...new Set(questions.map(({ on, entity }) => on ?? entity))];
  return {
    strategy: conventionOf(record).strategy,
    entities: entities.map((entity): EntityLook => {
      const here = questions.filter((one) => (one.on ?? one.entity) === entity);
      const said = here[0]?.mask;
      const { width, height, runs } = masks.get(entity) ?? {};
      const shape =
        said !== "found" || width === undefined || height === undefined || runs === undefined
          ? null
          : { width, height, runs };
      return {
        entity,
        mask:
          said === "none" || said === "not asked" ? said : shape === null ? "not kept" : "found",
        shape,
        questions: here.map(({ kind, attribute, question, entity: about, probability }) => ({
          kind,
          attribute,
          question: question ?? `${attribute} ${about}`,
          probability,
          saysYes: probability >= threshold,
        })),
      };
    }),
  };
}
