import type { Key } from "../core/keys.js";
import { shellWord } from "../core/shell-word.js";
import { lifeFacts } from "../report/text/record-life-text.js";
import { recordLife } from "../runs/record-life.js";
import { repeatCommand } from "../runs/repeat-command.js";
import type { Explained, ItemDetail } from "./api.js";
import { itemOf } from "./item.js";
import { indexLookups } from "./record-lookups.js";
import { Refusal } from "./refusal.js";
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

/** An image with the keys of all that was said of it. */
export async function itemDetail(view: RunView, key: string): Promise<ItemDetail> {
  const { index } = view;
  const at = index.rowOf(key);
  if (at === undefined) throw noRecord();
  const placed = index.tables.flatMap((table) => {
    const place = table.placeOf(at);
    return place === undefined ? [] : [{ column: table.id, place }];
  });
  const records = await index.read(placed.map(({ place }) => place));
  const pair = view.pairs.find(({ first, second }) => first === at || second === at);
  return {
    ...itemOf(view, at),
    keys: Object.fromEntries(placed.map(({ column }, one) => [column, records[one]?.key ?? ""])),
    pair: pair?.id ?? null,
  };
}

const noRecord = () =>
  new Refusal(404, "no-record", "There is no record with this key in the run", {
    hint: "Keys are whole here: 32 characters.",
  });
