import { z } from "zod";
import { unknownLocalizer } from "../../../core/people-model.js";
import type { BlockSettings } from "../../config/study-config.js";
import type { StudyItem } from "../../study.js";

const found = z.object({ localizers: z.array(z.string()) });

/**
 * The models that chose what people were shown of these items' entities. Answers about that are no
 * reference for a metric that looks where the same model says. Items of studies that were created before
 * this was noted give `unknownLocalizer`.
 */
export function localizersShown(
  items: readonly StudyItem[],
  { view }: Pick<BlockSettings, "view">,
): ReadonlySet<string> {
  if (view === "whole") return new Set();
  return new Set(
    items.flatMap(({ beside, content }) => {
      const noted = found.safeParse(beside);
      if (noted.success) return noted.data.localizers;
      const isFromRun = beside.of !== undefined;
      return isFromRun && Array.isArray(content.box) ? [unknownLocalizer] : [];
    }),
  );
}
