import { outcomeOf } from "../../analysis/pairs/pair-sums.js";
import type { TieOptions } from "../../analysis/pairs/score-ties.js";
import type { EvaluatedMetric, TripletRow } from "../../analysis/pairs/triplets.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import { openPicture } from "../../images/picture.js";
import { thumbnail } from "../../images/thumbnail.js";
import type { CardImage } from "../disagreement-gallery.js";
import type { ReportedRun, RunRecords } from "../run-records.js";
import {
  type CardCandidate,
  type CardGroup,
  chooseCards,
  type PairOutcome,
} from "./choose-cards.js";
import type { CardScore, PairCard, PrototypicalityReport } from "./conclusion.js";

const tripletPlaces: Readonly<Record<CardGroup, number>> = {
  disagree: 9,
  "all-fail": 5,
  "all-right": 4,
};

const controlPlaces: Readonly<Record<CardGroup, number>> = {
  disagree: 1,
  "all-fail": 1,
  "all-right": 1,
};

/** Chooses the pairs to show and reads their images. */
export async function readCards({
  records,
  metrics,
  rows,
  run,
  tieTolerance,
}: TieOptions & {
  readonly records: RunRecords;
  readonly metrics: readonly EvaluatedMetric[];
  readonly rows: readonly TripletRow[];
  readonly run: ReportedRun;
}): Promise<Pick<PrototypicalityReport, "cards" | "drawnTriplets">> {
  const { seed } = run.recipe;
  const candidates = candidatesOf(rows, metrics, tieTolerance);
  const of = (comparison: TripletRow["comparison"], places: typeof tripletPlaces) =>
    chooseCards({
      candidates: candidates.filter(({ pair }) => pair.comparison === comparison),
      places,
      seed,
    });
  const chosen = [
    ...of("contrastive", tripletPlaces),
    ...of("control-atypical", controlPlaces),
    ...of("control-typical", controlPlaces),
    ...of("reversed", controlPlaces),
  ];
  const read = cardReader(records, metrics, run);
  const cards: PairCard[] = [];
  for (const { group, candidate } of chosen) {
    const card = await read(group, candidate);
    if (card !== undefined) cards.push(card);
  }
  const triplets = candidates.filter(({ pair }) => pair.comparison === "contrastive");
  const drawn = chosen.filter(({ candidate }) => candidate.pair.comparison === "contrastive");
  return { cards, drawnTriplets: { cards: drawn.length, of: triplets.length } };
}

const hasTypicalCorrect = ({ comparison }: Pick<TripletRow, "comparison">) =>
  comparison === "control-typical" || comparison === "reversed";

const hasTypicalAdversarial = ({ comparison }: Pick<TripletRow, "comparison">) =>
  comparison === "control-typical" || comparison === "contrastive";

export interface Candidate extends CardCandidate {
  readonly pair: TripletRow;
}

/** The pairs that every metric scored, with each metric's outcome, in the order of `metrics`. */
function candidatesOf(
  rows: readonly TripletRow[],
  metrics: readonly EvaluatedMetric[],
  tieTolerance: number | undefined,
): Candidate[] {
  const byPair = new Map<string, { pair: TripletRow; outcomes: Map<string, PairOutcome> }>();
  const directions = new Map(metrics.map(({ id, direction }) => [id, direction]));
  for (const row of rows) {
    const entry = byPair.get(row.id) ?? { pair: row, outcomes: new Map() };
    byPair.set(row.id, entry);
    const direction = directions.get(row.metric) ?? "higher";
    entry.outcomes.set(row.metric, outcome(row, { direction, tieTolerance }));
  }
  return [...byPair.values()].map(({ pair, outcomes }) => ({
    pair,
    prompt: pair.prompt,
    domain: pair.domain,
    knob: pair.knob,
    outcomes: metrics.map(({ id }) => outcomes.get(id) ?? "unscored"),
  }));
}

function outcome(
  { correct, adversarial }: TripletRow,
  rule: Parameters<typeof outcomeOf>[2],
): PairOutcome {
  if (correct === null || adversarial === null) return "unscored";
  const found = outcomeOf(correct, adversarial, rule);
  return found === "pass" ? "right" : found === "fail" ? "wrong" : "tie";
}

function cardReader(
  { prompts, images, scores }: RunRecords,
  metrics: readonly EvaluatedMetric[],
  { blobs }: ReportedRun,
) {
  const promptOf = new Map(prompts.map((prompt) => [prompt.key, prompt]));
  const imageOf = new Map(images.map((image) => [image.key, image]));
  const scoreOf = new Map(
    scores
      .filter(({ trial }) => trial === 0)
      .map((score) => [
        `${score.of} ${identityOf(score, score.metricVersion)} ${score.text}`,
        score,
      ]),
  );

  const readImage = async (image: DoneRecord<"image">): Promise<CardImage> => {
    const picture = await openPicture(await blobs.read(image.image), image.image);
    return { key: image.key, text: image.text, ...(await thumbnail(picture)) };
  };

  return async (group: CardGroup, { pair, outcomes }: Candidate): Promise<PairCard | undefined> => {
    const prompt = promptOf.get(pair.prompt);
    const correct = imageOf.get(pair.images.correct);
    const adversarial = imageOf.get(pair.images.adversarial);
    if (prompt?.status !== "done" || correct?.status !== "done") return undefined;
    if (adversarial?.status !== "done") return undefined;
    const cardScore = (metric: EvaluatedMetric, image: RecordOf<"image">): CardScore => {
      const key = `${image.key} ${identityOf(metric, metric.version)} ${pair.text}`;
      const score = scoreOf.get(key);
      if (score === undefined) return { value: null };
      return score.status === "done"
        ? { key: score.key, value: score.value }
        : { key: score.key, value: null, reason: score.reason };
    };
    const { nonPrototype, prototype, knob, right, wrong, extra } = prompt;
    return {
      comparison: pair.comparison,
      group,
      prompt: prompt.key,
      text: pair.text,
      domain: pair.domain,
      knob,
      right,
      wrong,
      extra,
      members: [
        hasTypicalCorrect(pair) ? prototype : nonPrototype,
        hasTypicalAdversarial(pair) ? prototype : nonPrototype,
      ],
      correct: await readImage(correct),
      adversarial: await readImage(adversarial),
      scores: metrics.map((metric, at) => ({
        metric: metric.id,
        outcome: outcomes[at] ?? "unscored",
        correct: cardScore(metric, correct),
        adversarial: cardScore(metric, adversarial),
      })),
    };
  };
}

/** Identifies a metric of a run the same way in records and in conclusions. */
function identityOf(
  {
    metric,
    model,
    baseUrl = "",
    convention = "",
    template = "",
  }: {
    readonly metric: string;
    readonly model: string;
    readonly baseUrl?: string | undefined;
    readonly convention?: string | undefined;
    readonly template?: string | undefined;
  },
  version: number,
): string {
  return JSON.stringify([metric, version, model, baseUrl, convention, template]);
}
