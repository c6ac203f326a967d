import type { Key } from "../core/keys.js";
import { shellWord } from "../core/shell-word.js";
import { lifeFacts } from "../report/text/record-life-text.js";
import { recordLife } from "../runs/record-life.js";
import { repeatWords } from "../runs/repeat-words.js";
import type { Explained } from "./api.js";
import { noRecord } from "./item-detail.js";
import { indexLookups, scoreLooks } from "./looks/looks.js";
import type { RunView } from "./run-view.js";

/**
 * All that a run knows of one record, as `run explain` says it.
 *
 * @param options.conventionsOf the conventions of a metric that the command line names
 */
export async function explained(
  { index }: RunView,
  key: string,
  options: { readonly conventionsOf: (metric: string) => readonly string[] | undefined },
): Promise<Explained> {
  if (index.placeOf(key as Key) === undefined) throw noRecord();
  const life = await recordLife(index.run, key, indexLookups(index));
  const { record, imagePath, trace } = life;
  const repeat = record.type === "score" ? repeatWords(record, imagePath, options) : undefined;
  const variables = Object.entries(repeat?.variables ?? {});
  return {
    key: record.key,
    type: record.type,
    facts: lifeFacts(life),
    looks: scoreLooks(record, trace),
    repeat:
      repeat === undefined
        ? null
        : [
            ...variables.map(([name, value]) => `${name}=${shellWord(value)}`),
            "touchstone",
            ...repeat.words.map(shellWord),
          ].join(" "),
  };
}
