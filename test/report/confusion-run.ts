import { labPainter } from "../../packages/lab/src/painter/lab-painter.js";
import { attributeTruth } from "../../packages/lab/src/truth/attribute-truth.js";
import {
  buildDescriptions,
  paintDescriptions,
} from "../../src/benchmarks/attribute-confusion/build-descriptions.js";
import {
  checkAttributes,
  scoreDescriptions,
} from "../../src/benchmarks/attribute-confusion/score-descriptions.js";
import { openStore } from "../../src/files/open-store.js";
import { localizationStrategies } from "../../src/images/localize.js";
import { openPicture } from "../../src/images/picture.js";
import { blipVqa } from "../../src/metrics/blip-vqa.js";
import { clipScore } from "../../src/metrics/clip-score.js";
import { localizedVqaScore } from "../../src/metrics/localized-vqa-score.js";
import { vqaScore } from "../../src/metrics/vqa-score.js";
import { runSteps } from "../../src/runs/run-steps.js";
import { madeOnce } from "../support/made-once.js";
import { TruthfulModels } from "../support/truthful-models.js";

interface ConfusionOptions {
  readonly count: number;
  readonly painters: readonly string[];
  readonly isReferenced?: boolean;
}

/** An attribute confusion run of real paintings, judged by stand-ins for trained models. */
export const makeConfusionRun = (directory: string, options: ConfusionOptions): Promise<void> =>
  madeOnce(`confusion ${JSON.stringify(options)}`, directory, (into) =>
    confusionRun(into, options),
  );

async function confusionRun(
  directory: string,
  { count, painters, isReferenced = true }: ConfusionOptions,
): Promise<void> {
  const folder = await openStore(directory, {
    create: { command: "touchstone build", seed: 3, software: "touchstone-t2i 0.0.0" },
  });
  const models = new TruthfulModels();
  const good = models.answerer("answerer", { error: 0.04, confusion: 0.4 });
  const poor = models.answerer("poor-answerer", { error: 0.2, confusion: 0.6 });
  const localizer = models.localizer("localiser", { missing: 0.05 });
  const poorLocalizer = models.localizer("poor-localiser", { missing: 0.5 });
  await runSteps({
    run: folder,
    steps: [
      buildDescriptions({ seed: 3, count }),
      ...paintDescriptions({
        generators: painters.map((name) => models.remembering(labPainter({ name }))),
        seed: 3,
      }),
      ...(isReferenced ? [checkAttributes({ truth: attributeTruth })] : []),
      ...scoreDescriptions({
        metrics: [
          clipScore({ model: models.encoder("encoder") }),
          vqaScore({ model: good }),
          blipVqa({ model: good }),
          ...localizationStrategies.map((strategy) =>
            localizedVqaScore({ model: good, localizer, strategy }),
          ),
          localizedVqaScore({ model: poor, localizer }),
          localizedVqaScore({ model: good, localizer: poorLocalizer }),
        ],
      }),
    ],
    concurrency: 4,
    signal: new AbortController().signal,
    openPicture,
  });
}
