import { z } from "zod";
import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { Key } from "../../core/keys.js";
import type { MetricScore } from "../../core/metric.js";
import { peopleModel, peopleName } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import type { Records, Step } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import type { BlockSettings } from "../config/study-config.js";
import type { Study, StudyBlock, StudyItem } from "../study.js";

export interface PeopleStepOptions {
  readonly study: Study;
  readonly block: StudyBlock;
  readonly metric: PeopleMetric;
  /** Names the step: that of metrics, or of the reference where people are one. */
  readonly name: "score-images" | "check-attributes";
  /** The answers that count, by the key of the image's record. */
  readonly answersTo: (image: string) => readonly PersonAnswer[];
}

/**
 * The step in which people score the images of a run by a study. A record holds each answer under the
 * participant's pseudonym; when the answers change it is made again.
 */
export function peopleStep({
  study,
  block,
  metric,
  name,
  answersTo,
}: PeopleStepOptions): Step<"score"> {
  const itemsOf = new Map<string, Map<string, StudyItem>>();
  for (const item of block.items) {
    const { of } = item.beside;
    if (typeof of !== "string") continue;
    const own = itemsOf.get(of) ?? new Map<string, StudyItem>();
    itemsOf.set(of, own.set(item.id, item));
  }
  const [low, high] = metric.range(block.settings);
  const facts = {
    metric: peopleName,
    metricVersion: 1,
    convention: block.name,
    statistic: metric.statistic,
    model: peopleModel(study.id),
    range: [low, high] as [number, number],
    direction: "higher" as const,
  };
  const scoreOf = (of: string): MetricScore | undefined => {
    const people = inOrder(answersTo(of));
    const items = itemsOf.get(of);
    const score = metric.score(
      people.flatMap(({ item: id, value }) => {
        const item = items?.get(id);
        return item === undefined ? [] : [{ item, value }];
      }),
      block.settings,
    );
    const answers = people.map((answer): JsonObject => ({ ...answer }));
    return score && { value: score.value, details: { ...score.details, people: answers } };
  };
  return {
    name,
    part: `${peopleName}-${block.name}-${study.id}`,
    version: 1,
    produces: "score",
    parameters: { ...facts, study: study.id, block: block.name },
    async *plan(records) {
      const texts = await textsOf(records);
      for await (const image of records.ofType("image")) {
        const text = texts.get(image.prompt);
        if (image.status !== "done" || text === undefined || !itemsOf.has(image.key)) continue;
        yield { of: image.key, image: image.image, ...text, ...facts, trial: 0 };
      }
    },
    async perform({ of }) {
      const score = scoreOf(of);
      if (score === undefined) throw new NoAnswer("not-applicable", "Nobody has answered yet");
      return score;
    },
    holds(record) {
      const kept = record.status === "done" ? record.details : undefined;
      return canonicalJson(kept ?? null) === canonicalJson(scoreOf(record.of)?.details ?? null);
    },
  };
}

const inOrder = (answers: readonly PersonAnswer[]): readonly PersonAnswer[] =>
  [...answers].sort((a, b) =>
    a.annotator === b.annotator ? (a.item < b.item ? -1 : 1) : a.annotator < b.annotator ? -1 : 1,
  );

/** Texts that images are held against, by what they were made from. */
async function textsOf(
  records: Records,
): Promise<Map<Key, { readonly text: string; readonly structure?: DescribedEntities }>> {
  const texts = new Map<Key, { text: string; structure?: DescribedEntities }>();
  for await (const prompt of records.ofType("prompt")) {
    if (prompt.status === "done") texts.set(prompt.key, { text: prompt.text });
  }
  for await (const one of records.ofType("description")) {
    if (one.status === "done") texts.set(one.key, { text: one.text, structure: one.entities });
  }
  return texts;
}

type DescribedEntities = RecordOf<"description">["entities"];

/** One person's answer to one item, as a run keeps it. */
const personAnswer = z.object({
  annotator: z.string(),
  item: z.string(),
  value: z.union([z.string(), z.number()]),
});
export type PersonAnswer = z.output<typeof personAnswer>;

const detailsSchema = z.object({ people: z.array(personAnswer) });

/** Reads the answers of people that a score was made from; empty for scores of models. */
export function peopleBehind(details: JsonObject | undefined): readonly PersonAnswer[] {
  const found = detailsSchema.safeParse(details);
  return found.success ? found.data.people : [];
}

/** An answer that counts, with its item. */
export interface ItemValue {
  readonly item: StudyItem;
  readonly value: string | number;
}

/** How the answers of a protocol become a score of an image. */
export interface PeopleMetric {
  readonly statistic: string;
  range(settings: BlockSettings): readonly [low: number, high: number];
  /** The score of one image; undefined where these answers give none. */
  score(
    answers: readonly ItemValue[],
    settings: BlockSettings,
  ): { readonly value: number; readonly details?: JsonObject } | undefined;
}

/**
 * Returns a record fit for publication: a score by people keeps the answers without the pseudonyms, sorted so
 * that their order tells nothing. Other records stay as they are.
 */
export function withoutPseudonyms(record: unknown): unknown {
  if (typeof record !== "object" || record === null || !("details" in record)) return record;
  const details = record.details as JsonObject | undefined;
  const people = peopleBehind(details);
  if (people.length === 0) return record;
  const answers = people
    .map(({ item, value }) => ({ item, value }))
    .sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  return { ...record, details: { ...details, people: answers } };
}
