import type { AttributeConclusion } from "../../../analysis/confusion/attributes.js";
import { csvLine } from "../../../files/csv-text.js";
import { localizedScoreNames } from "../../../stats/localized-answers.js";

/** A row for all questions together, one for the mean of images, one for each image; unrounded. */
export function attributesCsv({ pooled, intervalsOf, images }: AttributeConclusion): string {
  const counts = ["tp", "fp", "tn", "fn", "unscored"] as const;
  const header = [
    ...["scope", "image", ...counts],
    ...localizedScoreNames.flatMap((name) => [name, `${name}Low`, `${name}High`]),
  ];
  const summary = (scope: "pooled" | "imageMean") =>
    localizedScoreNames.flatMap((name) => {
      const { value, low, high } = intervalsOf[scope][name];
      return [value, low, high];
    });
  return [
    csvLine(header),
    csvLine(["pooled", null, ...counts.map((name) => pooled[name]), ...summary("pooled")]),
    csvLine(["imageMean", null, ...counts.map(() => null), ...summary("imageMean")]),
    ...images.map((one) =>
      csvLine([
        ...["image", one.image, ...counts.map((name) => one[name])],
        ...localizedScoreNames.flatMap((name) => [one[name], null, null]),
      ]),
    ),
  ].join("");
}
