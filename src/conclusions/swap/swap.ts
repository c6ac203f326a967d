import { evidenceOfRows, type PairEvidence } from "../../analysis/pairs/contrastive.js";
import { evidenceOfCells } from "../../analysis/pairs/pair-cells.js";
import { PairTable } from "../../analysis/pairs/pair-sums.js";
import { swapTestOf } from "../../analysis/pairs/swap-test.js";
import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import { listText } from "../../core/phrases.js";
import { picked } from "../../core/row-codes.js";
import { numeric, optionalAnswer, optionalText, text } from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import type { Tells } from "../../tables/shapes.js";
import { conclusion } from "../conclusion.js";
import { pairReader, pairsSideBySide, wideArguments } from "../pair-columns.js";
import { intervalArguments, tieArguments } from "../shared-options.js";
import { pairSums, readPairCells } from "../sums/pair-sums.js";
import type { GivenTable, Inputs } from "../table-options.js";
import { excludedWarnings, swapVerdict, unreferencedVerdict } from "./verdict.js";
import { swapView } from "./view.js";

const sides = ["original", "swapped"] as const;

const readPairs = pairReader(
  { id: text, prompt: optionalText, asDescribed: optionalAnswer },
  sides,
);

const tells: Tells = {
  columns: { id: text, metric: text, original: numeric, swapped: numeric },
  sideBySide: pairsSideBySide(sides),
};

const options = {
  ...wideArguments(["original", "swapped"]),
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    default: "higher",
    description: "which scores are better",
  },
  ...tieArguments,
  ...intervalArguments,
} as const satisfies Arguments;

const sums = pairSums({
  name: "swap",
  sides: ["original", "swapped"],
  domain: "asDescribed",
  isDomainAlone: true,
});

/** All pairs, and those whose image is as described; undefined where nobody said so of any. */
interface SwapPairs {
  readonly all: PairEvidence;
  readonly described: PairEvidence | undefined;
}

async function readRows(
  given: Parameters<typeof readPairs>[0],
  inputs: Parameters<typeof readPairs>[1],
): Promise<SwapPairs> {
  const { length, columns } = await readPairs(given, inputs);
  const { id, metric, prompt, original, swapped, asDescribed } = columns;
  const domain = { codes: new Int32Array(length), names: [""] };
  const sides = { correct: original, adversarial: swapped };
  const all = new PairTable({ id, metric, domain, prompt, ...sides });
  const right = Int32Array.from(asDescribed.keys()).filter((row) => asDescribed[row] === 1);
  return {
    all: evidenceOfRows(all),
    described: asDescribed.every(Number.isNaN) ? undefined : evidenceOfRows(all.only(right)),
  };
}

async function readCells(...given: readonly [GivenTable, Inputs]): Promise<SwapPairs> {
  const cells = await readPairCells(sums, given);
  const { codes, names } = cells.domain;
  const said = new Map(
    [...new Set(picked(codes, cells.cells))].map((code) => {
      const word = names[code] ?? "";
      const found = optionalAnswer.read(word, { isText: true });
      if ("value" in found) return [code, found.value];
      throw new InputError(
        `Expected ${found.expected} for asDescribed but received ${quoted(word)}`,
      );
    }),
  );
  if (new Set(said.values()).size < said.size) {
    const words = listText([...said.keys()].map((code) => quoted(names[code] ?? "")));
    throw new InputError(
      `Expected one word for each answer of asDescribed but received ${words}: what is summed apart can't be put together`,
      { hint: "Write 1, 0 or nothing in each row; or analyze the table of rows itself." },
    );
  }
  const answerOf = (row: number) => said.get(codes[row] ?? -1) ?? null;
  const pairs = { ...cells, domain: { codes: codes.map(() => -1), names: [] } };
  return {
    all: evidenceOfCells(pairs),
    described: cells.cells.every((row) => answerOf(row) === null)
      ? undefined
      : evidenceOfCells(pairs, (row) => answerOf(row) === 1),
  };
}

export default conclusion({
  title: "Swap test",
  description:
    "Measures how often metrics prefer a description whose attributes are swapped between " +
    "entities to the description that the image shows (L-VQAScore, section 3.2). Reads " +
    "JSONL, JSON, CSV or Parquet with the columns id, metric, original, swapped and, " +
    "optionally, prompt and asDescribed (1: the image shows the description, by people or the truth; " +
    "0: it doesn't); an empty or null score is unscored. A failure is a better score for " +
    "the swapped description; ties are counted apart. Rows whose image is not as described are left " +
    "out, since the swapped description may be right; without asDescribed there is no verdict on " +
    "metrics. `touchstone example swap` prints a sample.",
  examples: [
    "touchstone analyze swap scores.csv",
    "touchstone analyze swap scores.csv --wide --out swap.html",
    "touchstone example swap | touchstone analyze swap - --json",
  ],
  example: {
    shows: "two metrics' scores of twelve images for their descriptions and the swapped ones",
  },
  page: "swap.html",
  options,
  tells,
  sums: async () => ({ sums, read: readCells }),
  read: readRows,
  conclude({ all, described: pairs }, { "tie-tolerance": tieTolerance, ...given }) {
    const options = { ...given, tieTolerance };
    if (pairs === undefined) {
      const conclusion = swapTestOf(all, options);
      return { ...conclusion, ...unreferencedVerdict(conclusion) };
    }
    const conclusion = swapTestOf(pairs, options);
    const excluded = all.length - pairs.length;
    const verdict = swapVerdict(conclusion, (metric, than) =>
      pairs.differenceOf({ ...options, metric, than, ties: "half" }),
    );
    const warnings = [...excludedWarnings(excluded, all.length), ...conclusion.warnings];
    return { ...conclusion, excluded, warnings, ...verdict };
  },
  view: swapView,
  async figure(found) {
    const { swapFigure } = await import("./figure.js");
    return swapFigure(found);
  },
});
