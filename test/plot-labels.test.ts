import { describe, expect, test } from "vitest";
import { curvesFigure } from "../packages/lab/src/experiments/ensemble/curves-plot.js";
import { labelsFigure } from "../packages/lab/src/experiments/ensemble/labels-plot.js";
import { prejudiceFigure } from "../packages/lab/src/experiments/proto-score/prejudice-plot.js";
import { agreement } from "../src/analysis/agreement/agreement.js";
import { calibration } from "../src/analysis/calibration/calibration.js";
import { significance } from "../src/analysis/calibration/significance.js";
import { comparison } from "../src/analysis/comparison/comparison.js";
import { attributes } from "../src/analysis/confusion/attributes.js";
import { correlation } from "../src/analysis/correlation/correlation.js";
import { ensemble } from "../src/analysis/ensemble/ensemble.js";
import type { EnsembleRow } from "../src/analysis/ensemble/ensemble-rows.js";
import { contrastive } from "../src/analysis/pairs/contrastive.js";
import { swapTest } from "../src/analysis/pairs/swap-test.js";
import { preferences } from "../src/analysis/preferences/preferences.js";
import { auditItems } from "../src/analysis/stereotypes/audit-items.js";
import { stereotypes } from "../src/analysis/stereotypes/stereotypes.js";
import { auditItemsPlot } from "../src/benchmarks/stereotypes/audit-view.js";
import { auditPriceFigure, type PricePlace } from "../src/benchmarks/stereotypes/price-figure.js";
import { agreementFigure } from "../src/conclusions/agreement/figure.js";
import { attributesFigure } from "../src/conclusions/attributes/figure.js";
import { calibrationFigure } from "../src/conclusions/calibration/figure.js";
import { comparisonFigure } from "../src/conclusions/compare/figure.js";
import { contrastiveFigure } from "../src/conclusions/contrastive/figure.js";
import { correlationFigure } from "../src/conclusions/correlation/figure.js";
import { withinGroupsFigure } from "../src/conclusions/correlation/within-figure.js";
import { ensembleFigure } from "../src/conclusions/ensemble/figure.js";
import { preferencesFigure } from "../src/conclusions/preferences/figure.js";
import { significanceFigure } from "../src/conclusions/significance/figure.js";
import { stereotypesFigure } from "../src/conclusions/stereotypes/figure.js";
import { swapFigure } from "../src/conclusions/swap/figure.js";
import { randomFrom } from "../src/core/random.js";
import type { Figure } from "../src/views/figures/figure.js";
import { sizeOf } from "../src/views/figures/marks.js";
import { textWidth } from "../src/views/figures/text-width.js";
import { type SceneMark, sceneOf } from "./support/scene.js";

const few = { resamples: 100, seed: 0 };
const long = "an-evaluator-with-a-long-name/and-a-model-of-sixty-letters-1";
const hostile = [long, "<script>alert(1)</script>", "שלום-עולם", "评分模型", "", "κ ≥ ρ"];
const nameOf = (at: number) => (hostile[at] ?? `name-${at}`) || "-";

/** The rectangle that a text fills, however its reader's font draws it. */
function boxOf({ text, x, y, fontSize, align, angle }: SceneMark) {
  const width = textWidth(text, fontSize);
  const start = align === "right" ? -width : align === "center" ? -width / 2 : 0;
  const half = fontSize / 2;
  return angle === 0
    ? { text, left: x + start, right: x + start + width, top: y - half, bottom: y + half }
    : { text, left: x - half, right: x + half, top: y - width / 2, bottom: y + width / 2 };
}

/** Thirty metrics, long and foreign names, one row, nothing at all. */
function hard(): Readonly<Record<string, Figure>> {
  const random = randomFrom("hard");
  const names = Array.from({ length: 30 }, (_, at) => nameOf(at));
  const pairs = names.flatMap((metric, at) =>
    [0, 1, 2].map((id) => ({
      id: `${id}`,
      metric,
      domain: nameOf(id),
      prompt: `${id}`,
      correct: at === 3 ? null : random.next(),
      adversarial: random.next(),
    })),
  );
  const table = {
    human: `people's ${long}`,
    metrics: names,
    rows: Array.from({ length: 50 }, (_, at) => ({
      id: `${at}`,
      human: random.integer(5) * 1e6,
      scores: names.map((_, metric) => (metric === 2 ? 1 : random.next() * 10 ** (metric - 10))),
    })),
  };
  const ratings = names.flatMap((annotator) =>
    [1, 2, 3, 4].map((item) => ({
      item: `${item}`,
      annotator,
      value: `${random.integer(4)}`,
    })),
  );
  const preferred = names.slice(1).map((b) => ({ a: names[0] ?? "", b, preferred: "a" as const }));
  const predictions = names.flatMap((method) =>
    [0, 1, 0, 1].map((label, id) => ({
      id: `${id}`,
      method,
      label: label as 0 | 1,
      probability: random.next(),
    })),
  );
  const audit = names.slice(0, 12).flatMap((model) =>
    [1, 2].flatMap((query) =>
      (["initial", "refined"] as const).map((phase) => ({
        query: `${query}`,
        category: nameOf(query),
        model,
        phase,
        imageSet: "1",
        item: "age",
        present: model === names[1] ? null : (random.integer(2) as 0 | 1),
      })),
    ),
  );
  // Numbers stand at their points, so points are apart; how long names are is what is tried.
  const prices = names.slice(0, 12).map((generator, at): PricePlace => {
    const [initial, refined] = [at / 12, at === 3 ? null : random.next()];
    const scores = { initial: (at / 12) * 1e-4, refined: random.next() * 1e-4 };
    return { category: nameOf(at + 1), generator, index: { initial, refined }, alignment: scores };
  });
  const itemsPlot = (rows: Parameters<typeof auditItems>[0]): Figure => ({
    title: "items",
    caption: "before and after",
    ...auditItemsPlot(auditItems(rows, few)),
  });
  const estimate = () => ({ value: random.next() / 2, low: 0, high: random.next() });
  const settings = ["standard", "best", "average", "bpe", "mmb mixture"].flatMap((method) =>
    [5, 50].map((labels) => ({ method, labels, prompts: 20, clusters: 16 })),
  );
  const cells = settings.map((setting) => ({
    ...setting,
    metric: "ece" as const,
    estimate: estimate(),
    isBest: false,
    pAdjusted: null,
  }));
  const curves = [5, 50].map((labels) => ({
    title: `${labels} labels`,
    curves: settings
      .filter((setting) => setting.labels === labels)
      .map(({ method }) => ({
        method,
        points: [0.1, 0.5, 1].map((coverage) => ({ coverage, error: estimate() })),
      })),
  }));
  const own = { name: (method: string) => method };
  const duels = names
    .slice(0, 6)
    .flatMap((model) => [1, 2, 3].map((prompt) => ({ model, prompt: `${prompt}`, score: prompt })));
  const answers = (prompts: number, groups: number) =>
    (["validation", "test"] as const).flatMap((split) =>
      Array.from({ length: 12 }, (_, at): EnsembleRow => {
        const probabilities = Array.from({ length: prompts }, () => random.next());
        const membership = Array.from({ length: groups }, () => 1 / groups);
        const label = random.integer(2) as 0 | 1;
        return { id: `${split} ${at}`, split, label, probabilities, embedding: null, membership };
      }),
    );
  const judged = { objective: "global-entropy", resamples: 100, permutations: 100 } as const;
  const grouped = {
    ...table,
    rows: table.rows.map((row, at) => ({ ...row, group: `${at % 3}` })),
  };
  const swaps = pairs.map(({ correct, adversarial, ...row }) => ({
    ...row,
    original: correct,
    swapped: adversarial,
  }));
  const one = { human: "rating", metrics: ["m"], rows: [{ id: "1", human: 1, scores: [1] }] };
  const counted = (value: number) => ({
    n: 3,
    unscored: 0,
    value: { value, low: value - 0.05, high: value + 0.05 },
  });
  const trained = {
    prompts: 3,
    scenes: 3,
    intervals: "none",
    methods: names.slice(0, 8).map((says, at) => ({
      name: nameOf(at),
      says,
      triplets: counted(0.5),
      controls: counted(0.5),
      reversed: counted(0.5),
      calibrationError: counted(0.1),
      prejudice: counted(at / 4 - 0.9),
      alignment: counted(0.5 + at / 20),
    })),
  };
  const scores = [0.1, 0.5, 0.99999].map((probability, at) => ({
    id: `${at}`,
    label: 1,
    probability,
  }));
  return {
    contrastive: contrastiveFigure(contrastive(pairs, few)),
    correlation: correlationFigure(correlation(table, few), table),
    "correlation of one row": correlationFigure(correlation(one, few), one),
    agreement: agreementFigure(agreement(ratings, { scale: "ordinal", ...few })),
    "agreement of anonymous raters": agreementFigure(
      agreement(
        ratings.map(({ item, value }) => ({ item, value })),
        { scale: "ordinal", ...few },
      ),
    ),
    "correlation within groups": withinGroupsFigure(correlation(grouped, { ...few, grouping: {} })),
    preferences: preferencesFigure(preferences(preferred, { ...few, prior: 0.1 })),
    "preferences for one that never lost": preferencesFigure(
      preferences(preferred.slice(0, 1), few),
    ),
    "no preferences": preferencesFigure(preferences([], few)),
    swap: swapFigure(swapTest(swaps, few)),
    "swap of nothing": swapFigure(swapTest([], few)),
    calibration: calibrationFigure(calibration(scores, { ...few, binCount: 200 })),
    "calibration of one row": calibrationFigure(calibration(scores.slice(0, 1), few)),
    significance: significanceFigure(
      significance(predictions, {
        metrics: ["ece", "nll", "brier", "accuracy"],
        permutations: 100,
      }),
    ),
    stereotypes: stereotypesFigure(stereotypes(audit, few)),
    "items of an audit": itemsPlot(audit),
    "price of refining": auditPriceFigure(prices, { metric: long, direction: "higher" }),
    "no price of refining": auditPriceFigure([], { metric: long, direction: "lower" }),
    "error by labels": labelsFigure(cells, own),
    "error over coverage": curvesFigure(curves, {
      ...own,
      title: "Error over coverage",
      caption: "by labels",
    }),
    comparison: comparisonFigure(comparison(duels, few)),
    "prejudice against alignment": prejudiceFigure(trained),
    "prejudice of nothing": prejudiceFigure({ ...trained, methods: [] }),
    ensemble: ensembleFigure(ensemble(answers(60, 30), judged)),
    "ensemble of one prompt": ensembleFigure(ensemble(answers(1, 1), judged)),
    "contrastive of nothing": contrastiveFigure(contrastive([], few)),
    "correlation of nothing": correlationFigure(correlation({ ...one, rows: [] }, few), one),
    "agreement of nothing": agreementFigure(agreement([], { scale: "nominal", ...few })),
    "calibration of nothing": calibrationFigure(calibration([], few)),
    "stereotypes of nothing": stereotypesFigure(stereotypes([], few)),
    "attributes of nothing": attributesFigure(attributes([], few)),
    "comparison of nothing": comparisonFigure(comparison([], few)),
  };
}

const drawings = Object.entries(hard()).flatMap(([name, { narrow, ...figure }]) => [
  [name, figure] as const,
  ...(narrow === undefined ? [] : [[`${name}, narrow`, { ...figure, spec: narrow }] as const]),
]);

describe.each(drawings)("%s", (_, { spec, title, caption }) => {
  test("no label is cut off or hides another, whatever names there are", async () => {
    const scene = await sceneOf(spec);
    expect(scene.length).toBeGreaterThan(0);
    expect(title.length * caption.length).toBeGreaterThan(0);
    const boxes = scene
      .filter(({ kind, text, opacity }) => kind === "text" && text !== "" && opacity > 0)
      .map(boxOf);
    const own = spec as { padding?: unknown; width?: unknown; height?: unknown };
    const padding = own.padding;
    const edges =
      typeof padding === "number"
        ? { left: padding, right: padding, top: padding, bottom: padding }
        : (padding as Readonly<Record<"left" | "right" | "top" | "bottom", number>>);
    const size = sizeOf(spec) ?? {
      width: Number(own.width) + edges.left + edges.right,
      height: Number(own.height) + edges.top + edges.bottom,
    };
    const cut = boxes.filter(
      ({ left, right, top, bottom }) =>
        left < -edges.left - 1 ||
        right > size.width - edges.left + 1 ||
        top < -edges.top - 1 ||
        bottom > size.height - edges.top + 1,
    );
    expect(cut).toEqual([]);
    const hidden = boxes.flatMap((one, at) =>
      boxes
        .slice(at + 1)
        .filter(
          (other) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2,
        )
        .map((other) => `${one.text} | ${other.text}`),
    );
    expect(hidden).toEqual([]);
    expect(size.width).toBeLessThan(1120);
  });
});
