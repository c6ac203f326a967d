import { encode } from "fast-png";
import {
  type ContrastiveRow,
  type ContrastiveSummary,
  contrastive,
} from "../../src/analysis/contrastive.js";
import { loadPublished } from "../../src/benchmarks/prototypicality/published.js";
import { keyOf } from "../../src/core/keys.js";
import { type Random, randomFrom } from "../../src/core/random.js";
import type { ImageRole } from "../../src/core/records.js";
import type {
  CardImage,
  Comparison,
  FilterView,
  MetricResults,
  PairCard,
  PrototypicalityReport,
  ReportedMetric,
} from "../../src/report/prototypicality-report.js";

/** Made-up results, in the shapes of real ones. Nothing here was measured. */
const metrics: readonly ReportedMetric[] = [
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
const kinds = ["triplets", "bothAtypical", "bothTypical"] as const;
const failing = {
  triplets: [0.31, 0.14, 0.09],
  bothAtypical: [0.07, 0.09, 0.08],
  bothTypical: [0.08, 0.1, 0.07],
};

interface FakeRow extends ContrastiveRow {
  readonly kind: (typeof kinds)[number];
  readonly knob: string;
}

function fakeRows(pairs: number, random: Random): FakeRow[] {
  return metrics.flatMap(({ id: metric }, at) =>
    kinds.flatMap((kind) =>
      Array.from({ length: pairs }, (_, row): FakeRow => {
        const knob = knobs[row % knobs.length] ?? "";
        const harder = knob === "count" ? 1.8 : 0.8;
        const fails = random.chance((failing[kind][at] ?? 0) * harder);
        const correct = random.between(0.4, 0.8);
        const margin = random.between(0.01, 0.2) * (fails ? -1 : 1);
        const unscored = kind === "triplets" && at === 2 && row % 97 === 5;
        return {
          id: `${kind}-${row}`,
          prompt: `prompt-${Math.floor(row / 5)}`,
          metric,
          domain: domains[Math.floor(row / 5) % domains.length] ?? "",
          kind,
          knob,
          correct: unscored ? null : correct,
          adversarial: row % 71 === 3 ? correct : correct - margin,
        };
      }),
    ),
  );
}

function comparison(
  rows: readonly FakeRow[],
  metric: string,
): Comparison & { macro: ContrastiveSummary } {
  const of = (wanted: readonly string[]) => {
    const { metrics } = contrastive(
      rows.filter((row) => row.metric === metric && wanted.includes(row.kind)),
      { resamples: 100 },
    );
    const found = metrics[metric];
    if (found === undefined) throw new Error(`no rows for ${metric}`);
    return found;
  };
  const triplets = of(["triplets"]);
  const controls = of(["bothAtypical", "bothTypical"]).overall;
  const value = (triplets.overall.failureRate.value ?? 0) - (controls.failureRate.value ?? 0);
  return {
    triplets: triplets.overall,
    bothAtypical: of(["bothAtypical"]).overall,
    bothTypical: of(["bothTypical"]).overall,
    controls,
    effect: { value, low: value - 0.03, high: value + 0.03 },
    macro: triplets.macro,
  };
}

function fakeView(name: string, description: string, pairs: number): FilterView {
  const rows = fakeRows(pairs, randomFrom(0, "sample report", name));
  const by = (names: readonly string[], member: "domain" | "knob", metric: string) =>
    Object.fromEntries(
      names.map((value) => [
        value,
        comparison(
          rows.filter((row) => row[member] === value),
          metric,
        ),
      ]),
    );
  return {
    name,
    description,
    metrics: metrics.map(({ id: metric }): MetricResults => {
      const { macro, ...overall } = comparison(rows, metric);
      return {
        metric,
        overall,
        macro,
        domains: by(domains, "domain", metric),
        knobs: by(knobs, "knob", metric),
      };
    }),
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

function fakeImage(role: ImageRole, text: string, random: Random): CardImage {
  return {
    key: keyOf({ role, text, draw: random.integer(1e9) }),
    role,
    text,
    mediaType: "image/png",
    bytes: fakePng(random),
    width: 192,
    height: 192,
  };
}

const fakeMembers = {
  triplet: ["penguin", "songbird"],
  "both-typical": ["songbird", "songbird"],
  "both-atypical": ["penguin", "penguin"],
} as const;

function fakeCard(at: number, kind: PairCard["kind"], group: PairCard["group"]): PairCard {
  const random = randomFrom(0, "sample card", kind, at);
  const members = fakeMembers[kind];
  const sentence = (who: string, number: string) =>
    `A ${who} is standing in a quiet green meadow with exactly ${number} stalks.`;
  return {
    kind,
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
        correct: { key: keyOf({ at, index, kind, image: 0 }), value: base },
        adversarial: { key: keyOf({ at, index, kind, image: 1 }), value: other },
      };
    }),
  };
}

/** A report like that of `touchstone demo`, of made-up numbers. */
export function sampleReport(): PrototypicalityReport {
  const cards = [
    ...Array.from({ length: 9 }, (_, at) => fakeCard(at, "triplet", "disagree")),
    ...Array.from({ length: 5 }, (_, at) => fakeCard(at + 20, "triplet", "all-fail")),
    ...Array.from({ length: 4 }, (_, at) => fakeCard(at + 40, "triplet", "all-right")),
    ...Array.from({ length: 2 }, (_, at) => fakeCard(at + 60, "both-typical", "all-right")),
    ...Array.from({ length: 2 }, (_, at) => fakeCard(at + 80, "both-atypical", "disagree")),
  ];
  return {
    name: "demo",
    fromLab: true,
    metrics,
    views: [
      fakeView("filtered", "that the filter kept (each image rated 8 or more of 10)", 900),
      fakeView("unfiltered", "as they were generated", 1200),
      fakeView("filtered by the truth", "whose images show what their prompts say", 800),
    ],
    differences: [
      {
        metric: metrics[0]?.id ?? "",
        than: metrics[2]?.id ?? "",
        difference: { value: 0.22, low: 0.17, high: 0.26 },
      },
    ],
    retention: [
      {
        filter: "rating by lab:filter, 8 or more of 10",
        domains: domains.map((domain, at) => ({
          domain,
          pairs: 400,
          kept: 320 - at * 20,
          lost: {
            "correct image rated below 8": 50 + at * 10,
            "adversarial image rated below 8": 28 + at * 10,
            unscored: 2,
          },
        })),
      },
    ],
    cards,
    cardRule:
      "Drawn with seed 0 by a rule that looks at no score beyond who was right: from each group one pair of each domain and knob in turn, at most one of a prompt.",
    unscored: [
      {
        step: "build-prototypicality@1",
        subject: "prompt",
        reason: "not-applicable",
        retryable: false,
        count: 180,
        detail: "The lab has no picture of a pangolin",
      },
      {
        step: "score@1",
        subject: "vqa-score with lab:yes-no@1",
        reason: "timeout",
        retryable: true,
        count: 9,
        detail: "no answer within 30 s",
      },
    ],
    leftOut: [
      {
        domain: "animals",
        nonPrototype: "pangolin",
        prototype: "dog",
        prompts: 100,
        detail: "The lab has no picture of a pangolin",
      },
      {
        domain: "objects",
        nonPrototype: "tagine",
        prototype: "bowl",
        prompts: 80,
        detail: "The lab has no picture of a tagine",
      },
    ],
    published: loadPublished(),
    provenance: {
      software: "touchstone-t2i 0.1.0",
      seed: 0,
      intervals: "95 % percentile bootstrap: 2,000 resamples of 180 prompts, seed 0",
      commands: [
        {
          does: "Make the run again, from nothing:",
          command: "touchstone demo --size full --seed 0 --run runs/demo",
        },
        { does: "Make this page again from the run:", command: "touchstone report runs/demo" },
      ],
      runFolder: "runs/demo",
      steps: [
        { name: "build-prototypicality@1", parameters: { prompts: 180, seed: 0 } },
        { name: "paint@1", parameters: { samples: 5 } },
      ],
      models: [
        {
          name: "lab:dual-encoder-skewed@1",
          identity: { provider: "lab", model: "dual-encoder-skewed", revision: "1" },
        },
      ],
      sources: [{ name: "taxonomy.yaml", hash: "0f".repeat(32) }],
      records: [
        { type: "prompt", done: 180, unscored: 180 },
        { type: "image", done: 3600, unscored: 0 },
        { type: "score", done: 10791, unscored: 9 },
      ],
    },
  };
}
