import { describe, expect, it } from "vitest";
import { type Hash, keyOf } from "../../core/keys.js";
import { anyRecord, type ImageRole, imageRoles, type RecordOf } from "../../core/records.js";
import { imagePairs, type Selection } from "./image-pairs.js";
import { leftOutPrompts, retention } from "./retention.js";
import { triplets } from "./triplets.js";

type Prompt = RecordOf<"prompt">;
type Image = RecordOf<"image">;
type Score = RecordOf<"score">;

const unscored = (reason: string, detail = "") => ({
  status: "unscored",
  reason,
  retryable: false,
  detail,
});
const envelope = (type: string, name: string) => ({
  schema: 1,
  type,
  key: keyOf(name),
  step: "s@1",
  attempt: 1,
});

function prompt(name: string, domain: string, ending: object = { status: "done" }): Prompt {
  const record = anyRecord.parse({
    ...envelope("prompt", name),
    benchmark: "prototypicality",
    split: "evaluation",
    domain,
    category: "c",
    nonPrototype: "penguin",
    prototype: "songbird",
    knob: "count",
    right: "two",
    wrong: "three",
    extra: "rock",
    environment: "in a meadow",
    writer: "template",
    text: `${name} text`,
    correct: `${name} correct`,
    adversarial: `${name} adversarial`,
    controlCorrect: `${name} control-correct`,
    controlAdversarial: `${name} control-adversarial`,
    ...ending,
  });
  if (record.type !== "prompt") throw new Error("not a prompt");
  return record;
}

function image(
  name: string,
  role: ImageRole,
  sample = 0,
  ending: object = { status: "done" },
): Image {
  const record = anyRecord.parse({
    ...envelope("image", `${name} ${role} ${sample}`),
    prompt: keyOf(name),
    role,
    sample,
    text: `${name} ${role}`,
    seed: 1,
    model: "m",
    image: "0".repeat(64) as Hash,
    mediaType: "image/png",
    width: 1,
    height: 1,
    ...ending,
  });
  if (record.type !== "image") throw new Error("not an image");
  return record;
}

function score(of: Image, metric: string, value: number | string, more: object = {}): Score {
  const own = metric === "rater" || metric === "truth";
  const ending = typeof value === "string" ? unscored(value) : { status: "done", value };
  const record = anyRecord.parse({
    ...envelope("score", `${of.key} ${metric} ${JSON.stringify(more)}`),
    of: of.key,
    image: "0".repeat(64),
    text: own ? of.text : `${of.text.split(" ")[0]} text`,
    metric,
    metricVersion: 1,
    statistic: "s",
    model: "m",
    range: [0, 1],
    direction: "higher",
    trial: 0,
    ...ending,
    ...more,
  });
  if (record.type !== "score") throw new Error("not a score");
  return record;
}

const prompts = [
  prompt("a", "animals"),
  prompt("b", "objects"),
  prompt("lost", "animals", unscored("not-applicable", "no penguin")),
];
const images = ["a", "b"].flatMap((name) =>
  [0, 1].flatMap((sample) => imageRoles.map((role) => image(name, role, sample))),
);
/** correct .8, adversarial .6, control-correct .4, control-adversarial .2, less .1 on sample 1. */
const values: Readonly<Partial<Record<Image["role"], number>>> = {
  correct: 0.8,
  adversarial: 0.6,
  "control-correct": 0.4,
  "control-adversarial": 0.2,
};
const scoreOf = ({ role, sample }: Image) => (values[role] ?? 0) - sample / 10;
const scored = images.map((one) => score(one, "clip", scoreOf(one)));
const unfiltered: Selection = { name: "unfiltered" };

describe("the pairs of images", () => {
  it("are one of each comparison for every prompt and sample", () => {
    const pairs = imagePairs({ prompts, images });
    expect(pairs).toHaveLength(2 * 2 * 4);
    const roles = pairs
      .slice(0, 4)
      .map(({ comparison, correct, adversarial }) => [comparison, correct.role, adversarial.role]);
    expect(roles).toEqual([
      ["contrastive", "correct", "adversarial"],
      ["control-atypical", "correct", "control-adversarial"],
      ["control-typical", "control-correct", "adversarial"],
      ["reversed", "control-correct", "control-adversarial"],
    ]);
    expect(new Set(pairs.map(({ id }) => id)).size).toBe(16);
  });

  it("need both images to have been asked for", () => {
    const withoutControls = images.filter(({ role }) => !role.startsWith("control"));
    const pairs = imagePairs({ prompts, images: withoutControls });
    expect(pairs.map(({ comparison }) => comparison)).toEqual(Array(4).fill("contrastive"));
  });

  it("leave prompts aside that are not given", () => {
    expect(imagePairs({ prompts: prompts.slice(0, 1), images })).toHaveLength(8);
  });
});

describe("the rows", () => {
  it("hold both scores against the prompt's text", () => {
    const { rows } = triplets({ prompts, images, scores: scored, selection: unfiltered });
    expect(rows).toHaveLength(16);
    const [first, atypical, typical] = rows;
    expect(first).toMatchObject({
      metric: "clip",
      domain: "animals",
      knob: "count",
      prompt: keyOf("a"),
      text: "a text",
      sample: 0,
      comparison: "contrastive",
      correct: 0.8,
      adversarial: 0.6,
      images: { correct: keyOf("a correct 0"), adversarial: keyOf("a adversarial 0") },
    });
    expect(atypical).toMatchObject({ correct: 0.8, adversarial: 0.2 });
    expect(typical).toMatchObject({ correct: 0.4, adversarial: 0.6 });
  });

  it("say null where there is no score or no image", () => {
    const refused = images.map((one) =>
      one.key === keyOf("a correct 0") ? image("a", "correct", 0, unscored("refused")) : one,
    );
    const scores = scored
      .filter(({ of }) => of !== keyOf("a correct 0"))
      .map((one, index) =>
        one.of === keyOf("b adversarial 1")
          ? score(images[index + 1] as Image, "clip", "timeout")
          : one,
      );
    const { rows } = triplets({ prompts, images: refused, scores, selection: unfiltered });
    const contrastive = rows.filter(({ comparison }) => comparison === "contrastive");
    expect(contrastive.map(({ correct, adversarial }) => [correct, adversarial])).toEqual([
      [null, 0.6],
      [0.7000000000000001, 0.5],
      [0.8, 0.6],
      [0.7000000000000001, null],
    ]);
  });

  it("take the ratings of own prompts and later trials for no metric's scores", () => {
    const scores = [
      ...scored,
      ...images.map((one) => score(one, "rater", 0.9)),
      ...images.map((one) => score(one, "clip", 0, { trial: 1 })),
    ];
    const { metrics, rows } = triplets({ prompts, images, scores, selection: unfiltered });
    expect(metrics.map(({ id }) => id)).toEqual(["clip"]);
    expect(rows).toHaveLength(16);
    expect(rows.some(({ correct }) => correct === 0)).toBe(false);
  });

  it("tell metrics of one name apart by what differs", () => {
    const scores = [
      ...scored,
      ...images.map((one) => score(one, "clip", 0.1, { model: "other" })),
      ...images.map((one) => score(one, "clip", 0.2, { model: "other", convention: "raw" })),
      ...images.map((one) => score(one, "clip", 0.4, { model: "other", baseUrl: "http://b/v1" })),
      ...images.map((one) => score(one, "vqa", 0.3)),
    ];
    const { metrics, rows } = triplets({ prompts, images, scores, selection: unfiltered });
    const ids = metrics.map(({ id }) => id);
    expect(ids).toEqual([
      "clip · m",
      "clip · other",
      "clip · other · raw",
      "clip · other · http://b/v1",
      "vqa",
    ]);
    expect(rows.filter(({ metric }) => metric === "clip · other · raw")).toHaveLength(16);
    expect(metrics[2]).toMatchObject({ metric: "clip", convention: "raw", range: [0, 1] });
  });
});

describe("a selection", () => {
  const filtered: Selection = { name: "filtered", metric: "rater", atLeast: 8 };
  const ratingOf = ({ key }: Image): number | string => {
    if (key === keyOf("a correct 0")) return 7.9;
    if (key === keyOf("a adversarial 1")) return "timeout";
    return 8;
  };
  const ratings = images.map((one) => score(one, "rater", ratingOf(one)));

  it("keeps a pair only whole, and at the threshold", () => {
    const scores = [...scored, ...ratings];
    const { rows } = triplets({ prompts, images, scores, selection: filtered });
    expect(rows.map(({ id }) => id).sort()).toEqual(
      [
        `${keyOf("a")}/0/control-typical`,
        `${keyOf("a")}/0/reversed`,
        `${keyOf("a")}/1/control-atypical`,
        `${keyOf("a")}/1/reversed`,
        ...[0, 1].flatMap((sample) =>
          ["contrastive", "control-atypical", "control-typical", "reversed"].map(
            (comparison) => `${keyOf("b")}/${sample}/${comparison}`,
          ),
        ),
      ].sort(),
    );
  });

  it("takes no rating of another text for the image's own", () => {
    const onText = images.map((one) => score(one, "rater", 10, { text: "a text" }));
    const { rows } = triplets({
      prompts,
      images,
      scores: [...scored, ...onText],
      selection: filtered,
    });
    expect(rows).toEqual([]);
  });

  it("by the truth keeps what shows what it should", () => {
    const truths = images.map((one) => score(one, "truth", one.sample === 0 ? 1 : 0));
    const selection: Selection = { name: "truth-filtered", metric: "truth", atLeast: 1 };
    const { rows } = triplets({ prompts, images, scores: [...scored, ...truths], selection });
    expect(new Set(rows.map(({ sample }) => sample))).toEqual(new Set([0]));
    expect(rows).toHaveLength(8);
  });

  it("is counted by domain and reason", () => {
    const kept = retention({ prompts, images, scores: ratings, selection: filtered });
    expect(kept.overall).toMatchObject({ pairs: 4, kept: 2, share: { value: 0.5 } });
    expect(kept.domains).toEqual([
      {
        domain: "animals",
        pairs: 2,
        kept: 0,
        share: expect.objectContaining({ value: 0, low: null, high: null }),
        lost: { "correct image below the threshold": 1, "image not rated: timeout": 1 },
      },
      {
        domain: "objects",
        pairs: 2,
        kept: 2,
        share: expect.objectContaining({ value: 1 }),
        lost: {},
      },
    ]);
    expect(kept.intervals).toMatchObject({ clusteredBy: "prompt", clusters: 2 });
  });

  it("says of every lost pair why, and loses count of none", () => {
    const [first, ...others] = images;
    if (first === undefined) throw new Error("no image");
    const broken = [image("a", "correct", 0, unscored("refused")), ...others];
    const scores = others
      .filter(({ key }) => key !== keyOf("b correct 0"))
      .map((one) => score(one, "rater", one.sample === 1 ? 1 : 9));
    const { overall } = retention({ prompts, images: broken, scores, selection: filtered });
    expect(overall.lost).toEqual({
      "both images below the threshold": 2,
      "image not made: refused": 1,
      "image not rated": 1,
    });
    expect(overall.kept).toBe(0);
  });

  it("by the truth says what the pictures lack, not a threshold", () => {
    const selection: Selection = { name: "truth-filtered", metric: "truth", atLeast: 1 };
    const scores = images.map((one) => score(one, "truth", one.sample === 0 ? 1 : 0));
    const wrong = retention({ prompts, images, scores, selection }).overall.lost;
    expect(Object.keys(wrong)).toEqual(["both images do not show what their prompts say"]);
    const half = images.map((one) => score(one, "truth", one.role === "correct" ? 0 : 1));
    expect(
      Object.keys(retention({ prompts, images, scores: half, selection }).overall.lost),
    ).toEqual(["correct image does not show what its prompt says"]);
  });

  it("of nothing has no share", () => {
    const nothing = retention({ prompts: [], images: [], scores: [], selection: unfiltered });
    expect(nothing.overall).toMatchObject({ pairs: 0, kept: 0, share: { value: null }, lost: {} });
    expect(nothing.domains).toEqual([]);
  });

  it("has an interval that holds its share and widens with fewer prompts", () => {
    const many = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `p${index}`);
      const made = names.flatMap((name) => [image(name, "correct"), image(name, "adversarial")]);
      return retention({
        prompts: names.map((name) => prompt(name, "animals")),
        images: made,
        scores: made.map((one, index) => score(one, "rater", index % 8 < 6 ? 9 : 1)),
        selection: filtered,
        intervals: { resamples: 500 },
      }).overall.share;
    };
    const width = ({ low, high }: ReturnType<typeof many>) => (high ?? 0) - (low ?? 0);
    expect(many(80).value).toBe(0.75);
    expect(many(80).low).toBeLessThan(0.75);
    expect(many(80).high).toBeGreaterThan(0.75);
    expect(width(many(80))).toBeLessThan(width(many(20)));
  });
});

describe("what was left out", () => {
  it("is listed by pair and reason, broken rules by their names", () => {
    const undone = [
      ...prompts,
      prompt("lost too", "animals", unscored("not-applicable", "no penguin")),
      prompt("bad", "animals", unscored("unparsable", "one-sentence, no-food: text holds: bread")),
    ];
    expect(leftOutPrompts(undone)).toEqual([
      {
        domain: "animals",
        category: "c",
        nonPrototype: "penguin",
        prototype: "songbird",
        reason: "not-applicable",
        detail: "no penguin",
        prompts: 2,
      },
      expect.objectContaining({
        reason: "unparsable",
        detail: "one-sentence, no-food",
        prompts: 1,
      }),
    ]);
  });
});
