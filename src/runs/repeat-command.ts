// Apart from repeat-words.ts, which pages load that have no use for the metrics.
import type { RecordOf } from "../core/records.js";
import { metricCatalogue } from "../metrics/catalogue.js";
import { type RepeatCommand, repeatWords } from "./repeat-words.js";

/** The conventions of a metric that the command line names; undefined for any other. */
export const conventionsOf = (metric: string): readonly string[] | undefined =>
  metricCatalogue.find(({ name }) => name === metric)?.conventions;

/** The command that asks for one score again, as `repeatWords` has it. */
export const repeatCommand = (
  score: RecordOf<"score">,
  imagePath: string | undefined,
  named?: ReadonlyMap<string, string>,
): RepeatCommand | undefined => repeatWords(score, imagePath, { conventionsOf, named });
