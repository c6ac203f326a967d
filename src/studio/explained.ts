import type { Key } from "../core/keys.js";
import { shellWord } from "../core/shell-word.js";
import { lifeFacts } from "../report/text/record-life-text.js";
import { recordLife } from "../runs/record-life.js";
import { repeatCommand } from "../runs/repeat-command.js";
import type { Explained } from "./api.js";
import { noRecord } from "./item-detail.js";
import { indexLookups } from "./record-lookups.js";
import type { RunView } from "./run-view.js";

/** All that a run knows of one record, as `explain` says it. */
export async function explained({ index }: RunView, key: string): Promise<Explained> {
  if (index.placeOf(key as Key) === undefined) throw noRecord();
  const life = await recordLife(index.run, key, indexLookups(index));
  const { record, imagePath } = life;
  const repeat = record.type === "score" ? repeatCommand(record, imagePath) : undefined;
  const variables = Object.entries(repeat?.variables ?? {});
  return {
    key: record.key,
    type: record.type,
    facts: lifeFacts(life),
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
