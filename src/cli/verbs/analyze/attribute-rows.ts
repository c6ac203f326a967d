import type { AttributeConclusion } from "../../../analysis/confusion/attribute-conclusion.js";
import { type CsvRow, noEstimate } from "../../conclusions/flat-table.js";

/** A row for all questions together, one for the mean of images, one for each image. */
export function attributeRows({ pooled, intervalsOf, images }: AttributeConclusion): CsvRow[] {
  const noCounts = { tp: null, fp: null, tn: null, fn: null, unscored: null };
  const { precision, recall, f1, ...counts } = pooled;
  return [
    { scope: "pooled", image: null, ...counts, ...intervalsOf.pooled },
    { scope: "imageMean", image: null, ...noCounts, ...intervalsOf.imageMean },
    ...images.map(({ image, precision, recall, f1, tp, fp, tn, fn, unscored }) => ({
      scope: "image",
      image,
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
