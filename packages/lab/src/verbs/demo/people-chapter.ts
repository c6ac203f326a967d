import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { agreement } from "touchstone-t2i/internal/analysis/agreement/agreement.js";
import { contrastive } from "touchstone-t2i/internal/analysis/pairs/contrastive.js";
import { shellWords } from "touchstone-t2i/internal/cli/command-line/shell-words.js";
import type { JourneyStep } from "touchstone-t2i/internal/cli/terminal/journey.js";
import { writeReport } from "touchstone-t2i/internal/cli/verbs/run/written-report.js";
import { agreementFigure } from "touchstone-t2i/internal/conclusions/agreement/figure.js";
import { agreementView } from "touchstone-t2i/internal/conclusions/agreement/view.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { openStore, runPlace } from "touchstone-t2i/internal/files/open-store.js";
import { conclusionPage } from "touchstone-t2i/internal/report/pages/conclusion-page.js";
import { exclusionSchema } from "touchstone-t2i/internal/studies/config/study-config.js";
import { studyConfigSchema } from "touchstone-t2i/internal/studies/config/study-schema.js";
import { createStudy } from "touchstone-t2i/internal/studies/create-study.js";
import {
  createStudyFolder,
  openStudyFolder,
} from "touchstone-t2i/internal/studies/home/study-folder.js";
import { StudyImages } from "touchstone-t2i/internal/studies/home/study-images.js";
import { participantQuality } from "touchstone-t2i/internal/studies/quality/participant-quality.js";
import { studyApp } from "touchstone-t2i/internal/studies/server/study-app.js";
import { StudyService } from "touchstone-t2i/internal/studies/server/study-service.js";
import type { StudyItem } from "touchstone-t2i/internal/studies/study.js";
import { collect } from "touchstone-t2i/internal/studies/tables/counted-answers.js";
import { exportTable } from "touchstone-t2i/internal/studies/tables/export-table.js";
import {
  estimateText,
  percentText,
  pluralText,
} from "touchstone-t2i/internal/views/number-text.js";
import {
  as,
  countColumn,
  percentColumn,
  said,
  textColumn,
  type ViewTable,
} from "touchstone-t2i/internal/views/view.js";
import { z } from "zod";
import { loadLabData } from "../../package-file.js";
import { errorAt, knownAnswers, takePart } from "../../people/simulated-person.js";
import { type ChapterOptions, concluding } from "./collect-chapter.js";

const rate = z.number().min(0).max(1);
const level = z.int().min(1).max(4);
const bySide = z.strictObject({ shown: level, "not-shown": level });
const size = z.strictObject({ pairs: z.int().positive() });

const chapterSchema = z.strictObject({
  levels: z.strictObject({ correct: bySide, adversarial: bySide }),
  people: z
    .array(
      z.strictObject({
        error: rate,
        fatigue: rate,
        seconds: z.number().positive(),
        straightLinesFrom: z.int().nonnegative().optional(),
      }),
    )
    .min(2),
  exclude: z.array(exclusionSchema),
  sizes: z.strictObject({ small: size, medium: size, full: size }),
});

const rating: JourneyStep = { id: "people", title: "Simulated people rate pictures", cost: 30 };

export const peopleOutline = (): readonly JourneyStep[] => [rating];

/** Who simulated people are, and what they answered. */
interface Rated {
  readonly table: ReturnType<typeof exportTable>;
  readonly pairs: ReturnType<typeof exportTable>;
  /** By the name of the simulated person. */
  readonly found: ReadonlyMap<
    string,
    { readonly wrong: number; readonly flags: readonly string[] }
  >;
}

/**
 * Simulated people rate triplets of the demo, as `data/demo-people.yaml` has it, over the interface of
 * a real study; how they agree and err is held against what was put in.
 */
export async function peopleChapter(options: ChapterOptions): Promise<readonly string[]> {
  const { run, seed, environment, output, journey } = options;
  const chapter = loadLabData("demo-people.yaml", chapterSchema);
  journey?.begin(rating.id);
  output.progress(`${rating.title} …`);
  const rated = await ratedByPeople(options, chapter);
  const concluded = concluding(options);
  const rows = rated.table.map(({ item, annotator, value }) => ({
    item: String(item),
    annotator: String(annotator),
    value: String(value),
  }));
  const conclusion = agreement(rows, { scale: "ordinal", categories: ["1", "2", "3", "4"], seed });
  const people = contrastive(
    rated.pairs.map(({ id, metric, domain, prompt, correct, adversarial }) => ({
      id: String(id),
      metric: String(metric),
      domain: String(domain),
      prompt: String(prompt),
      correct: typeof correct === "number" ? correct : null,
      adversarial: typeof adversarial === "number" ? adversarial : null,
    })),
    { seed },
  ).metrics.people?.overall;
  const view = agreementView(conclusion);
  const verdict = view.verdict.replace("annotators", "simulated annotators");
  const failures =
    people === undefined
      ? []
      : [
          `Their mean ratings prefer the wrong image, or tie, in ${percentText(people.failureRate)} % of ` +
            `${pluralText(people.n, "triplet")}.`,
        ];
  const flagged = [...rated.found].flatMap(([name, { flags }]) => (flags.length > 0 ? [name] : []));
  const careful = agreement(
    rows.filter(({ annotator }) => !flagged.includes(annotator)),
    { scale: "ordinal", categories: ["1", "2", "3", "4"], seed },
  );
  const flags =
    flagged.length === 0
      ? "The rules of exclusion name nobody."
      : `The rules of exclusion name ${flagged.join(", ")}; without them alpha is ` +
        `${estimateText(careful.intervalsOf.krippendorffAlpha)}.`;
  const page = () =>
    conclusionPage(
      { ...view, verdict, findings: [...failures, flags] },
      {
        title: "Simulated people rate images",
        command: shellWords(["touchstone", ...options.command]),
        figure: agreementFigure(conclusion),
        notice,
        chapters: [
          {
            id: "put-in",
            title: "What was put in, and what was found",
            parts: [habits(chapter, rated)],
          },
        ],
        isFromLab: true,
      },
    );
  const written = await writeReport({ verdict: [verdict], page }, { run, environment });
  concluded();
  return written.verdict;
}

type Chapter = z.output<typeof chapterSchema>;

const notice = said`${as("strong", "Nobody was asked.")} These people are simulated, so this says nothing about people.`;

const nameOf = (place: number): string => `person ${place + 1}`;

/** Creates the study anew, so that a demo that was stopped leaves none half answered. */
async function ratedByPeople(
  { run, size, seed, environment, output, journey }: ChapterOptions,
  { levels, people, exclude, sizes }: Chapter,
): Promise<Rated> {
  const place = runPlace(run, environment);
  const main = dirname(place);
  const folder = join(place, "study");
  await rm(folder, { recursive: true, force: true });
  const shown = new Map<string, number>();
  for await (const score of (await openStore(main)).ofType("score")) {
    if (score.status === "done" && score.step.startsWith("check-truth@")) {
      shown.set(score.of, score.value);
    }
  }
  const settings = studyConfigSchema.parse({
    title: "Does the image show what the text says?",
    seed,
    open: true,
    consent: "Simulated people agree.",
    exclude,
    blocks: [
      {
        protocol: "rating",
        from: main,
        // Wrong pictures are among them: what simulated people say of these was put in.
        unfiltered: true,
        sample: 2 * sizes[size].pairs,
        ratingsPerItem: people.length,
      },
    ],
  });
  const images = new StudyImages(folder);
  const text = (words: string) => ({ version: "simulated", text: words });
  const study = await createStudy(
    {
      file: "data/demo-people.yaml",
      folder: resolve(main),
      settings,
      consent: text(settings.consent),
      debrief: undefined,
      lineOf: () => "",
    },
    { keep: (bytes) => images.write(bytes) },
  );
  await createStudyFolder(folder, study);
  const home = await openStudyFolder(folder);
  const service = await StudyService.open(home, { clock: () => environment.now().getTime() });
  const app = studyApp(service, { whoAsks: () => "simulated" });
  const rightLevel = ({ beside: { of, side } }: StudyItem): number => {
    const isShown = shown.get(String(of)) === 1 ? "shown" : "not-shown";
    return levels[side === "correct" ? "correct" : "adversarial"][isShown];
  };
  const recognise = knownAnswers(home.study, (item) => ({ value: rightLevel(item) }));
  const names = new Map<string, string>();
  for (const [at, habits] of people.entries()) {
    output.progress(`${rating.title}: ${nameOf(at)} of ${people.length} …`);
    const { participant } = await takePart((request) => app.fetch(request), {
      id: nameOf(at),
      habits: { skips: 0, ...habits },
      random: randomFrom(seed, "simulated person", at),
      recognise,
    });
    names.set(participant, nameOf(at));
    journey?.reach((at + 1) / people.length);
  }
  const collected = await collect(home);
  // Pseudonyms are random bits; a report by the same seed must be the same.
  const answers = collected.answers.map((answer) => ({
    ...answer,
    participant: names.get(answer.participant) ?? answer.participant,
  }));
  const quality = participantQuality(home.study, answers);
  const ofItems = { answers, block: "rating" } as const;
  return {
    table: exportTable(home.study, { ...ofItems, table: "agreement" }),
    pairs: exportTable(home.study, { ...ofItems, table: "contrastive" }),
    found: new Map(
      quality.map(({ participant, excludedBy }) => {
        const own = answers.filter((answer) => answer.participant === participant);
        const wrong = own.filter(({ item, answer }) => answer?.value !== rightLevel(item)).length;
        return [participant, { wrong: wrong / own.length, flags: excludedBy }];
      }),
    ),
  };
}

/** Each simulated person's rate of errors as it was put in, and as it came out. */
function habits({ people }: Chapter, { found, table }: Rated): ViewTable {
  const items = new Set(table.map(({ item }) => item)).size;
  return {
    title: "Simulated people",
    columns: [
      textColumn("who"),
      ...["errors put in (%)", "errors found (%)"].map((title) => percentColumn(title)),
      countColumn("straight-lines from image"),
      textColumn("excluded by"),
    ],
    rows: people.map((person, at) => {
      const rates = Array.from({ length: items }, (_, place) =>
        errorAt({ skips: 0, ...person }, place),
      );
      const own = found.get(nameOf(at));
      return [
        nameOf(at),
        rates.reduce((sum, each) => sum + each, 0) / Math.max(1, rates.length),
        own?.wrong ?? null,
        person.straightLinesFrom === undefined ? null : person.straightLinesFrom + 1,
        own?.flags.join(", ") || null,
      ];
    }),
    note: `They answer by the truth of the lab's pictures, with errors of known rates, over the interface that people's browsers use. Errors over ${items} images each: the rate that was put in (mean over their images), and the share that came out. Who straight-lines errs on top of it.`,
  };
}
