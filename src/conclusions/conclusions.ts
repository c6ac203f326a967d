import { InputError } from "../core/errors.js";
import { type Filled, givenOf } from "../core/options.js";
import type { TableBytes } from "../tables/bytes.js";
import type { Concluded, Conclusion } from "./conclusion.js";
import type { GivenTable } from "./table-options.js";

/** What the cells of a column hold that tells a conclusion. */
export type TellingKind = "text" | "number" | "answer" | "probability" | "probabilities" | "side";

/** A table's columns, as a guess sees them. */
export interface SeenColumns {
  readonly columns: readonly string[];
  /** Those that hold numbers alone. */
  readonly numbers: readonly string[];
  /** Those of numbers that are named as a rater's. */
  readonly raters: readonly string[];
  /** Whether two of numbers are named by one metric and either side: clip_correct and clip_adversarial. */
  arePaired(one: string, other: string): boolean;
}

/** What tells that a table is one of a conclusion. */
export interface Tells {
  /** Columns that its table has, under these names or others that mean the same. */
  readonly columns?: Readonly<Record<string, TellingKind>>;
  /** Words of the command line that it then needs. */
  flags?(holds: (column: string, kind: TellingKind) => boolean): readonly string[];
  /**
   * Words that read a table whose metrics, raters or the like are columns side by side; undefined for
   * another table.
   */
  sideBySide?(seen: SeenColumns): readonly string[] | undefined;
}

/** A conclusion of the list: its name, what it does in the words of a list of verbs, and itself. */
export interface RegisteredConclusion {
  /** Names its folder and its sample, and the verb of `analyze`. */
  readonly name: string;
  readonly summary: string;
  /** The words of its verb, where that is no verb of `analyze`. */
  readonly verb?: string;
  /** What tells that a table is one of it, known before its code is loaded; none where only a person can say. */
  readonly tells?: Tells;
  load(): Promise<{ readonly default: Conclusion }>;
}

/**
 * What can be concluded from a table, in the order of `analyze --help`. The command line, the page of the
 * studio, the Python package, `example`, the guess which table it is and the tests of all verbs go through
 * this list; a folder of the name holds the rest.
 */
export const conclusions: readonly RegisteredConclusion[] = [
  {
    name: "contrastive",
    summary: "measure how often metrics prefer the wrong image of a pair",
    tells: {
      columns: {
        id: "text",
        metric: "text",
        domain: "text",
        correct: "number",
        adversarial: "number",
      },
      sideBySide: ({ arePaired }) => (arePaired("correct", "adversarial") ? ["--wide"] : undefined),
    },
    load: () => import("./contrastive/contrastive.js"),
  },
  {
    name: "swap",
    summary: "measure how often metrics prefer a description with swapped attributes",
    tells: {
      columns: { id: "text", metric: "text", original: "number", swapped: "number" },
      sideBySide: ({ arePaired }) => (arePaired("original", "swapped") ? ["--wide"] : undefined),
    },
    load: () => import("./swap/swap.js"),
  },
  {
    name: "correlation",
    summary: "correlate metrics with human ratings",
    tells: {
      sideBySide({ columns, numbers, raters }) {
        const known = ["id", "prompt", "rating", ...raters];
        const human = columns.includes("rating") ? "rating" : raters.join(",");
        const isRated = human !== "" && numbers.some((column) => !known.includes(column));
        return isRated ? ["--human", human] : undefined;
      },
    },
    load: () => import("./correlation/correlation.js"),
  },
  {
    name: "preferences",
    summary: "rank models by people's preferences (Bradley-Terry)",
    tells: { columns: { a: "text", b: "text", preferred: "side" } },
    load: () => import("./preferences/preferences.js"),
  },
  {
    name: "agreement",
    summary: "measure how far annotators agree (Cohen, Fleiss, Krippendorff)",
    tells: {
      columns: { item: "text", annotator: "text", value: "text" },
      // Numbers are taken to be in order.
      flags: (holds) => ["--scale", holds("value", "number") ? "ordinal" : "nominal"],
      sideBySide: ({ raters }) =>
        raters.length > 1 ? ["--scale", "ordinal", "--raters", raters.join(",")] : undefined,
    },
    load: () => import("./agreement/agreement.js"),
  },
  {
    name: "raters",
    summary: "estimate how reliable raters are, and the likely answers",
    load: () => import("./raters/raters.js"),
  },
  {
    name: "calibration",
    summary: "measure the calibration of yes-or-no probabilities",
    tells: { columns: { id: "text", label: "answer", probability: "probability" } },
    load: () => import("./calibration/calibration.js"),
  },
  {
    name: "attributes",
    summary: "measure whether attributes are on the right entities",
    tells: {
      columns: {
        image: "text",
        entity: "text",
        attribute: "text",
        kind: "text",
        probability: "probability",
      },
    },
    load: () => import("./attributes/attributes.js"),
  },
  {
    name: "stereotypes",
    summary: "measure how much refined prompts lower the stereotype index",
    tells: {
      columns: {
        query: "text",
        category: "text",
        model: "text",
        phase: "text",
        imageSet: "text",
        item: "text",
        present: "answer",
      },
    },
    load: () => import("./stereotypes/stereotypes.js"),
  },
  {
    name: "ensemble",
    summary: "compare ways to combine several prompts into one judge",
    tells: { columns: { id: "text", split: "text", probabilities: "probabilities" } },
    load: () => import("./ensemble/ensemble.js"),
  },
  {
    name: "significance",
    summary: "test whether the best of several judges is significantly better",
    tells: {
      columns: { id: "text", method: "text", label: "answer", probability: "probability" },
    },
    load: () => import("./significance/significance.js"),
  },
  {
    name: "compare",
    verb: "compare",
    summary: "test which of several image models is better",
    tells: {
      columns: { model: "text", prompt: "text", score: "number" },
      sideBySide({ numbers }) {
        // The two sides of a contrastive pair or of a swap are no models.
        const sides = /^(correct|right|true|adversarial|wrong|incorrect|foil|original|swapped)$/i;
        const models = numbers.flatMap((column) => {
          const model = /^scores?[ _-](.+)$/i.exec(column)?.[1];
          return model === undefined || sides.test(model) ? [] : [`${model}=${column}`];
        });
        return models.length > 1 ? ["--scores", models.join(",")] : undefined;
      },
    },
    load: () => import("./compare/compare.js"),
  },
  {
    name: "label-plan",
    verb: "label plan",
    summary: "choose what to ask people next, and say how narrow the interval will be",
    load: () => import("./label-plan/label-plan.js"),
  },
  {
    name: "card",
    verb: "card",
    summary: "make a metric's trust card: what was measured about its reliability",
    // A table with fewer of these may be another conclusion's.
    tells: {
      columns: {
        metric: "text",
        prompt: "text",
        image: "text",
        comparison: "text",
        paraphrase: "text",
        degradation: "text",
        correct: "number",
        adversarial: "number",
        score: "number",
        label: "number",
        human: "number",
        level: "number",
      },
    },
    load: () => import("./card/card.js"),
  },
  {
    name: "judge-check",
    verb: "judge check",
    summary: "check a judge's answers: unparsed, constant, by place, below a baseline",
    tells: { columns: { id: "text", vote: "text" } },
    load: () => import("./judge-check/judge-check.js"),
  },
];

/**
 * The conclusion of a name.
 *
 * @throws InputError for a name that is none's.
 */
export function conclusionNamed(name: string): RegisteredConclusion {
  const found = conclusions.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = conclusions.map((one) => one.name).join(", ");
  throw new InputError(`Expected one of ${names} but received ${JSON.stringify(name)}`);
}

/** The words of its verb on a command line. */
export const verbWords = ({ name, verb = `analyze ${name}` }: RegisteredConclusion): string[] =>
  verb.split(" ");

/**
 * Concludes from a table what the verb `name` does: its JSON, its View, the unrounded table and the figure.
 *
 * @param name the verb of `analyze`, or `compare`.
 * @param table `tableOf` its text or bytes.
 * @param options flags of the verb by name, as texts; `true` for a switch.
 * @throws InputError for a table or an option that the verb refuses, and for a second file.
 * @example (await conclude("swap", tableOf("a.csv", text), { seed: "3" })).json()
 */
export async function conclude(
  name: string,
  table: TableBytes,
  options: Filled = {},
): Promise<Concluded> {
  const registered = conclusionNamed(name);
  const { default: conclusion } = await registered.load();
  const filled = { ...options, file: table.name };
  const given = givenOf(filled, conclusion.arguments, verbWords(registered).join(" "));
  const noOther = () => {
    throw new InputError("Expected one table: another file is read on the command line only");
  };
  // The options were read against the conclusion's own declarations.
  return conclusion.conclude(given as unknown as GivenTable, {
    table: async (asked) => (asked === table.name ? table : noOther()),
    text: async () => noOther(),
  });
}
