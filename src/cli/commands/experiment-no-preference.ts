import { noPreference, paperNoPreference } from "../../analysis/no-preference.js";
import { InputError } from "../../core/errors.js";
import { readableNoPreference } from "../../report/experiment-preference-text.js";
import { loadPublishedEnsembles } from "../../report/experiment-published.js";
import { asJson, fileWriter } from "../analyze/conclusion-file.js";
import { conclusionText } from "../analyze/conclusion-text.js";
import { outArgument, tableArguments, tableName, tableWords } from "../analyze/table-arguments.js";
import { command } from "../command.js";
import { ensembleArguments, objectivesOf } from "../experiment/grid-arguments.js";
import { preferenceCsv } from "../experiment/preference-csv.js";
import { readAnswers } from "../experiment/read-answers.js";
import { shellWords } from "../shell-words.js";

export default command({
  description:
    "How sure ensembles of prompts are of pairs of which neither image is better; lower is better, 0.5 is " +
    "right. Weights are fitted on pairs of an image and a degraded copy of it, captions dealt into ten folds: " +
    "the paper's table 4, with its figures beside. Reads JSONL, JSON, CSV or Parquet with the columns id, prompt " +
    "(the caption), label (1 or 0: which is the undegraded image; empty: neither is better), probabilities " +
    "(a list: P(label is 1) by each prompt of the judge) and embedding (a list).",
  examples: [
    "touchstone experiment no-preference equal-pairs.jsonl",
    "touchstone experiment no-preference equal-pairs.jsonl --seeds 5 --objectives all --out table4.html",
  ],
  arguments: {
    ...tableArguments,
    clusters: {
      ...{ kind: "number", integer: true, minimum: 1, default: paperNoPreference.clusters },
      description: "how many groups of images",
    },
    seeds: {
      ...{ kind: "number", integer: true, minimum: 1, default: paperNoPreference.seeds.labels },
      description: "draws of labels at each setting",
    },
    ...ensembleArguments,
    ...outArgument,
  },
  async run({ given, environment, output }) {
    const write = await fileWriter(given, environment);
    const rows = await readAnswers(given, environment);
    const available = rows[0]?.probabilities.length ?? 0;
    const prompts = paperNoPreference.prompts.filter((count) => count <= available);
    if (prompts.length === 0) {
      throw new InputError(`Expected at least 5 prompts for each row but received ${available}`);
    }
    const { lambda, temperature, seed, clusters } = given;
    const conclusion = noPreference(rows, {
      ...paperNoPreference,
      ...{ prompts, clusters, lambda, temperature, seed },
      objectives: objectivesOf(given),
      seeds: { ...paperNoPreference.seeds, labels: given.seeds },
    });
    const published = loadPublishedEnsembles();
    const readable = readableNoPreference(conclusion, published);
    const again = shellWords([
      ...["touchstone", "experiment", "no-preference", ...tableWords(given)],
      ...(clusters === paperNoPreference.clusters ? [] : ["--clusters", String(clusters)]),
      ...(given.seeds === paperNoPreference.seeds.labels ? [] : ["--seeds", String(given.seeds)]),
      ...["--objectives", given.objectives],
      ...(lambda === 1 ? [] : ["--lambda", String(lambda)]),
      ...(temperature === 0.1 ? [] : ["--temperature", String(temperature)]),
      ...(seed === 0 ? [] : ["--seed", String(seed)]),
    ]);
    const json = asJson({ ...conclusion, published: published.table4, verdict: readable.verdict });
    await write({
      ...{ json, readable, command: again },
      csv: () => preferenceCsv(conclusion),
      async page() {
        const { conclusionPage } = await import("../../report/conclusion-page.js");
        const title = `Where neither is better: ${tableName(given)}`;
        return conclusionPage(readable, { title, command: again });
      },
    });
    output.resultJson(json);
    output.result(conclusionText(readable, output.style));
    if (given.out !== undefined) output.note(`Wrote ${given.out}`);
    output.nextCommand(given.out === undefined ? `${again} --out table4.html` : `${again} --json`);
  },
});
