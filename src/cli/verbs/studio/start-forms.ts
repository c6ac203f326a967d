import { InputError } from "../../../core/errors.js";
import { type Argument, type Arguments, type Filled, givenOf } from "../../../core/options.js";
import type { Picks, StartForm, StartVerb } from "../../../studio/jobs/job-api.js";
import { argumentWords } from "../../command-line/argument-words.js";
import type { Command } from "../../command-line/command.js";

interface FormOf extends Pick<StartForm, "id" | "title" | "question"> {
  readonly verbs: readonly (Omit<StartVerb, "arguments" | "picks" | "filled"> & {
    readonly filled?: Filled;
    load(): Promise<{ readonly default: Command }>;
  })[];
}

/** Five problems that people come with. The fields are the verbs' own arguments. */
const forms: readonly FormOf[] = [
  {
    id: "compare",
    title: "Compare models",
    question: "Which of my image models is better?",
    verbs: [
      {
        name: "compare",
        load: () => import("../compare/compare.js"),
        title: "two folders of images",
        inSight: ["images", "ask", "metric", "labels", "prompts", "max-cost", "out"],
        says: {
          images: [
            "Two folders of images",
            "a name and a folder of each; a table or a run will do",
          ],
          ask: [
            "Prompts to ask people about",
            "60 is a good start: makes a study of two images at a time, that you or others answer. Empty: nobody is asked",
          ],
          metric: [
            "Metric",
            "scores all images: vqa-score=MODEL, ./mine.mjs, python:mine:score. Empty: none",
          ],
          labels: [
            "Answers of people",
            "a study, or a table of prompt or image and preferred. Empty: none yet",
          ],
          prompts: [
            "Prompts",
            "a table (file_name, prompt), or a prompt a line in the order of the images' names. Empty: metadata.jsonl of the folders, else names of files",
          ],
          "max-cost": ["Most dollars to spend", "on models that the metric asks"],
          out: ["Page to write", "its verdict and pictures"],
        },
        needs: ["images", "file"],
        asks: ["metric"],
        filled: { images: ["A=", "B="], out: "comparison.html" },
        estimate: { "max-calls": "0", out: "", ask: "" },
      },
      {
        name: "study serve",
        load: () => import("../study/study-serve.js"),
        title: "serve a study to people",
        inSight: ["study"],
        needs: ["study"],
      },
    ],
  },
  {
    id: "metric",
    title: "Check a metric",
    question: "Can I trust this metric?",
    verbs: [
      {
        name: "card",
        load: () => import("../card/card.js"),
        title: "a trust card",
        inSight: ["source", "metric", "model", "pictures", "out"],
        filled: { out: "card.html" },
      },
    ],
  },
  {
    id: "judge",
    title: "Check a judge",
    question: "Can I trust this judge, and from which confidence on?",
    verbs: [
      {
        name: "judge check",
        load: () => import("../judge/judge-check.js"),
        title: "answers that it gave",
        inSight: ["file", "map", "family", "out"],
        filled: { out: "judge-check.html" },
      },
      {
        name: "calibrate",
        load: () => import("../calibrate/calibrate.js"),
        title: "fit and certify it on labels",
        estimate: { "max-calls": "0" },
        inSight: ["labels", "model", "target-error", "embedder", "max-cost", "out"],
      },
      {
        name: "judge",
        load: () => import("../judge/judge.js"),
        title: "judge with a fitted one",
        estimate: { "max-calls": "0" },
        inSight: ["items", "judge", "max-cost", "out", "review"],
      },
    ],
  },
  {
    id: "audit",
    title: "Audit",
    question: "Does my generator stereotype people?",
    verbs: [
      {
        name: "audit",
        load: () => import("../audit/audit.js"),
        title: "an audit",
        estimate: { lint: true, out: "" },
        inSight: ["config", "run", "queries", "rubrics", "max-cost"],
      },
    ],
  },
  {
    id: "table",
    title: "Analyse a table",
    question: "I have scores in a table. What do they say?",
    verbs: [
      {
        name: "analyze",
        load: () => import("../analyze/analyze-table.js"),
        title: "a table of scores",
        inSight: ["file", "out"],
        filled: { out: "analysis.html" },
      },
    ],
  },
];

/** Arguments that mean nothing to a job, or lead out of the folder. */
const notOffered = ["allow-outside", "open", "plan", "wanted", "store", "blobs", "cache"];

async function verbOf({ load, filled = {}, ...verb }: FormOf["verbs"][number]): Promise<StartVerb> {
  const { default: command } = await load();
  const offered: Arguments = Object.fromEntries(
    Object.entries(command.arguments).filter(([name]) => !notOffered.includes(name)),
  );
  const picks = Object.entries(offered).flatMap(([name, argument]) => {
    const pick = pickOf(name, argument);
    return pick === undefined ? [] : [[name, pick] as const];
  });
  return {
    ...verb,
    filled,
    arguments: offered,
    picks: Object.fromEntries(picks),
  };
}

/** What a field offers, by the placeholder of its value. */
function pickOf(name: string, argument: Argument): Picks | undefined {
  if (argument.kind === "positional") return "path";
  if (argument.kind !== "text") return undefined;
  if (name === "metric") return "metric";
  const value = argument.value ?? "";
  if (value === "NAME=SOURCE") return "side";
  if (value.startsWith("PROVIDER:MODEL")) return "model";
  if (value.includes("COLUMN")) return "column";
  return /FILE|DIR|FOLDER/.test(value) ? "path" : undefined;
}

/** The forms with the arguments that their verbs declare. */
export const startForms = async (): Promise<readonly StartForm[]> =>
  Promise.all(
    forms.map(async (form) => ({ ...form, verbs: await Promise.all(form.verbs.map(verbOf)) })),
  );

/**
 * The words after `touchstone` that start a verb of the forms with what was filled in.
 *
 * @throws InputError for a verb or an argument that no form offers, and as the verb's own command line does.
 */
export async function startWords(name: string, filled: Filled): Promise<readonly string[]> {
  const verb = forms.flatMap((form) => form.verbs).find((one) => one.name === name);
  if (verb === undefined)
    throw new InputError(`Expected a verb of the forms but received "${name}"`);
  const { arguments: offered } = await verbOf(verb);
  const unknown = Object.keys(filled).find((argument) => !Object.hasOwn(offered, argument));
  if (unknown !== undefined) {
    throw new InputError(`Expected an argument of the form but received "${unknown}"`);
  }
  return [...name.split(" "), ...argumentWords(offered, givenOf(filled, offered, name))];
}
