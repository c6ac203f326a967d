import { labelSamplings } from "../../../analysis/comparison/drawn-labels.js";
import type { MakingOfImages } from "../../../analysis/comparison/image-making.js";
import { InputError } from "../../../core/errors.js";
import { asJson, type JsonObject } from "../../../core/json.js";
import type { Figure } from "../../../views/figures/figure.js";
import type { Chapter } from "../../../views/report.js";
import { dataCells, type ViewWithData } from "../../../views/view.js";
import { checkOpen, openWhere } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { fileWriter } from "../../conclusions/conclusion-file.js";
import { withMaking } from "../../conclusions/making-below.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { conclusionText } from "../../terminal/terminal-table.js";
import { withoutLimits } from "../run/limits.js";
import type { GivenSides, SidesInvocation } from "./image-arguments.js";
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
      const { worstChapter } = await import("./worst-pairs.js");
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
