import { encode } from "fast-png";
import { failureRateDifference } from "../../src/analysis/pairs/failure-rate-difference.js";
import {
  type EffectRow,
  prototypicalityEffect,
} from "../../src/analysis/pairs/prototypicality-effect.js";
import type { EvaluatedMetric } from "../../src/analysis/pairs/triplets.js";
import type { CardImage } from "../../src/benchmarks/disagreement-gallery.js";
import type {
  PairCard,
  PrototypicalityReport,
  SelectionResults,
} from "../../src/benchmarks/prototypicality/conclusion.js";
import { loadPublished } from "../../src/benchmarks/prototypicality/published.js";
import { keyOf } from "../../src/core/keys.js";
import { type Random, randomFrom } from "../../src/core/random.js";

/** Made-up results, in the shapes of real ones. Nothing here was measured. */
const metrics: readonly EvaluatedMetric[] = [
  {
    id: "clip-score lab:dual-encoder-skewed",
    metric: "clip-score",
    version: 1,
    convention: "hessel",
    statistic: "2.5 x max(cosine, 0)",
    model: "lab:dual-encoder-skewed@1",
    range: [0, 2.5],
    direction: "higher",
  },
  {
    id: "clip-score lab:dual-encoder-even",
    metric: "clip-score",
    version: 1,
    convention: "hessel",
    statistic: "2.5 x max(cosine, 0)",
    model: "lab:dual-encoder-even@1",
    range: [0, 2.5],
    direction: "higher",
  },
  {
    id: "vqa-score lab:yes-no",
    metric: "vqa-score",
    version: 1,
    template: 'Does this figure show "{text}"? Please answer yes or no.',
    statistic: "P(yes)",
    model: "lab:yes-no@1",
    range: [0, 1],
    direction: "higher",
  },
];

const domains = ["animals", "objects", "demography"];
const knobs = ["count", "colour", "layout_relation", "spatial", "scale_size"];
const failing = {
  contrastive: [0.31, 0.14, 0.09],
  "control-atypical": [0.07, 0.09, 0.08],
  "control-typical": [0.08, 0.1, 0.07],
  reversed: [0.02, 0.09, 0.05],
} as const;
const comparisons = ["contrastive", "control-atypical", "control-typical", "reversed"] as const;

function fakeRows(pairs: number, random: Random): EffectRow[] {
  return metrics.flatMap(({ id: metric }, at) =>
    comparisons.flatMap((comparison) =>
      Array.from({ length: pairs }, (_, row): EffectRow => {
        const knob = knobs[row % knobs.length] ?? "";
        const fails = random.chance(
          (failing[comparison][at] ?? 0) * (knob === "count" ? 1.8 : 0.8),
        );
        const correct = random.between(0.4, 0.8);
        const margin = random.between(0.01, 0.2) * (fails ? -1 : 1);
        const isUnscored = comparison === "contrastive" && at === 2 && row % 97 === 5;
        return {
          id: `${comparison}-${row}`,
          prompt: `prompt-${Math.floor(row / 5)}`,
          metric,
          domain: domains[Math.floor(row / 5) % domains.length] ?? "",
          comparison,
          knob,
          correct: isUnscored ? null : correct,
          adversarial: row % 71 === 3 ? correct : correct - margin,
        };
      }),
    ),
  );
}

function fakeSelection(name: string, description: string, pairs: number) {
  const rows = fakeRows(pairs, randomFrom(0, "sample report", name));
  const { metrics: found } = prototypicalityEffect(rows, { resamples: 100 });
  const results: SelectionResults = {
    name,
    description,
    metrics: Object.entries(found).map(([metric, effect]) => ({ metric, ...effect })),
  };
  return { rows, results };
}

/** Sixty of 400 pairs of each domain are lost. */
function fakeRetention(): NonNullable<SelectionResults["retention"]> {
  const counted = (pairs: number) => ({
    pairs,
    kept: pairs * 0.85,
    share: { value: 0.85, low: 0.81, high: 0.89 },
    lost: {
      "correct image below the threshold": pairs * 0.1,
      "adversarial image below the threshold": pairs * 0.05,
    },
  });
  return {
    overall: counted(1200),
    domains: domains.map((domain) => ({ domain, ...counted(400) })),
    intervals: {
      method: "percentile",
      level: 0.95,
      clusteredBy: "prompt",
      clusters: 240,
      text: "95 % percentile bootstrap",
    },
  };
}

/** A coloured square with a few discs: about as heavy as a lab image. */
function fakePng(random: Random): Uint8Array {
  const side = 192;
  const colour = () => [random.integer(256), random.integer(256), random.integer(256)] as const;
  const ground = [225, 235, 220] as const;
  const discs = Array.from({ length: 4 }, () => ({
    x: random.integer(side),
    y: random.integer(side),
    r: 12 + random.integer(30),
    colour: colour(),
  }));
  const data = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const disc = discs.findLast((one) => (one.x - x) ** 2 + (one.y - y) ** 2 < one.r ** 2);
      data.set(disc?.colour ?? ground, (y * side + x) * 3);
    }
  }
  return encode({ width: side, height: side, data, channels: 3, depth: 8 });
}

function fakeImage(role: string, text: string, random: Random): CardImage {
  return {
    key: keyOf({ role, text, draw: random.integer(1e9) }),
    text,
    mediaType: "image/png",
    bytes: fakePng(random),
    width: 192,
    height: 192,
  };
}

const fakeMembers = {
  contrastive: ["penguin", "songbird"],
  "control-typical": ["songbird", "songbird"],
  "control-atypical": ["penguin", "penguin"],
  reversed: ["songbird", "penguin"],
} as const;

function fakeCard(
  at: number,
  comparison: PairCard["comparison"],
  group: PairCard["group"],
): PairCard {
  const random = randomFrom(0, "sample card", comparison, at);
  const members = fakeMembers[comparison];
  const sentence = (who: string, number: string) =>
    `A ${who} is standing in a quiet green meadow with exactly ${number} stalks.`;
  return {
    comparison,
    group,
    prompt: keyOf({ at, members }),
    text: sentence("bird", "two").replace("A bird", "An animal"),
    domain: domains[at % 3] ?? "",
    knob: knobs[at % 5] ?? "",
    right: "two",
    wrong: "three",
    extra: "stalk",
    members,
    correct: fakeImage("correct", sentence(members[0], "two"), random),
    adversarial: fakeImage("adversarial", sentence(members[1], "three"), random),
    scores: metrics.map(({ id: metric }, index) => {
      const right = group === "all-right" || (group === "disagree" && index === 2);
      const base = random.between(0.3, 0.8);
      const other = base + (right ? -1 : 1) * random.between(0.0001, 0.2);
      return {
        metric,
        outcome: right ? "right" : "wrong",
        correct: { key: keyOf({ at, index, comparison, image: 0 }), value: base },
        adversarial: { key: keyOf({ at, index, comparison, image: 1 }), value: other },
      };
    }),
  };
}

/** A report like that of `touchstone demo`, of made-up numbers. */
export function sampleReport(): PrototypicalityReport {
  const cards = [
    ...Array.from({ length: 9 }, (_, at) => fakeCard(at, "contrastive", "disagree")),
    ...Array.from({ length: 5 }, (_, at) => fakeCard(at + 20, "contrastive", "all-fail")),
    ...Array.from({ length: 4 }, (_, at) => fakeCard(at + 40, "contrastive", "all-right")),
    ...Array.from({ length: 2 }, (_, at) => fakeCard(at + 60, "control-typical", "all-right")),
    ...Array.from({ length: 2 }, (_, at) => fakeCard(at + 80, "control-atypical", "disagree")),
  ];
  const filtered = fakeSelection(
    "filtered",
    "of which the filter rated both images 8 or more of 10",
    900,
  );
  const [clip, , vqa] = metrics;
  return {
    name: "demo",
    fromLab: true,
    metrics,
    selections: [
      { ...filtered.results, retention: fakeRetention() },
      fakeSelection("unfiltered", "as they were generated", 1200).results,
      fakeSelection("truth-filtered", "whose images show what their prompts say", 800).results,
    ],
    differences:
      clip === undefined || vqa === undefined
        ? []
        : [
            {
              metric: clip.id,
              than: vqa.id,
              difference: failureRateDifference(
                filtered.rows.filter(({ comparison }) => comparison === "contrastive"),
                { metric: clip.id, than: vqa.id, resamples: 100 },
              ),
            },
          ],
    cards,
    drawnTriplets: { cards: 2, of: 6 },
    claims: {
      paper: "A made-up paper",
      findings: [
        {
          statement: "CLIPScore fails in most triplets",
          source: "section 5.1",
          measured: "failure rate of clip-score",
          expected: "above",
          threshold: 0.5,
          estimate: { value: 0.4, low: 0.36, high: 0.44 },
          scale: "share",
          n: 900,
          clusters: 180,
          clusteredBy: "prompt",
          p: 0.0001,
          outcome: "fails",
        },
      ],
    },
    times: metrics.map(({ id }, at) => ({
      metric: id,
      n: 1200,
      seconds: { value: 0.1 + at, low: 0.09 + at, high: 0.11 + at },
      perSecond: 40 / (1 + at),
      calls: at === 2 ? 1 : null,
      tokens: at === 2 ? 412 : null,
      cost: at === 2 ? 0.0021 : null,
    })),
    gallery: {
      columns: [
        { name: "clip-score", model: "lab:dual-encoder", direction: "higher" },
        { name: "the truth", model: "1 if right", direction: "higher" },
      ],
      entries: cards.slice(0, 2).map(({ text, adversarial }) => ({
        image: adversarial,
        text,
        generator: "lab:painter@1",
        scores: [0.9, 0],
        ranks: [0.98, 0.25],
        highest: 0,
        lowest: 1,
        spread: 0.73,
      })),
      images: 5000,
    },
    unscored: [
      {
        step: "build-prompts@1",
        of: "template",
        reason: "not-applicable",
        retryable: false,
        count: 2,
        detail: "The lab has no picture of a pangolin",
      },
      {
        step: "score-images@1",
        of: "vqa-score with lab:yes-no@1",
        reason: "timeout",
        retryable: true,
        count: 9,
        detail: "no answer within 30 s",
      },
    ],
    leftOut: [
      {
        domain: "animals",
        category: "mammal",
        nonPrototype: "pangolin",
        prototype: "dog",
        reason: "not-applicable",
        prompts: 1,
        detail: "The lab has no picture of a pangolin",
      },
      {
        domain: "objects",
        category: "tableware",
        nonPrototype: "tagine",
        prototype: "bowl",
        reason: "not-applicable",
        prompts: 1,
        detail: "The lab has no picture of a tagine",
      },
    ],
    published: loadPublished(),
    warnings: [],
    tieTolerance: 1e-6,
    provenance: {
      software: ["touchstone-t2i 0.1.0"],
      seed: 0,
      intervals: "95 % percentile bootstrap: 2,000 resamples of 180 prompts, seed 0",
      commands: ["touchstone demo --size full --seed 0 --run runs/demo"],
      runFolder: "runs/demo",
      steps: [
        { name: "build-prompts@1", parameters: { seed: 0, size: { prompts: 180 } } },
        { name: "paint-images@1", parameters: { samples: 5 } },
      ],
      making: [],
      models: [
        { name: "lab:painter@1", steps: ["paint-images@1"] },
        { name: "lab:yes-no@1", steps: ["score-images@1"] },
      ],
      sources: [{ path: "taxonomy.yaml", sha256: "0f".repeat(32) }],
      records: [
        { type: "prompt", done: 180, leftOut: 2, unscored: 0 },
        { type: "image", done: 3600, leftOut: 0, unscored: 0 },
        { type: "score", done: 10791, leftOut: 0, unscored: 9 },
      ],
    },
  };
}
