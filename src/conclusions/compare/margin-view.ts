import {
  type MarginGate,
  type MarginModel,
  type MarginVerdict,
  marginOf,
} from "../../analysis/comparison/margin-gate.js";
import type { MarginPlan } from "../../analysis/comparison/margin-plan.js";
import { smallestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import { type Estimate, mirrored } from "../../stats/estimate.js";
import { countText, estimateText, fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { rounded } from "./verdict.js";

/**
 * What is shown of each model, a sentence each.
 *
 * @example
 * // m is as good as in previous.json: not worse by more than 0.02, shown with 60 prompts.
 */
export function marginSentences(gate: MarginGate, baselineName: string): string[] {
  const asGood = gate.models.filter(isPlainlyAsGood);
  const together = asGood.length > 1 ? asGood : [];
  return [
    ...(together.length === 0
      ? []
      : [
          `${listText(together.map(({ model }) => model))} are as good as in ${baselineName}: ${shownText(marginOf(gate), gate.same)}, ` +
            `shown with ${pluralText(smallestOf(together.map(({ prompts }) => prompts.shared)), "prompt")} or more.`,
        ]),
    ...gate.models
      .filter((model) => !together.includes(model))
      .map((model) => modelText(model, gate, baselineName)),
    ...(gate.models.every(
      ({ change: { value, low, high } }) => value === 0 && low === 0 && high === 0,
    )
      ? [`No prompt's score changed since ${baselineName}.`]
      : []),
    ...floorText(gate),
    ...groupsText(gate),
  ];
}

/** Whether nothing else is to be said of a model than that it is as good. */
const isPlainlyAsGood = ({ state, before, change }: MarginModel) =>
  state === "as-good" && before === undefined && (change.high ?? 0) >= 0;

const shownText = (margin: number, same: number | null) =>
  same === null ? `not worse by more than ${margin}` : `the same within ${margin}`;

function modelText(
  { model, before, change, state, prompts: { shared, needed } }: MarginModel,
  gate: MarginGate,
  baselineName: string,
): string {
  const margin = marginOf(gate);
  const name = before === undefined ? model : `${model} (before: ${before})`;
  const prompts = pluralText(shared, "prompt");
  if (state === "as-good") {
    const besides =
      (change.high ?? 0) < 0 ? "; it is significantly worse, but by less than that" : "";
    return `${name} is as good as in ${baselineName}: ${shownText(margin, gate.same)}, shown with ${prompts}${besides}.`;
  }
  if (state === "better") {
    return `${name} is not the same as in ${baselineName} but better by ${estimateText(change)}, more than ${margin}.`;
  }
  if (state === "worse") {
    const beyond =
      (change.high ?? 0) < -margin
        ? `by more than ${margin}`
        : `significantly; whether by more than ${margin} is open`;
    return `${name} is worse than in ${baselineName} by ${estimateText(mirrored(change))}: ${beyond}.`;
  }
  if (change.value === null || change.low === null) {
    return `${name} is not decided: ${change.reason ?? "there is no interval"}.`;
  }
  if (change.reason !== undefined) return `${name} is not decided: ${change.reason}.`;
  const forecast =
    needed === null
      ? "more prompts would hardly decide"
      : `about ${pluralText(rounded(needed), "prompt")} would decide (${countText(shared)} now)`;
  return `${name} is not decided: the interval reaches ${reachText(change, gate)}; ${forecast}.`;
}

/** The end of an interval that lies beyond the margin. */
function reachText({ low, high }: Estimate, gate: MarginGate): string {
  const margin = marginOf(gate);
  const isHigh = gate.same !== null && (low ?? 0) > -margin;
  return short((isHigh ? high : low) ?? 0);
}

function floorText({ floor, proposed, noise, ...gate }: MarginGate): string[] {
  if (floor === null || proposed === null || marginOf(gate) >= proposed) return [];
  const from = noise === "self" ? "the unchanged generator's own runs" : "the images of a prompt";
  return [
    `By ${from}, these prompts show no margin below ${short(floor)} of a generator that did not change, and one ` +
      `of ${short(proposed)} in four of five gates.`,
  ];
}

function groupsText({ groups, models }: MarginGate): string[] {
  const [worst] = groups ?? [];
  if (groups === undefined || worst === undefined) return [];
  const { group, model, change } = worst;
  const lost = groups.filter(({ state }) => state === "worse");
  const shown =
    lost.length === 0
      ? "none is shown to be worse"
      : `${lost.length} ${lost.length === 1 ? "is" : "are"} shown to be worse, which misses the gate`;
  const name = models.length === 1 ? group : `${group} of ${model}`;
  const moved = change.value === null ? "" : ` (${short(change.value)})`;
  return [
    `Of ${pluralText(groups.length, "look")} at groups, ${shown}; the worst is ${name}${moved}.`,
  ];
}

const stateText: Readonly<Record<MarginVerdict["state"], string>> = {
  "as-good": "as good",
  worse: "worse",
  better: "better",
  undecided: "not decided",
};

/** Changes by model and, where a column groups prompts, by group. */
export function marginTables({ models, groups }: MarginGate): ViewTable[] {
  const isOpen = [...models, ...(groups ?? [])].some(({ prompts }) => prompts.needed != null);
  const columns = [
    textColumn("model", { isGroup: true }),
    countColumn("prompts"),
    numberColumn("change"),
    textColumn("result", { id: "shown" }),
    ...(isOpen ? [countColumn("prompts to decide", { id: "to decide" })] : []),
  ];
  const cells = ({ change, state, prompts: { shared, needed } }: MarginVerdict) => [
    shared,
    change,
    stateText[state],
    ...(isOpen ? [needed ?? ""] : []),
  ];
  return [
    {
      title: "Change since the baseline",
      isHeadline: true,
      columns,
      rows: models.map((model) => [model.model, ...cells(model)]),
      note:
        "Above 0 for the better, on the prompts with scores before and now, paired. Brackets: the two-sided 90 % " +
        "interval, so that each end holds at 95 %.",
    },
    ...(groups === undefined
      ? []
      : [
          {
            title: "By group, worst first",
            isHeadline: true,
            columns: [textColumn("group", { isGroup: true }), ...columns],
            rows: groups.map((group) => [group.group, group.model, ...cells(group)]),
            note:
              `${pluralText(groups.length, "look")}: each interval's ends hold at ` +
              `${fixedText(100 - 5 / groups.length, 1)} %, all together at 95 % (Bonferroni).`,
          },
        ]),
  ];
}

/** How the gate's interval was made. */
export const marginMethod = ({ interval }: MarginGate) =>
  ` The change's interval: 90 % Student's t over prompts${
    interval === "t" ? "" : ", corrected for skewness (Hall) and for scores of few values"
  }.`;

const noiseText = {
  self: "scores of the same generator",
  samples: "several images of a prompt",
  prompts: "scores of all prompts (an upper bound)",
} as const;

/** How many prompts show a margin. */
export function planView(plan: MarginPlan): ViewWithData {
  const { margin, power, prompts, samples, perModel, same } = plan;
  const models = Object.entries(perModel);
  const each = `${pluralText(samples, "image")} each`;
  const columns = [
    textColumn("model"),
    countColumn("prompts"),
    countColumn("images per prompt", { id: "samples" }),
    numberColumn("deviation"),
    textColumn("taken from"),
  ];
  const rows = models.map(([model, { prompts: its, samples: many, noise }]) => [
    model,
    its,
    many,
    noise.deviation,
    noiseText[noise.from],
  ]);
  return {
    verdict:
      prompts === null
        ? `A margin of ${margin} takes more than ten million prompts.`
        : `You need about ${pluralText(prompts, "prompt")} with ${each} to show, with power ${power}, ` +
          `that an unchanged model is ${shownText(margin, same)}.`,
    tables: [
      {
        title: "Prompts",
        columns,
        rows,
        note: "Deviation: of the change of a prompt's mean score while the generator stays as it is.",
      },
    ],
    data: { columns, rows },
    caveats: models.some(([, { noise }]) => noise.from === "prompts")
      ? [
          "with one image per prompt, chance cannot be told from differences between prompts, so fewer prompts may " +
            "suffice: pass scores of a second run of the same generator by --self",
        ]
      : [],
    method: `Power of a one-sided test at 5 % of the paired change${same === null ? "" : ", at both ends"}.`,
  };
}

const short = (value: number) => {
  const text = String(Number(Math.abs(value).toPrecision(2)));
  return value < 0 ? `−${text}` : text;
};
