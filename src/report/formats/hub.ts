import { stringify } from "yaml";
import {
  evidenceText,
  isHubName,
  isValued,
  modelsOf,
  nameWithin,
  slugOf,
  unscoredNote,
  type WriteResult,
} from "./format.js";

/**
 * For each model `.eval_results/touchstone.yaml` and a README.md with `model-index`, as the Hugging Face Hub reads
 * them (hub-docs: eval_results.yaml, modelcard.md), and the `eval.yaml` that makes their data set a benchmark.
 */
export const hub: WriteResult = (result, source) => {
  const isOnHub = isHubName(source.data);
  const id = isOnHub ? source.data : `OWNER/${slugOf(source.data)}`;
  const { models: subjects, left } = modelsOf(result, source);
  const date = source.at.toISOString().slice(0, 10);
  const notes = (evidence: string) => [evidence, `touchstone-t2i ${source.version}`].join("; ");
  const files = subjects.flatMap(({ name, figures }) => {
    const found = figures.filter(isValued);
    const results = found.map((figure) => ({
      dataset: { id, task_id: slugOf(nameWithin(figure, name)) },
      value: figure.value,
      date,
      notes: notes(evidenceText(figure)),
    }));
    const index = {
      "model-index": [
        {
          name,
          results: [
            {
              task: { type: "text-to-image", name: "Text-to-Image" },
              dataset: { type: id, name: source.data },
              metrics: found.map((figure) => ({
                type: slugOf(nameWithin(figure, name)),
                value: figure.value,
                name: [nameWithin(figure, name), evidenceText(figure)].filter(Boolean).join(", "),
              })),
            },
          ],
        },
      ],
    };
    return [
      { path: `${slugOf(name)}/.eval_results/touchstone.yaml`, content: yaml(results) },
      {
        path: `${slugOf(name)}/README.md`,
        content: `---\n${yaml(index)}---\n\n${result.verdict}\n`,
      },
    ];
  });
  const tasks = new Set(
    subjects.flatMap(({ name, figures }) => figures.map((one) => slugOf(nameWithin(one, name)))),
  );
  const benchmark = {
    name: source.data,
    description: "Text-to-image evaluation by touchstone-t2i.",
    evaluation_framework: "touchstone-t2i",
    tasks: [...tasks].map((task) => ({ id: task })),
  };
  return {
    files: [...files, { path: "dataset/eval.yaml", content: yaml(benchmark) }],
    notes: [
      ...left,
      ...(isOnHub ? [] : ["Replace OWNER by the data set's owner, or give --data OWNER/NAME."]),
      "The Hub shows .eval_results only of a data set that it lists as a benchmark. Its list of frameworks " +
        "(huggingface.js, packages/tasks/src/eval.ts) has none for text-to-image models yet: register the data set by " +
        "dataset/eval.yaml and ask the Hub to list it. model-index needs no registration.",
      ...unscoredNote(result.figures, "the Hub has no unscored results, so they are left out"),
    ],
  };
};

/** As YAML 1.1, which the Hub's parsers read: it needs quotes about a date. */
const yaml = (value: unknown) => stringify(value, { version: "1.1" });
