import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { extname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { command } from "touchstone-t2i/internal/cli/command-line/command.js";
import { loadConfiguration } from "touchstone-t2i/internal/cli/configuration/configuration.js";
import { hostingFor } from "touchstone-t2i/internal/cli/models/hosting.js";
import { version } from "touchstone-t2i/internal/cli/program.js";
import { chooseDecomposer } from "touchstone-t2i/internal/cli/verbs/score/metric-choice.js";
import { progressOf } from "touchstone-t2i/internal/cli/verbs/score/score-progress.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { asJson } from "touchstone-t2i/internal/core/json.js";
import { placedName } from "touchstone-t2i/internal/core/models.js";
import { nearest } from "touchstone-t2i/internal/core/nearest.js";
import { writeFileAtomically } from "touchstone-t2i/internal/files/atomic.js";
import { evaluateLab, type LabEvaluation } from "../../evaluate/evaluate-lab.js";
import { evaluatedModelNames, type LabModelName, labModel } from "../../models/lab-model.js";
import { everyQuestionType, type QuestionType } from "../../world/questions.js";
import { decomposerText, evaluateDecomposer, knownStructures } from "./evaluate-decomposer.js";
import { evaluationText } from "./evaluation-text.js";

export default command({
  description:
    "Measures the lab's models on held-out pictures, with n, intervals, sizes and times. " +
    "Question answerers: accuracy by type of question and style, and calibration. Dual " +
    "encoders: retrieval@1 of 100, and how often they prefer the prototypical of two right " +
    "pictures. Localisers: the overlap of their masks with the exact ones.",
  examples: [
    "touchstone lab evaluate",
    "touchstone lab evaluate --scenes 100 --models vqa,filter-vqa",
    "touchstone lab evaluate --people 1 --scenes 1200 --models vqa-people --types group,sign",
    "touchstone lab evaluate --decomposer rules",
    "touchstone lab evaluate --json --out evaluation.json",
    "touchstone lab evaluate --people 0.5 --models localizer --weights ./trained",
  ],
  arguments: {
    scenes: {
      kind: "number",
      integer: true,
      minimum: 2,
      default: 400,
      description: "the number of pictures, and of pairs of pictures",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 0,
      description:
        "the random seed of scenes, questions and resamples; never overlaps with training",
    },
    people: {
      kind: "number",
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: "the share of the pictures that show people or clothes",
    },
    models: {
      kind: "text",
      value: "A,B",
      description: `which of the lab's models, of ${evaluatedModelNames.join(", ")} (default: all)`,
    },
    types: {
      kind: "text",
      value: "A,B",
      description: `the types of questions that question answerers are asked, of ${everyQuestionType.join(", ")} (default: all)`,
    },
    weights: {
      kind: "text",
      value: "DIR",
      description: "a folder with other trained models, instead of the built-in ones",
    },
    decomposer: {
      kind: "text",
      value: "PROVIDER:MODEL",
      description:
        "in place of the lab's models: a chat model, or rules, that takes texts apart into entities and " +
        "attributes; prints its precision and recall",
    },
    structures: {
      kind: "text",
      value: "FILE",
      description:
        "with --decomposer: a table of texts with their right entities (text, entities) " +
        "(default: the descriptions of attribute-confusion)",
    },
    out: { kind: "text", value: "FILE", description: "also write all results as .json" },
  },
  async run({ given, environment, output }) {
    if (given.out !== undefined && extname(given.out).toLowerCase() !== ".json") {
      throw new InputError(
        `Expected a file that ends in .json for --out but received "${given.out}"`,
      );
    }
    if (given.structures !== undefined && given.decomposer === undefined) {
      throw new InputError("Expected --decomposer for --structures but received none");
    }
    if (given.decomposer !== undefined) {
      const { settings } = await loadConfiguration(environment);
      const hosting = hostingFor(environment, { settings: settings.cache, tell: output.note });
      const decomposer = await chooseDecomposer(given.decomposer, {
        configured: settings.models,
        hosting,
      });
      const { workingDirectory, signal } = environment;
      const known = await knownStructures(given.structures, workingDirectory);
      const judged = await evaluateDecomposer(decomposer, known, { atOnce: 8, signal });
      const name = placedName(decomposer.identity);
      const result = { decomposer: name, ...judged };
      if (given.out !== undefined) {
        const path = resolve(workingDirectory, given.out);
        await writeFileAtomically(path, `${JSON.stringify(result, null, 2)}\n`);
      }
      output.result(decomposerText(name, judged, output.style.width));
      output.resultJson(asJson(result));
      return;
    }
    const folder = given.weights
      ? { weights: pathToFileURL(`${resolve(environment.workingDirectory, given.weights)}/`) }
      : {};
    const models =
      given.models === undefined ? evaluatedModelNames : chosenModels(given.models, folder);
    const evaluation = await evaluateLab({
      scenes: given.scenes,
      seed: given.seed,
      people: given.people,
      models,
      types: chosenTypes(given.types),
      ...folder,
      clock: () => performance.now(),
      progress: (doing, total) => progressOf(`${doing}:`, total, { environment, output }),
      signal: environment.signal,
    });
    const machine = machineText();
    const all = { ...evaluation, machine, versions: versionsOf(evaluation) };
    if (given.out !== undefined) {
      const path = resolve(environment.workingDirectory, given.out);
      await writeFileAtomically(path, `${JSON.stringify(all, null, 2)}\n`);
      output.note(`Wrote the evaluation to ${given.out}`);
    }
    for (const warning of evaluation.warnings) output.warn(warning);
    output.result(evaluationText(evaluation, machine, output.style.width));
    // Everything in it is a number, a text, a list or a plain object.
    output.resultJson(asJson(all));
    output.nextCommand(["demo"]);
  },
});

const listed = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function chosenTypes(text: string | undefined): QuestionType[] | undefined {
  if (text === undefined) return undefined;
  return listed(text).map((name) => {
    const type = everyQuestionType.find((one) => one === name);
    if (type !== undefined) return type;
    const meant = nearest(name, everyQuestionType);
    throw new InputError(
      `Expected some of ${everyQuestionType.join(", ")} for --types but received "${name}"`,
      meant === undefined ? {} : { hint: `Did you mean ${meant}?` },
    );
  });
}

/** Names as `--model` takes them ("lab:vqa") are understood as well. */
function chosenModels(text: string, folder: { readonly weights?: URL }): LabModelName[] {
  const names = listed(text).map((name) => name.replace(/^lab:/, ""));
  // The factory refuses a name that is none of the lab's.
  for (const name of names) {
    labModel(name as LabModelName, folder);
    const { weights } = folder;
    if (weights !== undefined && !existsSync(new URL(`${name}/training.json`, weights))) {
      throw new InputError(
        `Expected weights of lab:${name} in ${fileURLToPath(weights)} but found none`,
        { hint: "training/README.md in the repository says how they are made." },
      );
    }
  }
  return [...new Set(names as LabModelName[])];
}

const machineText = (): string => `${cpus()[0]?.model.trim() ?? "unknown processor"}, one thread`;

const versionsOf = ({ onnxruntime }: LabEvaluation) => ({
  touchstone: version(),
  node: process.version,
  "onnxruntime-web": onnxruntime,
});
