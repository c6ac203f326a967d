import type { Hash, Key } from "../../core/keys.js";
import type { DoneRecord } from "../../core/records.js";
import type { Records } from "../../core/step.js";

/** A pair with what the truth says of it, as tables of labels have it. */
export interface PreferenceRow {
  readonly id: Key;
  readonly caption: string;
  readonly imageA: Hash;
  readonly imageB: Hash;
  /** The picture in which less is wrong. */
  readonly preferred: "a" | "b" | "tie";
  readonly wrongA: number;
  readonly wrongB: number;
  readonly style: string;
  readonly subject: string;
}

/** The pairs of a run whose pictures were both painted and counted. */
export interface PreferencePairs {
  readonly rows: readonly PreferenceRow[];
  /** How many other pairs there are. */
  readonly unscored: number;
}

/** Reads the pairs of a run with their labels. */
export async function preferenceRows(records: Records): Promise<PreferencePairs> {
  const wrong = new Map<Key, number>();
  for await (const score of records.ofType("score")) {
    if (score.status === "done" && score.metric === "fault-count") wrong.set(score.of, score.value);
  }
  const pictures = new Map<string, DoneRecord<"image">>();
  for await (const image of records.ofType("image")) {
    if (image.status === "done") pictures.set(`${image.prompt} ${image.role}`, image);
  }
  const rows: PreferenceRow[] = [];
  let unscored = 0;
  for await (const pair of records.ofType("pair")) {
    const [a, b] = [pictures.get(`${pair.key} a`), pictures.get(`${pair.key} b`)];
    const [wrongA, wrongB] = [a && wrong.get(a.key), b && wrong.get(b.key)];
    if (pair.status !== "done" || !a || !b || wrongA === undefined || wrongB === undefined) {
      unscored++;
      continue;
    }
    rows.push({
      id: pair.key,
      caption: pair.caption,
      imageA: a.image,
      imageB: b.image,
      preferred: wrongA === wrongB ? "tie" : wrongA < wrongB ? "a" : "b",
      wrongA,
      wrongB,
      style: pair.style,
      subject: pair.subject,
    });
  }
  return { rows, unscored };
}
