import { outsideArguments } from "../../command-line/allow-outside.js";
import { argumentWords } from "../../command-line/argument-words.js";

/** What a command line of calibrate says, as far as it is needed to give it again. */
interface GivenWords {
  readonly labels: string;
  readonly model: string | undefined;
  readonly task: string | undefined;
  readonly pool: string | undefined;
  readonly within: number | undefined;
  readonly prompts: number | undefined;
  readonly embedder: string | undefined;
  readonly clusters: string;
  readonly temperature: number | undefined;
  readonly objective: string;
  readonly lambda: number | undefined;
  readonly certify: string;
  readonly "fit-labels": number | undefined;
  readonly "every-label": boolean;
  readonly ties: boolean;
  readonly samples: number | undefined;
  readonly images: string | undefined;
  readonly "allow-outside": boolean;
  readonly add: readonly string[];
  readonly map: readonly string[];
  readonly seed: number;
}

/**
 * The words after `calibrate` that fit the same judge again, but for what is promised of it and where
 * it is kept: what was given, without what is the default anyway.
 */
export function fittingWords(given: GivenWords): string[] {
  const value = (name: string, said: string | number | undefined, usual?: string | number) =>
    said === undefined || said === usual ? [] : [`--${name}`, String(said)];
  return [
    given.labels,
    ...value("model", given.model),
    ...value("task", given.task),
    ...value("pool", given.pool),
    ...value("within", given.within),
    ...value("prompts", given.prompts),
    ...value("embedder", given.embedder),
    ...value("clusters", given.clusters, "auto"),
    ...value("temperature", given.temperature),
    ...value("objective", given.objective, "auto"),
    ...value("lambda", given.lambda),
    ...value("certify", given.certify, "split"),
    ...value("fit-labels", given["fit-labels"]),
    ...(given["every-label"] ? ["--every-label"] : []),
    ...(given.ties ? ["--ties"] : []),
    ...value("samples", given.samples),
    ...value("images", given.images),
    ...argumentWords(outsideArguments, given),
    ...given.map.flatMap((pair) => ["--map", pair]),
    ...value("seed", given.seed, 0),
    ...given.add.flatMap((file) => ["--add", file]),
  ];
}

/** The words that promise so much. */
export const promiseWords = ({
  target,
  confidence,
}: {
  readonly target: number;
  readonly confidence: number;
}): string[] => [
  ...["--target-error", String(target)],
  ...(confidence === 0.95 ? [] : ["--confidence", String(confidence)]),
];
