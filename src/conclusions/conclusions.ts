import { InputError } from "../core/errors.js";
import { type Filled, givenOf } from "../core/options.js";
import type { TableBytes } from "../tables/bytes.js";
import type { Concluded, Conclusion } from "./conclusion.js";
import type { GivenTable } from "./table-options.js";

/** A conclusion of the list: its name, what it does in the words of a list of verbs, and itself. */
export interface RegisteredConclusion {
  /** Names its folder and its sample, and the verb of `analyze`. */
  readonly name: string;
  readonly summary: string;
  /** The words of its verb, where that is no verb of `analyze`. */
  readonly verb?: string;
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
    load: () => import("./contrastive/contrastive.js"),
  },
  {
    name: "swap",
    summary: "measure how often metrics prefer a description with swapped attributes",
    load: () => import("./swap/swap.js"),
  },
  {
    name: "correlation",
    summary: "correlate metrics with human ratings",
    load: () => import("./correlation/correlation.js"),
  },
  {
    name: "preferences",
    summary: "rank models by people's preferences (Bradley-Terry)",
    load: () => import("./preferences/preferences.js"),
  },
  {
    name: "agreement",
    summary: "measure how far annotators agree (Cohen, Fleiss, Krippendorff)",
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
    load: () => import("./calibration/calibration.js"),
  },
  {
    name: "attributes",
    summary: "measure whether attributes are on the right entities",
    load: () => import("./attributes/attributes.js"),
  },
  {
    name: "stereotypes",
    summary: "measure how much refined prompts lower the stereotype index",
    load: () => import("./stereotypes/stereotypes.js"),
  },
  {
    name: "ensemble",
    summary: "compare ways to combine several prompts into one judge",
    load: () => import("./ensemble/ensemble.js"),
  },
  {
    name: "significance",
    summary: "test whether the best of several judges is significantly better",
    load: () => import("./significance/significance.js"),
  },
  {
    name: "compare",
    verb: "compare",
    summary: "test which of several image models is better",
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
    load: () => import("./card/card.js"),
  },
  {
    name: "judge-check",
    verb: "judge check",
    summary: "check a judge's answers: unparsed, constant, by place, below a baseline",
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
