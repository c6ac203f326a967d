import { imagePairs, selector, tripletOf } from "../../../analysis/pairs/image-pairs.js";
import { retention } from "../../../analysis/pairs/retention.js";
import { masksOf } from "../../../benchmarks/attribute-confusion/read-strips.js";
import {
  readCountedRecords,
  readExcluded,
  refuseNothingKept,
  runFilter,
} from "../../../benchmarks/prototypicality/run-filter.js";
import { blindName } from "../../../benchmarks/stereotypes/labelling-sheet-of-run.js";
import { loadRubrics } from "../../../benchmarks/stereotypes/rubrics.js";
import { InputError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import type { Hash } from "../../../core/keys.js";
import { modelsOf } from "../../../core/metric.js";
import { type Mask, modelName, placed } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { DoneRecord, RecordOf, RecordType } from "../../../core/records.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { givenMasks } from "../../../models/masks/masks.js";
import type { FilterShare } from "../../study.js";
import type { FoundEntity, ImageSource, JudgedSet, SourceImage } from "./image-source.js";

/** Record that an image may be made from. */
type Subject = DoneRecord<"prompt" | "description" | "query" | "refinement" | "pair">;

/**
 * Reads the images of a run with their texts, without those that people are not asked about: controls,
 * degraded copies, halves of pairs, triplets excluded by hand, and pairs that the run's filter dropped.
 *
 * @param options.unfiltered keeps the pairs that the filter dropped
 * @param options.finder says where the entities of images are
 * @throws InputError where an image is in no file.
 */
export async function runSource(
  run: RecordStore,
  {
    name,
    unfiltered,
    finder,
  }: {
    readonly name: string;
    readonly unfiltered: boolean;
    readonly finder?: EntityFinder | undefined;
  },
): Promise<ImageSource> {
  const subjects = new Map<string, Subject>();
  for (const type of ["prompt", "description", "query", "refinement", "pair"] as const) {
    for await (const record of doneOf(run, type)) subjects.set(record.key, record);
  }
  const images: SourceImage[] = [];
  const paths = new Map<Hash, string>();
  for await (const record of doneOf(run, "image")) {
    const subject = subjects.get(record.prompt);
    const about = subject && aboutImage(record, { subject, subjects });
    if (about === undefined) continue;
    const path = await run.blobs.addressOf(record.image);
    if (path === undefined) {
      throw new InputError(
        `Expected the image ${record.image} of ${name} in a file but it has none`,
      );
    }
    paths.set(record.image, path);
    images.push({
      ...about,
      id: record.key,
      path,
      model: placed(record),
      sample: record.sample,
      findEntity: (entity) => finder?.({ key: record.key, path, entity }),
      beside: { ...about.beside, of: record.key, prompt: about.prompt, model: placed(record) },
    });
  }
  const sides = new Map<string, number>();
  for (const { pair } of images) {
    if (pair !== undefined) sides.set(pair.id, (sides.get(pair.id) ?? 0) + 1);
  }
  const hasTriplets = [...subjects.values()].some(({ type }) => type === "prompt");
  const filter = hasTriplets ? await pairFilter(run, { unfiltered }) : undefined;
  const excluded = hasTriplets ? await readExcluded(run) : new Map();
  const isAsked = (pair: string) =>
    sides.get(pair) === 2 &&
    !excluded.has(pair) &&
    (unfiltered || filter?.kept.has(pair) !== false);
  return {
    name,
    images: images.filter(({ pair }) => pair === undefined || isAsked(pair.id)),
    judged: await judgedSets(run, paths),
    filter: filter?.share,
  };
}

async function* doneOf<Type extends RecordType>(
  run: RecordStore,
  type: Type,
): AsyncGenerator<DoneRecord<Type>> {
  for await (const record of run.ofType(type)) if (isDone(record)) yield record;
}

const isDone = <Type extends RecordType>(record: RecordOf<Type>): record is DoneRecord<Type> =>
  record.status === "done";

type About = Pick<SourceImage, "text" | "prompt" | "pair" | "phase" | "entities" | "beside">;

function aboutImage(
  { role, prompt, sample, model }: DoneRecord<"image">,
  { subject, subjects }: { subject: Subject; subjects: ReadonlyMap<string, Subject> },
): About | undefined {
  switch (subject.type) {
    case "prompt": {
      if (role !== "correct" && role !== "adversarial") return undefined;
      const { text, domain, category, knob } = subject;
      const id = `${prompt}/${sample}`;
      const pair = { id, side: role === "correct" ? "a" : "b", name: role } as const;
      return { text, prompt, pair, beside: { pair: id, side: role, domain, category, knob } };
    }
    case "description": {
      const { text, set, entities } = subject;
      return { text, prompt, entities, beside: { domain: set } };
    }
    case "query":
      return aboutQuery(subject, "initial");
    case "refinement": {
      const query = subjects.get(subject.query);
      return query?.type === "query" ? aboutQuery(query, "refined") : undefined;
    }
    case "pair": {
      if (role !== "a" && role !== "b") return undefined;
      const { caption, subject: domain } = subject;
      const pair = { id: prompt, side: role, name: model };
      return { text: caption, prompt, pair, beside: { pair: prompt, domain } };
    }
  }
}

const aboutQuery = (
  { key, text, category }: DoneRecord<"query">,
  phase: "initial" | "refined",
): About => ({ text, prompt: key, phase, beside: { query: text, category, phase } });

/** Each item of the rubric of each set, with the judge's answer in its first trial. */
async function judgedSets(
  run: RecordStore,
  paths: ReadonlyMap<Hash, string>,
): Promise<readonly JudgedSet[]> {
  const rubrics = loadRubrics();
  const sets: JudgedSet[] = [];
  for await (const audit of doneOf(run, "audit")) {
    if (audit.trial !== 0) continue;
    const { category, phase, text: query, generator, generatorBaseUrl: baseUrl, set } = audit;
    const images = audit.images.flatMap((image) => paths.get(image) ?? []);
    const model = placed({ model: generator, ...(baseUrl === undefined ? {} : { baseUrl }) });
    const id = blindName(audit);
    for (const item of audit.items) {
      const known = rubrics.get(audit.rubric)?.items.find((one) => one.item === item);
      const answer = audit.answers.find((one) => one.item === item);
      const beside: JsonObject = {
        set: id,
        of: audit.key,
        category,
        model,
        phase,
        imageSet: String(set),
        present: answer?.status === "answered" ? answer.present : null,
      };
      sets.push({
        id: `${id}/${item}`,
        query,
        item,
        definition: known === undefined ? item : `${known.asks} ${known.definition}`.trim(),
        examples: known?.present ? `Yes: ${known.present} No: ${known.absent}` : "",
        images,
        beside,
      });
    }
  }
  return sets;
}

/** Which pairs of correct and adversarial images a run's filter kept. */
interface PairFilter {
  readonly share: FilterShare;
  /** Ids of the pairs that it kept, as `prompt/sample`. */
  readonly kept: ReadonlySet<string>;
}

/**
 * Reads which pairs passed the filter of a run of triplets, by the rule of its report.
 *
 * @returns undefined where the run has no filter
 * @throws IncompleteError where it kept none and people would be asked about the kept alone
 */
async function pairFilter(
  run: RecordStore,
  { unfiltered }: { readonly unfiltered: boolean },
): Promise<PairFilter | undefined> {
  const records = await readCountedRecords(run);
  const filter = runFilter(records, run.recipe);
  if (filter === undefined) return undefined;
  const { selection, description } = filter;
  const count = retention({ ...records, selection, intervals: { resamples: 1 } });
  if (!unfiltered) {
    const hint = "To ask people about all pairs: touchstone study create CONFIG --unfiltered";
    refuseNothingKept(count, { description, hint });
  }
  const whyNot = selector(selection, records.scores);
  const kept = imagePairs(records).flatMap((pair) =>
    pair.comparison === "contrastive" && whyNot(pair) === undefined
      ? [tripletOf({ prompt: pair.prompt.key, sample: pair.sample })]
      : [],
  );
  return {
    share: { kept: count.overall.kept, of: count.overall.pairs, description, unfiltered },
    kept: new Set(kept),
  };
}

/** Says where an entity of a run's image is; undefined where nobody said. */
type EntityFinder = (asked: {
  /** Of the image's record. */
  readonly key: string;
  readonly path: string;
  readonly entity: string;
}) => FoundEntity | undefined;

/**
 * Masks from a folder or table, as `masks:DIR` reads them.
 *
 * @throws InputError where there are none
 */
export async function findByMasks(path: string): Promise<EntityFinder> {
  const localizer = await givenMasks(path);
  const localizers = [modelName(localizer.identity), ...localizer.foundBy];
  return ({ path: image, entity }) => ({
    mask: async () => localizer.localize(await openPictureFile(image), entity),
    localizers,
  });
}

/** Masks that the localisers of the run's own metrics gave, of each image those of the first metric. */
export async function findByRun(run: RecordStore): Promise<EntityFinder> {
  const byScore = await masksOf(run);
  const byImage = new Map<string, { masks: ReadonlyMap<string, Mask>; localizers: string[] }>();
  for await (const score of run.ofType("score")) {
    const masks = byScore.get(score.key);
    if (masks === undefined || byImage.has(score.of)) continue;
    const [answerer, localizer = answerer] = modelsOf(score).models.map(({ model }) => model);
    byImage.set(score.of, { masks, localizers: localizer === undefined ? [] : [localizer] });
  }
  return ({ key, entity }) => {
    const found = byImage.get(key);
    const mask = found?.masks.get(entity);
    return found && mask && { mask: async () => mask, localizers: found.localizers };
  };
}
