import { labelSamplings } from "../../../analysis/comparison/drawn-labels.js";
import type { MakingOfImages } from "../../../analysis/comparison/image-making.js";
import {
  type PeoplesAnswer,
  shareByPrompt,
} from "../../../analysis/comparison/people-preference.js";
import { rankedModels } from "../../../conclusions/compare/pairs.js";
import {
  type ComparedSides,
  peoplesSide,
  type SidesFound,
} from "../../../conclusions/compare/sides-view.js";
import { InputError } from "../../../core/errors.js";
import { asJson, type JsonObject } from "../../../core/json.js";
import { NoAnswer } from "../../../core/unscored.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { thumbnail } from "../../../images/thumbnail.js";
import type { Figure } from "../../../views/figures/figure.js";
import { fixedText } from "../../../views/number-text.js";
import type { Card, Chapter } from "../../../views/report.js";
import { dataCells, type ViewWithData } from "../../../views/view.js";
import { checkOpen, openWhere } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { fileWriter } from "../../conclusions/conclusion-file.js";
import { withMaking } from "../../conclusions/making-below.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { conclusionText } from "../../terminal/terminal-table.js";
import { withoutLimits } from "../run/limits.js";
import type { GivenSides, SidesInvocation } from "./image-arguments.js";
import type { ItemPair } from "./pair-items.js";
import type { MetricScores } from "./score-pairs.js";
import { makingOfItems, type TwoSides } from "./side-items.js";

/** What is shown of two sides, in words, as data and as a page. */
interface Shown {
  readonly view: ViewWithData;
  readonly json: JsonObject;
  readonly making: readonly MakingOfImages[];
  figure?(): Promise<Figure>;
  chapters(): Promise<Chapter[]>;
  /** The words after `touchstone` of what comes next, and what to say before. */
  readonly next?: { readonly words: readonly string[]; readonly note: string } | undefined;
}

/**
 * Compares two sides of images and shows what is found: which is better where there are metrics or people's labels, else
 * how far they changed.
 *
 * @throws InputError as reading and scoring do.
 */
export async function showSides(
  sides: TwoSides,
  given: GivenSides,
  invocation: SidesInvocation,
): Promise<void> {
  const { environment, output, words } = invocation;
  const { out, open, details } = given;
  checkOpen(given);
  const write = await fileWriter({ out, file: [] }, environment);
  const found = await shown(sides, given, invocation);
  const { making } = found;
  const view = withMaking(found.view, making);
  const json = { ...found.json, making: asJson(making) };
  const { figure, chapters, next } = found;
  const again = shellWords([
    "touchstone",
    ...words({ ...withoutLimits, out: undefined, open: false, details: false }),
  ]);
  await write({
    json: () => json,
    view,
    command: again,
    table: () => dataCells(view.data),
    async page() {
      const { conclusionPage } = await import("../../../report/pages/conclusion-page.js");
      const title = `Images: ${sides.map(({ name }) => name).join(" and ")}`;
      return conclusionPage(view, {
        title,
        command: again,
        figure: await figure?.(),
        opened: await chapters(),
      });
    },
  });
  output.resultJson(json);
  output.result(conclusionText(view, { style: output.style, details }));
  if (out !== undefined) output.note(`Wrote ${out}`);
  openWhere({ open, out }, environment);
  if (next !== undefined) {
    output.result(`\n${next.note}`);
    output.nextCommand(next.words);
    return;
  }
  output.nextCommand(
    words(out === undefined ? { out: "comparison.html" } : { out: undefined, details: !details }),
  );
}

async function shown(
  sides: TwoSides,
  given: GivenSides,
  invocation: SidesInvocation,
): Promise<Shown> {
  const { environment, output, words } = invocation;
  const samplings = given.labels.filter(isSampling);
  const labels = given.labels.filter((one) => !isSampling(one));
  const { settings } = await loadConfiguration(environment);
  const configured = labels.length > 0 || given.ask !== undefined ? settings.score?.metrics : [];
  const metric = given.metric.length > 0 ? given.metric : (configured ?? []);
  if (metric.length === 0 && labels.length === 0 && given.ask === undefined) {
    return changes(sides, given, invocation);
  }
  const idle = (["baseline", "not-worse", "same", "fail-under"] as const).filter(
    (flag) => given[flag] !== undefined,
  );
  if (idle.length > 0) {
    throw new InputError(
      `Expected no --${idle.join(", --")} for images but received it: a gate compares scores`,
      {
        hint: "Score each folder (touchstone score DIR --out scores.jsonl), and compare the files",
      },
    );
  }
  const { compareSides } = await import("./compare-sides.js");
  const options = {
    ...given,
    metric: undefined,
    range: undefined,
    labels: samplings.at(-1) ?? "random",
    tieTolerance: given["tie-tolerance"],
  };
  const reading = (study: string) =>
    words({ ask: undefined, out: undefined, labels: [...given.labels, study] });
  const { found, view, json, making, asked, behind } = await compareSides(sides, {
    given: { ...given, metric, labels, model: metric.length > 0 ? given.model : [] },
    options,
    words: words(withoutLimits),
    goOn: reading,
    environment,
    output,
  });
  const goOn = asked && shellWords([environment.program, ...reading(asked.study)]);
  return {
    view,
    making,
    json: asked === undefined ? json : { ...json, study: { ...asJson(asked), goOn: goOn ?? null } },
    async figure() {
      const { sidesFigure } = await import("../../../conclusions/compare/sides-figure.js");
      return sidesFigure(found);
    },
    async chapters() {
      return worstChapter(found, behind);
    },
    next:
      asked === undefined
        ? undefined
        : {
            words: ["study", "serve", asked.study],
            note:
              `Made a study of ${asked.prompts} prompts, drawn ${asked.byScores ? "by the scores as label plan does" : "at random"}, in ${asked.study}. ` +
              `Once people have answered: ${goOn}`,
          },
  };
}

const isSampling = (text: string): text is (typeof labelSamplings)[number] =>
  labelSamplings.some((known) => known === text);

/** How far the images of two sides changed. */
async function changes(
  sides: TwoSides,
  { model, map, ...given }: GivenSides,
  { environment, output }: SidesInvocation,
): Promise<Shown> {
  const [named, ...more] = model;
  if (more.length > 0) {
    throw new InputError(`Expected one --model without a metric but received ${model.length}`);
  }
  const { changedChapter, compareImages, imagesJson, imagesView } = await import(
    "./compare-images.js"
  );
  const allowOutside = given["allow-outside"];
  const [a, b] = sides;
  const sources = [a.source, b.source] as const;
  const how = { model: named, map, allowOutside, environment, output };
  const compared = await compareImages(sources, how);
  const view = imagesView(compared, [a.name, b.name]);
  return {
    view,
    making: makingOfItems(sides, compared.sides),
    json: { images: asJson(imagesJson(compared)), verdict: view.verdict },
    chapters: () => changedChapter(compared.changes, [a.name, b.name]),
  };
}

/** Pixels of the longer side. */
const side = 320;
const mostShown = 3;

interface Judged {
  readonly pair: ItemPair;
  readonly scores: readonly (readonly [number | null, number | null])[];
  /** The share of people's answers that prefer the first side; null where nobody was asked. */
  readonly people: number | null;
}

/**
 * The three prompts on which the better side is furthest behind the other, side by side: by people where they were
 * asked, then by the first metric. None where it is never behind.
 */
async function worstChapter(
  { names, compared, people }: SidesFound,
  {
    pairs,
    metrics,
    answers,
  }: {
    readonly pairs: readonly ItemPair[];
    readonly metrics: readonly MetricScores[];
    readonly answers: readonly PeoplesAnswer[];
  },
): Promise<Chapter[]> {
  const [first] = compared;
  const better =
    people === undefined
      ? first === undefined
        ? names[0]
        : rankedModels(first.found)[0]
      : peoplesSide(people, names).better;
  const at = better === names[1] ? 1 : 0;
  const shares = shareByPrompt(answers);
  const judged = pairs.map(
    (pair, place): Judged => ({
      pair,
      scores: metrics.map(({ rows }) => [
        rows[2 * place]?.score ?? null,
        rows[2 * place + 1]?.score ?? null,
      ]),
      people: shares.get(pair.prompt) ?? null,
    }),
  );
  const sign = first?.found.direction === "lower" ? -1 : 1;
  const behind = ({ scores: [scored], people: share }: Judged): number[] => {
    const [one, other] = scored ?? [null, null];
    const byMetric =
      one === null || other === null ? 0 : sign * (at === 0 ? other - one : one - other);
    const byPeople = share === null ? 0 : at === 0 ? 0.5 - share : share - 0.5;
    return people === undefined ? [byMetric] : [byPeople, byMetric];
  };
  const worst = judged
    .filter((one) => (behind(one)[0] ?? 0) > 0)
    .sort((one, other) => {
      const [a, b] = [behind(one), behind(other)];
      return (b[0] ?? 0) - (a[0] ?? 0) || (b[1] ?? 0) - (a[1] ?? 0);
    })
    .slice(0, mostShown);
  const cards = await Promise.all(worst.map((one) => cardOf(one, { names, compared })));
  return cards.length === 0
    ? []
    : [
        {
          id: "worst",
          title: `Where ${names[at]} is furthest behind ${names[1 - at]}`,
          parts: [{ cards }],
        },
      ];
}

/** Undefined for a file without an image, which is no reason to show nothing else. */
const shownImage = (path: string, image: string) =>
  openPictureFile(path, image)
    .then((picture) => thumbnail(picture, { side }))
    .catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });

async function cardOf(
  { pair: { prompt, items }, scores, people }: Judged,
  {
    names,
    compared,
  }: { readonly names: readonly string[]; readonly compared: readonly ComparedSides[] },
): Promise<Card> {
  const pictures = await Promise.all(
    items.map(async ({ path, image }, at) => {
      const told = compared.map(({ found: { metric } }, which) => {
        const score = scores[which]?.[at === 0 ? 0 : 1] ?? null;
        return `${metric} ${score === null ? "unscored" : fixedText(score, 3)}`;
      });
      const shown = await shownImage(path, image);
      const unread = shown === undefined ? ["can't be read"] : [];
      return {
        image: shown,
        alternative: `Image of ${names[at]} for: ${prompt}`,
        caption: [`${names[at]}: ${image}`, ...unread, ...told].join(", "),
      };
    }),
  );
  const preferred =
    people === null
      ? []
      : people === 0.5
        ? ["people: as good as one another"]
        : [`people prefer ${names[people > 0.5 ? 0 : 1]}`];
  return { tags: preferred, text: prompt, parts: [{ pictures }] };
}
