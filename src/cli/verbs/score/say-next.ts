import type { Metric } from "../../../core/metric.js";
import type { Output } from "../../terminal/output.js";
import { nextAnalysis } from "./next-analysis.js";
import { isPage } from "./result-file.js";
import type { ScoreGiven } from "./score-arguments.js";
import type { ScoreItem } from "./score-item.js";

/** The command that does more with what was done, or what such a command would need. */
export function sayNext(
  { source, out }: Pick<ScoreGiven, "source" | "out">,
  {
    items,
    metrics,
    words,
    output,
  }: {
    readonly items: readonly ScoreItem[];
    readonly metrics: readonly Metric[];
    /** Words of the command that writes results to a file. */
    readonly words: readonly string[];
    readonly output: Output;
  },
): void {
  const analysis =
    out === undefined || isPage(out) ? undefined : nextAnalysis(out, { items, metrics });
  if (analysis !== undefined) {
    output.nextCommand(analysis);
  } else if (out !== undefined && !isPage(out)) {
    output.note(
      "Conclusions need more than scores: with a column rating (people's) or model (what made an image)\n" +
        "the command for them stands here. touchstone analyze contrastive reads pairs, the scores of a\n" +
        "right and a wrong image in one row (touchstone example contrastive).",
    );
    // What the studio shows worst first.
    output.nextCommand(["studio", out]);
  } else if (source === "-") {
    output.note("To keep these results, give the table again and --out scores.jsonl");
  } else if (source !== undefined) {
    output.nextCommand(words);
  }
}
