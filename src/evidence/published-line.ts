import { questionKinds } from "../analysis/evidence/evidence-table.js";
import { fixedText, pluralText } from "../views/number-text.js";
import { metricFound } from "./found.js";
import { shippedFigures } from "./shipped-figures.js";

/** What the sets call a metric of ours. */
const names: Readonly<Record<string, string>> = {
  "clip-score": "CLIPScore",
  "pick-score": "PickScore",
  hps: "HPS v2.1",
  "image-reward": "ImageReward",
};

/**
 * How often published people's answers agree with a metric of the catalogue, in a line; undefined where no
 * evidence set has it.
 *
 * @example publishedLine("clip-score") // "68 % of pairs on alignment (4 sets), 56 to 66 % on quality (2 sets), …"
 */
export function publishedLine(metric: string): string | undefined {
  const name = names[metric];
  const found = name === undefined ? [] : metricFound(name, shippedFigures().sets);
  if (found.length === 0) return undefined;
  const parts = questionKinds.flatMap((asked) => {
    const its = found.find((one) => one.asked === asked)?.found;
    if (its === undefined) return [];
    const each = its.each.flatMap(({ figures }) => figures.accuracyWithin.value ?? []);
    each.sort((one, other) => one - other);
    const [least = 0, most = 0] = [each[0], each.at(-1)];
    const text = (share: number) => fixedText(share * 100, 0);
    const average = its.accuracyWithin.value;
    const range = least === most ? text(most) : `${text(least)} to ${text(most)}`;
    const shown = average === null ? range : text(average);
    return [`${shown} % of pairs on ${asked} (${pluralText(its.each.length, "set")})`];
  });
  return parts.join(", ");
}
