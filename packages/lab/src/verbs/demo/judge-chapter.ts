import { join, resolve } from "node:path";
import {
  type EnsembleConclusion,
  ensemble,
} from "touchstone-t2i/internal/analysis/ensemble/ensemble.js";
import type { EnsembleRow } from "touchstone-t2i/internal/analysis/ensemble/ensemble-rows.js";
import { shellWords } from "touchstone-t2i/internal/cli/command-line/shell-words.js";
import type { JourneyStep } from "touchstone-t2i/internal/cli/terminal/journey.js";
import { outlineOf } from "touchstone-t2i/internal/cli/verbs/run/collect.js";
import { writeReport } from "touchstone-t2i/internal/cli/verbs/run/written-report.js";
import { ensembleFigure } from "touchstone-t2i/internal/conclusions/ensemble/figure.js";
import { ensembleView } from "touchstone-t2i/internal/conclusions/ensemble/view.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { partNamed } from "touchstone-t2i/internal/core/step.js";
import { writeFileAtomically } from "touchstone-t2i/internal/files/atomic.js";
import type { Thumbnail } from "touchstone-t2i/internal/images/thumbnail.js";
import { conclusionPage } from "touchstone-t2i/internal/report/pages/conclusion-page.js";
import { judgedPair } from "touchstone-t2i/internal/report/pages/pair-cards.js";
import { pluralText } from "touchstone-t2i/internal/views/number-text.js";
import type { Card } from "touchstone-t2i/internal/views/report.js";
import { z } from "zod";
import { type AnswerRow, experimentAnswers } from "../../experiments/ensemble/answers.js";
import { type ImageGroups, imageGroups } from "../../experiments/ensemble/image-groups.js";
import { imageGroupParts } from "../../experiments/ensemble/image-groups-page.js";
import { paperNoPreference } from "../../experiments/no-preference/no-preference.js";
import { loadLabData } from "../../package-file.js";
import { labPairs } from "../../preference-pairs.js";
import { embedding } from "../experiment/judge-lab-pairs.js";
import { labAnswers } from "../experiment/lab-answers.js";
import { labJudging } from "../experiment/lab-judging.js";
import { type ChapterOptions, concluding } from "./collect-chapter.js";

const judge = "lab:judge";

const count = z.int().positive();
const size = z.strictObject({ pairs: count });

const chapterSchema = z.strictObject({
  styles: z.array(z.string()).min(1),
  prompts: z.strictObject({ count, seed: z.int().nonnegative() }),
  labels: count,
  support: z.number().min(0).max(1),
  sizes: z.strictObject({ small: size, medium: size, full: size }),
});

/** All that the chapter does, in order. */
export const judgeOutline = (): readonly JourneyStep[] => [
  ...outlineOf([
    { name: "build-pairs", version: 1 },
    ...[...new Set(labPairs.painters)].map((name) => ({
      name: "paint-pairs",
      version: 1,
      part: partNamed([name]),
    })),
    { name: "count-faults", version: 1 },
    { name: "judge-pairs", version: 1, part: partNamed([judge]), asks: [judge] },
  ]),
  { id: embedding, title: "Embedding pairs", cost: 20 },
];

/**
 * Five ways to make one judge of several prompts, on pairs of the lab's pictures, as
 * `data/demo-judge.yaml` has it. The answers are left beside the report, for `analyze ensemble`.
 */
export async function judgeChapter(options: ChapterOptions): Promise<readonly string[]> {
  const { styles, sizes, labels, support, ...asked } = loadLabData(
    "demo-judge.yaml",
    chapterSchema,
  );
  const { run, seed, environment, size, ...where } = options;
  const judging = labJudging({ ...where, drawn: asked.prompts, run, environment });
  const {
    rows: answers,
    shown,
    both,
  } = await labAnswers("pairs", {
    design: { model: judge, worlds: { pairs: { styles, ...sizes[size], seed } } },
    ...judging,
  });
  const concluded = concluding(options);
  const rows = dealt(answers, { labels, support, seed });
  const conclusion = ensemble(rows, { objective: "auto", seed });
  const view = ensembleView(conclusion);
  const file = join(run, "answers.jsonl");
  await writeFileAtomically(
    resolve(environment.workingDirectory, file),
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  const page = async () => {
    const groups = groupsOf(rows, conclusion);
    return conclusionPage(view, {
      title: "Judges of pairs, made of several prompts",
      command: shellWords(["touchstone", "analyze", "ensemble", file, "--seed", String(seed)]),
      figure: ensembleFigure(conclusion),
      example: await contested(rows, conclusion, both),
      chapters:
        groups === undefined
          ? []
          : [
              {
                id: "groups",
                title: "Groups of images and their prompts",
                parts: [
                  ...groupsNote(groups, conclusion),
                  ...(await imageGroupParts(groups, { shown, prompts: judging.prompts })),
                ],
              },
            ],
      isFromLab: true,
    });
  };
  const made = { verdict: [view.verdict], page };
  const { verdict } = await writeReport(made, { run, environment });
  concluded();
  return verdict;
}

/** The test pair on which the judge's prompts disagree most, with what is made of them. */
async function contested(
  rows: readonly EnsembleRow[],
  { bestPrompt, prompts }: EnsembleConclusion,
  both: (id: string) => Promise<readonly [Thumbnail, Thumbnail] | undefined>,
): Promise<Card | undefined> {
  const firsts = ({ probabilities }: EnsembleRow) =>
    probabilities.filter((one) => one !== null && one > 0.5).length;
  const [row] = rows
    .filter(({ split, probabilities }) => split === "test" && !probabilities.includes(null))
    .sort((a, b) => Math.abs(firsts(a) - prompts / 2) - Math.abs(firsts(b) - prompts / 2));
  const images = row && (await both(row.id));
  if (row === undefined || images === undefined) return undefined;
  const { probabilities, label, prompt } = row;
  const mean = probabilities.reduce<number>((sum, one) => sum + (one ?? 0), 0) / prompts;
  return judgedPair({
    why: `The test pair on which the prompts disagree most: ${firsts(row)} of ${prompts} say A`,
    text: prompt ?? "",
    images,
    isFirstBetter: label === 1,
    judges: [
      { name: "best prompt", probability: probabilities[bestPrompt] ?? null },
      { name: `average of ${prompts} prompts`, probability: mean },
    ],
  });
}

/** As many groups as the paper has, as far as there are pairs for them, by what was chosen for MMB. */
function groupsOf(
  rows: readonly EnsembleRow[],
  { chosen, seed }: EnsembleConclusion,
): ImageGroups | undefined {
  const answers = rows.map(
    ({ prompt, ...row }): AnswerRow => ({
      ...row,
      group: prompt ?? undefined,
    }),
  );
  const clustered = rows.filter(({ split }) => split !== "test").length;
  const { objective, lambda, temperature } = chosen;
  return imageGroups(answers, experimentAnswers(answers), {
    ...paperNoPreference,
    lambda,
    seed,
    objectives: [objective],
    labels: rows.filter(({ split }) => split === "validation").length,
    clusters: Math.max(
      1,
      Math.min(paperNoPreference.clusters, Math.floor(clustered / fewestInGroup)),
    ),
    temperature: temperature ?? usualTemperature,
  });
}

/** Where MMB itself was fitted with another number of groups. */
const groupsNote = ({ groups }: ImageGroups, { chosen }: EnsembleConclusion) =>
  chosen.clusters === groups.length
    ? []
    : [
        `MMB above has ${pluralText(chosen.clusters, "group")}, by which left-out labels were foreseen best; here are ${groups.length} by the same objective.`,
      ];

const fewestInGroup = 4;
/** With one group no temperature was chosen. */
const usualTemperature = 0.1;

/** Deals pairs, one of each caption for labels: those of one caption are never parted. */
function dealt(
  answers: readonly AnswerRow[],
  { labels, support, seed }: { labels: number; support: number; seed: number },
): EnsembleRow[] {
  const captions = [...new Set(answers.map(({ id, group = id }) => group))].sort();
  const order = randomFrom(seed, "demo", "judge").shuffle(captions);
  const splitOf = new Map<string, EnsembleRow["split"]>(
    order.map((caption, at) => {
      if (at < labels) return [caption, "validation"];
      return [caption, at < labels + support * (order.length - labels) ? "support" : "test"];
    }),
  );
  const labelled = new Set<string>();
  return answers.flatMap(({ id, group = id, label, probabilities, embedding }) => {
    const split = splitOf.get(group) ?? "test";
    if (split === "validation" && labelled.has(group)) return [];
    labelled.add(group);
    return [
      {
        id,
        split,
        label: split === "support" ? null : label,
        probabilities,
        embedding,
        prompt: group,
        membership: null,
      },
    ];
  });
}
