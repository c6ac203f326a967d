import type { AttributeConclusion } from "../../../analysis/confusion/attribute-conclusion.js";
import { type CsvRow, noEstimate } from "../../conclusions/flat-table.js";

/** A row for all questions together, one for the mean of images, one for each image. */
export function attributeRows({ pooled, intervalsOf, images }: AttributeConclusion): CsvRow[] {
  // Only where somebody is named: a table without annotators has no column of them.
  const named = images.some(({ annotator }) => annotator !== undefined);
  const by = (annotator: string | null = null) => (named ? { annotator } : {});
  const noCounts = { tp: null, fp: null, tn: null, fn: null, unscored: null };
  const { precision, recall, f1, ...counts } = pooled;
  return [
    { scope: "pooled", image: null, ...by(), ...counts, ...intervalsOf.pooled },
    { scope: "imageMean", image: null, ...by(), ...noCounts, ...intervalsOf.imageMean },
    ...images.map(({ image, annotator, precision, recall, f1, tp, fp, tn, fn, unscored }) => ({
      scope: "image",
      image,
      ...by(annotator),
      tp,
      fp,
      tn,
      fn,
      unscored,
      precision: { ...noEstimate, value: precision },
      recall: { ...noEstimate, value: recall },
      f1: { ...noEstimate, value: f1 },
    })),
  ];
}
