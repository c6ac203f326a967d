import { auditValues } from "../analysis/audit-values.js";
import type { IntervalOptions } from "../analysis/intervals.js";
import { placed } from "../core/models.js";
import { scoresOf, setValues } from "./audit-prices.js";
import type { AuditDiversity } from "./audit-report.js";
import { withoutRevision } from "./metric-name.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

/** How different the images of a set are: how many are the same, and how far apart they lie. */
export function diversityOf(
  { audits, scores }: Pick<ReadAuditRecords, "audits" | "scores">,
  {
    short,
    options,
  }: { readonly short: (name: string) => string; readonly options: IntervalOptions },
): AuditDiversity {
  const same = { initial: { images: 0, same: 0 }, refined: { images: 0, same: 0 } };
  for (const { trial, phase, images } of audits) {
    if (trial > 0) continue;
    const count = same[phase];
    count.images += images.length;
    count.same += images.filter(
      (image) => images.filter((other) => other === image).length > 1,
    ).length;
  }
  const [distance] = scoresOf(scores, "measure-diversity");
  return {
    same,
    ...(distance === undefined
      ? {}
      : {
          distance: {
            model: withoutRevision(placed(distance.first)),
            change: auditValues(
              setValues(audits, distance.byImage, short),
              distance.first.range,
              options,
            ),
          },
        }),
  };
}
