import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { evaluatedModelNames, type LabModelName } from "../models/lab-model.js";
import type { ModelEvaluation } from "./evaluate-model.js";

/** An aim of the lab's models, and whether they reach it. */
export interface AimFinding {
  /** Such as "mean IoU". */
  readonly figure: string;
  readonly model: LabModelName | "all";
  readonly aim: { readonly least: number } | { readonly most: number };
  readonly unit: "share" | "ms" | "IoU" | "MB";
  readonly n: number;
  readonly estimate: Estimate;
  /** By the whole interval, or by the value where there is none; undecided where the interval holds the aim. */
  readonly outcome: "reached" | "missed" | "undecided";
}

const aims = {
  answers: { least: 0.9 },
  /** Share of right answers to the type of question that is answered worst. */
  answersOfAType: { least: 0.8 },
  swapFailures: { most: 0.15 },
  meanIoU: { least: 0.75 },
  millisecondsAnImage: { most: 10 },
  /** Size of all models of the package together; a MB is 10^6 bytes. */
  megabytes: { most: 26 },
} as const;

/** Returns the aims of every model's kind; that of the whole package where every model is there. */
export function judgeAims(models: readonly ModelEvaluation[]): AimFinding[] {
  const isWhole = evaluatedModelNames.every((name) => models.some((model) => model.name === name));
  return [
    ...models.flatMap((model) => [...ofItsKind(model), timeOf(model)]),
    ...(isWhole ? [sizeOf(models)] : []),
  ];
}

function ofItsKind(model: ModelEvaluation): AimFinding[] {
  switch (model.kind) {
    case "question-answerer":
      return ofAnswers(model);
    case "localizer": {
      const { overall } = model.overlap;
      const about = { model: model.name, unit: "IoU", figure: "mean IoU" } as const;
      return [finding({ ...about, aim: aims.meanIoU }, overall.n, overall)];
    }
    default:
      return [];
  }
}

function ofAnswers({
  name: model,
  accuracy: { overall, types },
  swaps: { failures },
}: Extract<ModelEvaluation, { kind: "question-answerer" }>): AimFinding[] {
  // A type without any answer comes first: nothing shows that it reaches the aim.
  const [worst] = Object.entries(types).sort(([, a], [, b]) => (a.value ?? -1) - (b.value ?? -1));
  const [type = "none", ofType = overall] = worst ?? [];
  const figures = [
    { figure: "right answers", aim: aims.answers, share: overall },
    {
      figure: `right answers, lowest type: ${type}`,
      aim: aims.answersOfAType,
      share: ofType,
    },
    { figure: "swapped attributes preferred", aim: aims.swapFailures, share: failures },
  ];
  return figures
    .filter(({ share }) => share.n + share.unscored > 0)
    .map(({ figure, aim, share }) =>
      finding({ model, unit: "share", figure, aim }, share.n, share),
    );
}

function timeOf({ name: model, milliseconds: { image } }: ModelEvaluation): AimFinding {
  const about = { model, unit: "ms", figure: "an image, median" } as const;
  const estimate = { value: image.median, low: null, high: null };
  return finding({ ...about, aim: aims.millisecondsAnImage }, image.n, estimate);
}

function sizeOf(models: readonly ModelEvaluation[]): AimFinding {
  const about = { model: "all", unit: "MB", figure: "weights together" } as const;
  const value = models.reduce((sum, { bytes }) => sum + bytes.total, 0) / 1e6;
  return finding({ ...about, aim: aims.megabytes }, models.length, {
    value,
    low: null,
    high: null,
  });
}

function finding(
  about: Pick<AimFinding, "figure" | "model" | "aim" | "unit">,
  n: number,
  { value, low, high }: Estimate,
): AimFinding {
  const estimate = { value, low, high };
  const [worst, best] =
    "least" in about.aim ? [low ?? value, high ?? value] : [high ?? value, low ?? value];
  const meets = (end: number | null) =>
    end !== null && ("least" in about.aim ? end >= about.aim.least : end <= about.aim.most);
  const outcome = meets(worst)
    ? "reached"
    : value !== null && !meets(best)
      ? "missed"
      : "undecided";
  return { ...about, n, estimate, outcome };
}
