import { groupBy } from "../../core/arrays.js";
import { modelsBehind } from "../../core/metric.js";
import { bareName } from "../../core/models.js";
import { countText, listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import type { MetricSanity } from "./metric-sanity.js";

/** Sight of models and sanity of metrics, by name. */
export interface Sanity {
  readonly models: Readonly<
    Record<string, { readonly sight: ModelSight; readonly acuity?: Acuity }>
  >;
  readonly metrics: Readonly<Record<string, MetricSanity>>;
}

/** The smallest detail that a model sees, in pixels of an image of so many; null where none. */
export type Acuity = Readonly<{ pixels: number | null; of: number }>;

interface ModelSight {
  readonly state: string;
  readonly right: number;
  readonly of: number;
}

const notChecked = "Not checked.";

/** Says what models see and metrics read, defects first, a sentence each. */
export function sanityVerdict({ models, metrics }: Sanity): string {
  const checked = Object.entries(metrics).filter(([, { state }]) => state !== "skipped");
  const sights = Object.entries(models).flatMap(([name, { sight, acuity }]) => {
    const { state, right, of } = sight;
    const detail = acuity === undefined ? "" : `, ${acuityText(acuity)}`;
    if (state === "sees") return [`${name} sees images (${right} of ${of})${detail}.`];
    if (state === "blind") return [`${name} does not see images (${right} of ${of}).`];
    return state === "unclear"
      ? [`Whether ${name} sees images is unclear (${right} of ${of}).`]
      : [];
  });
  const isDefect = ([, { state }]: readonly [string, MetricSanity]) => state === "defect";
  const told = [...checked.filter(isDefect), ...checked.filter((one) => !isDefect(one))];
  // Of metrics that were not tried, for one reason, one sentence tells.
  const alike = groupBy(told, ([name, one]) => (one.items === 0 ? metricVerdict("", one) : name));
  const each = [...alike.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [metricVerdict(listText(group.map(([name]) => name)), first[1])];
  });
  const sentences = [...sights, ...each];
  return sentences.length === 0 ? notChecked : sentences.join(" ");
}

/** @example "details down to 16 of 1,024 pixels" */
export const acuityText = ({ pixels, of }: Acuity): string =>
  pixels === null
    ? `names no disc of 256 of ${countText(of)} pixels`
    : `details down to ${pixels} of ${countText(of)} pixels`;

/** How many metrics pass their placebos, a sentence; all of them stand in the verdict. */
export function sanityLine(metrics: Sanity["metrics"]): string {
  const checked = Object.entries(metrics).filter(([, { state }]) => state !== "skipped");
  const others = checked.filter(([, { state }]) => state === "defect" || state === "too-few");
  const passing = "read their texts and look at their images";
  return others.length === 0
    ? `All ${checked.length} metrics ${passing}.`
    : `${checked.length - others.length} of ${checked.length} metrics ${passing}; not shown of ` +
        `${listText(others.map(([name]) => name))}.`;
}

/** More metrics that pass are counted on a page, not told one by one. */
const mostTold = 2;

/** What a page says: of many metrics how many pass, and in full only what is not as it should be. */
export function sanityOnPage({ models, metrics }: Sanity): string {
  const checked = Object.entries(metrics).filter(([, { state }]) => state !== "skipped");
  if (checked.length <= mostTold) return sanityVerdict({ models, metrics });
  const others = checked.filter(
    ([, { state, notWhole }]) => state === "defect" || state === "too-few" || notWhole.length > 0,
  );
  const told = sanityVerdict({ models, metrics: Object.fromEntries(others) });
  return told === notChecked ? sanityLine(metrics) : `${sanityLine(metrics)} ${told}`;
}

/** A metric, or a judge of pairs ("pairs"), as `metrics` names it. */
export const sanityName = ({
  metric,
  convention,
  model,
}: {
  readonly metric: string;
  readonly convention?: string | undefined;
  readonly model: string;
}): string => `${metric}${convention === undefined ? "" : `:${convention}`}=${bareName(model)}`;

/** Selects the models that a metric asks; `metric` is its name in `metrics`. */
export function modelsAsked(models: Sanity["models"], metric: string): Sanity["models"] {
  const asked = modelsBehind({ model: metric.replace(/^[^=]*=/, "") }).map(bareName);
  const isAsked = ([name]: readonly [string, unknown]) => asked.includes(bareName(name));
  return Object.fromEntries(Object.entries(models).filter(isAsked));
}

/** Whether anything is a defect: a model that is blind, or a metric that does not do what it should. */
export const hasDefect = ({ models, metrics }: Sanity): boolean =>
  Object.values(models).some(({ sight }) => sight.state === "blind") ||
  Object.values(metrics).some(({ state }) => state === "defect");

/**
 * What placebos say of a metric, a sentence, and another where inputs did not reach the model whole.
 *
 * @example "vqa-score=judge reads texts (scores an image higher with its own text than with another in 23 of 24 tried [0.80, 0.99]) and looks at images (scores a text higher with its own image in 24 of 24)."
 */
export const metricVerdict = (name: string, sanity: MetricSanity): string =>
  [placeboVerdict(name, sanity), ...sanity.notWhole.map((text) => `${name}: ${text}.`)].join(" ");

/** How many inputs did not reach the model whole. @example "3 texts cut, 1 image shrunk" */
export const notWholeText = ({ cutTexts, cutImages, shrunkImages }: MetricSanity): string =>
  (
    [
      [cutTexts, "text", "cut"],
      [cutImages, "image", "cut"],
      [shrunkImages, "image", "shrunk"],
    ] as const
  )
    .flatMap(([count, noun, what]) =>
      count === null || count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"} ${what}`],
    )
    .join(", ");

function placeboVerdict(name: string, sanity: MetricSanity): string {
  const { items, readsText, looksAtImage, findings } = sanity;
  const defects = findings.filter(({ severity }) => severity === "defect");
  const told = defects.length > 0 ? defects : findings.filter(({ kind }) => kind === "too-few");
  const shares: Partial<Record<string, Estimate>> = {
    "ignores-text": readsText,
    "ignores-image": looksAtImage,
    reversed: (readsText.high ?? 1) < 0.5 ? readsText : looksAtImage,
  };
  if (told.length > 0) {
    const each = told.map(({ kind, text }) => {
      const share = shares[kind];
      return share === undefined
        ? text
        : `${text} (${share2(share.value)}${interval(share)} of ${items})`;
    });
    return `${name} ${each.join("; it ")}.`;
  }
  const of = (share: Estimate) => `${Number(((share.value ?? 0) * items).toFixed(1))} of ${items}`;
  return (
    `${name} reads texts (scores an image higher with its own text than with another in ` +
    `${of(readsText)} tried${interval(readsText)}) and looks at images (scores a text higher with its own image in ${of(looksAtImage)}).`
  );
}

const share2 = (value: number | null): string => (value === null ? "–" : value.toFixed(2));

const interval = ({ low, high }: Estimate): string =>
  low === null || high === null ? "" : ` [${share2(low)}, ${share2(high)}]`;
