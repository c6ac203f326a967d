import { InputError } from "../../../core/errors.js";
import { readStudyConfig } from "../../../studies/config/read-study-config.js";
import {
  type BlockSettings,
  blockNames,
  type StudySettings,
} from "../../../studies/config/study-config.js";
import type { Aim } from "../../../studies/plan/answer-model.js";
import {
  planStudy,
  type StudyCost,
  type StudyPlan,
  studyCost,
} from "../../../studies/plan/plan-study.js";
import { protocolOf } from "../../../studies/protocols/protocols.js";
import { countText, fixedText, pluralText } from "../../../views/number-text.js";
import { numberColumns } from "../../../views/printed.js";
import { command } from "../../command-line/command.js";
import { estimate3, number3 } from "../../terminal/numbers.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

export default command({
  description:
    "Plans a study: how many items, raters and labels it needs for the smallest difference or agreement that " +
    "matters, by simulation, and what they cost. Reads the study's file; its items need not exist yet.",
  examples: [
    "touchstone study plan study.yaml --difference 0.3 --rate 15 --currency EUR",
    "touchstone study plan study.yaml --kappa 0.4 --raters 5",
  ],
  arguments: {
    config: { kind: "positional", description: "the study's file (YAML)" },
    difference: {
      kind: "number",
      value: "D",
      minimum: 0,
      description:
        "the smallest difference that matters: points of the scale (rating, likert), of shares of " +
        "yes (localized, rubric), of the win rate from 0.5 (pairwise)",
    },
    kappa: {
      kind: "number",
      value: "K",
      minimum: 0,
      maximum: 1,
      description: "the agreement above which the interval of kappa (levels: alpha) is to lie",
    },
    block: { kind: "text", value: "NAME", description: "the block (default: the first)" },
    power: {
      kind: "number",
      minimum: 0.05,
      maximum: 0.99,
      default: 0.8,
      description: "the probability of detecting it",
    },
    raters: {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 100,
      description: "answers per item (default: ratingsPerItem of the block)",
    },
    error: {
      kind: "number",
      value: "P",
      minimum: 0,
      maximum: 1,
      default: 0.1,
      description: "how often a rater gives a wrong answer",
    },
    prevalence: {
      kind: "number",
      minimum: 0.01,
      maximum: 0.99,
      default: 0.5,
      description: "localized, rubric: the true share of yes",
    },
    ties: {
      kind: "number",
      minimum: 0,
      maximum: 0.95,
      default: 0.2,
      description: "pairwise: the true share of ties, where the block allows them",
    },
    seconds: {
      kind: "number",
      minimum: 0,
      description: "seconds per answer (default: 6 to 45, by protocol)",
    },
    rate: {
      kind: "number",
      value: "MONEY",
      minimum: 0,
      description: "pay per hour (default: payPerHour of the study)",
    },
    currency: { kind: "text", value: "CODE", description: "printed with the cost, such as EUR" },
    simulations: {
      kind: "number",
      integer: true,
      minimum: 50,
      maximum: 10_000,
      default: 500,
      description: "simulated studies per number of items",
    },
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
  },
  async run({ given, environment: { workingDirectory }, output, words }) {
    const aim = aimOf(given);
    const { settings } = await readStudyConfig(given.config, workingDirectory);
    const { name, block } = blockOf(settings, given.block);
    output.progress("simulating");
    const plan = planStudy(block, {
      aim,
      power: given.power,
      raters: given.raters,
      error: given.error,
      prevalence: given.prevalence,
      ties: given.ties,
      simulations: given.simulations,
      seed: given.seed,
    });
    output.clear();
    const seconds = given.seconds ?? protocolOf(block.protocol).seconds;
    const rate = given.rate ?? settings.payPerHour;
    const costOf = (items: number) =>
      studyCost(block, { items, raters: plan.ratersPerItem, seconds, rate });
    const cost = plan.items === null ? null : costOf(plan.items);
    output.resultJson({
      items: plan.items,
      ratersPerItem: plan.ratersPerItem,
      participants: cost?.participants ?? null,
      labels: cost?.labels ?? null,
      power: plan.power === null ? null : { ...plan.power },
      hours: cost?.hours ?? null,
      cost: cost?.cost ?? null,
      currency: given.currency ?? null,
      block: name,
      protocol: block.protocol,
      measure: plan.measure,
      ...(plan.reason === undefined ? {} : { reason: plan.reason }),
      curve: plan.curve.map(({ power, ...point }) => ({ ...point, power: { ...power } })),
    });
    const money = (amount: number) => `${fixedText(amount, 2)} ${given.currency ?? ""}`.trim();
    output.result(
      [
        output.style.bold(wrap(verdict(plan, { aim, cost }), output.style.width)),
        cost === null ? "" : wrap(costText(cost, { money, seconds }), output.style.width),
        curve(plan, { costOf, money, width: output.style.width }),
        wrap(
          `Assumed: ${assumed(block, { ...given, isKappa: "kappa" in aim })}.`,
          output.style.width,
        ),
      ]
        .filter(Boolean)
        .join("\n\n"),
    );
    const { participants } = settings;
    if (cost !== null && participants !== undefined && cost.participants > participants) {
      output.warn(
        `That takes ${pluralText(cost.participants, "participant")}; the study lets in ${participants}.`,
      );
    }
    if (plan.items !== null) {
      output.nextCommand(["study", "create", given.config, "--run", "studies/first"]);
    } else if (plan.curve.length === 0) output.nextCommand(words({ error: given.error / 2 }));
    else output.nextCommand(words({ raters: Math.min(100, 2 * plan.ratersPerItem) }));
  },
});

function aimOf({
  difference,
  kappa,
}: {
  readonly difference: number | undefined;
  readonly kappa: number | undefined;
}): Aim {
  if (difference !== undefined && difference > 0 && kappa === undefined) return { difference };
  if (kappa !== undefined && difference === undefined) return { kappa };
  throw new InputError(
    difference === 0
      ? "Expected a number above 0 for --difference but received 0"
      : `Expected --difference D or --kappa K but received ${difference === undefined ? "neither" : "both"}`,
    {
      hint:
        "--difference 0.5: the smallest difference of two models that the study must find; " +
        "--kappa 0.4: the agreement that raters' kappa must exceed. See: touchstone study plan --help",
    },
  );
}

function blockOf(
  { blocks }: StudySettings,
  wanted: string | undefined,
): { readonly name: string; readonly block: BlockSettings } {
  const names = blockNames(blocks);
  const first = names.find((_, at) => blocks[at]?.protocol !== "mental-image");
  const name = wanted ?? first ?? names[0] ?? "";
  const block = blocks[names.indexOf(name)];
  if (block !== undefined) return { name, block };
  throw new InputError(`Expected one of ${names.join(", ")} for --block but received "${wanted}"`);
}

function verdict(
  { items, measure, power, ratersPerItem, reason }: StudyPlan,
  { aim, cost }: { readonly aim: Aim; readonly cost: StudyCost | null },
): string {
  const what =
    "kappa" in aim
      ? `${measure} above ${aim.kappa}`
      : measure === "win rate"
        ? `a win rate of ${number3(0.5 + aim.difference)}`
        : `a difference of ${aim.difference}`;
  if (items === null || cost === null || power === null) {
    return `No number of items shows ${what}: ${reason}.`;
  }
  return (
    `${pluralText(items, "item")} with ${pluralText(ratersPerItem, "rating")} each ` +
    `(${pluralText(cost.labels, "label")}) show ${what} with power ${estimate3(power)}.`
  );
}

const costText = (
  { participants, hours, cost }: StudyCost,
  { money, seconds }: { readonly money: (amount: number) => string; readonly seconds: number },
): string =>
  `${pluralText(participants, "participant")}, ${number3(hours)} hours at ${seconds} seconds an answer` +
  `${cost === null ? "; --rate gives the cost" : `: ${money(cost)}`}.`;

const curve = (
  { curve: tried, items: found, ratersPerItem }: StudyPlan,
  {
    costOf,
    money,
    width,
  }: {
    readonly costOf: (items: number) => StudyCost;
    readonly money: (amount: number) => string;
    readonly width: number;
  },
): string => {
  // What was tried between two that were doubled says little: their powers hardly differ.
  let last = 0;
  const points = tried.filter(({ items }) => {
    const isShown = items === found || items >= 2 * last || items === tried.at(-1)?.items;
    if (isShown && items !== found) last = items;
    return isShown;
  });
  return points.length === 0
    ? ""
    : table(
        numberColumns("items", "power", "simulations", "labels", "hours", "cost"),
        points.map(({ items, power, simulations }) => {
          const { hours, cost } = costOf(items);
          return [
            countText(items),
            estimate3(power),
            countText(simulations),
            countText(items * ratersPerItem),
            number3(hours),
            cost === null ? "–" : money(cost),
          ];
        }),
        width,
      );
};

/** Says what the simulation assumed. */
function assumed(
  { protocol, tie }: BlockSettings,
  {
    error,
    prevalence,
    ties,
    isKappa,
  }: {
    readonly error: number;
    readonly prevalence: number;
    readonly ties: number;
    readonly isKappa: boolean;
  },
): string {
  const truth =
    protocol === "localized" || protocol === "rubric"
      ? `${prevalence} of answers are truly yes`
      : protocol === "pairwise"
        ? `${tie === "none" ? 0 : ties} of pairs truly tie`
        : isKappa
          ? "all levels are as frequent"
          : "half of the items are of each of two models";
  return `raters err with probability ${error}; ${truth}`;
}
