import { expect, test } from "vitest";
import { trustCard } from "./trust-card.js";
import { judged } from "./trust-card-figure.js";
import type { CardRow } from "./trust-card-rows.js";

const subject = { name: "m", direction: "higher", source: "scores.csv" } as const;
const prompts = Array.from({ length: 8 }, (_, at) => `prompt ${at}`);
const each = (make: (prompt: string, at: number) => readonly CardRow[]) => prompts.flatMap(make);

test("what an interval says of an expectation", () => {
  const below = { high: 0.5, text: "< 50 %" };
  const at = (low: number | null, high: number | null) => ({ value: 0.4, low, high });
  expect(judged(at(0.3, 0.49), below, 40)).toBe("holds");
  expect(judged(at(0.3, 0.5), below, 40)).toBe("undecided");
  expect(judged(at(0.51, 0.6), below, 40)).toBe("fails");
  expect(judged(at(null, null), below, 40)).toBe("undecided");
  expect(judged(at(0.3, 0.4), below, 5)).toBe("undecided");
  // None of 3 prompts, the resamples all agree, and still the share may be up to 63 %.
  const none = { value: 0, low: 0, high: 0, oneSided: { low: 0, high: 0.63 } };
  expect(judged(none, below, 40)).toBe("undecided");
});

test("lists what there are no columns for, and fills nothing in", () => {
  const { figures, verdict } = trustCard([{ id: "1", score: 0.5 }], subject);
  for (const figure of Object.values(figures)) {
    expect(figure).toMatchObject({ status: "not-measured", n: 0, behind: { rows: 0 } });
    expect(figure.estimate).toBeUndefined();
  }
  expect(figures.repeatability.needs).toEqual(["score", "image", "trial"]);
  expect(figures.repeatability.sentence).toBe("Needs the columns score, image and trial.");
  expect(verdict).toBe("No verdict on m: no figure with an expectation was measured.");
});

test("prototypicality is the excess over the controls", () => {
  const rows = each((prompt, at) => [
    { id: `t${at}`, prompt, comparison: "contrastive", correct: 0.4, adversarial: 0.6 },
    { id: `c${at}`, prompt, comparison: "control-typical", correct: 0.6, adversarial: at / 10 },
  ]);
  const { prototypicality } = trustCard(rows, subject).figures;
  // All eight triplets fail; of the controls 0.6 and 0.7 do: 1 - 2 / 8.
  expect(prototypicality.estimate?.value).toBe(0.75);
  expect(prototypicality).toMatchObject({ status: "fails", n: 8, unscored: 0 });
  expect(prototypicality.sentence).toBe(
    "Fails more often where the wrong image is the typical one than in controls.",
  );
  const alone = trustCard(
    rows.filter(({ comparison }) => comparison === "contrastive"),
    subject,
  ).figures.prototypicality;
  expect(alone.estimate).toMatchObject({ value: 1, name: "failure rate of triplets, no control" });
  expect(alone.needs).toEqual(["comparison with control-atypical or control-typical"]);
});

test("a swap that was not scored is counted, and excluded from the rate", () => {
  const rows = each((prompt, at) => [
    {
      id: `s${at}`,
      prompt,
      comparison: "attribute-swap",
      correct: 0.8,
      adversarial: at === 0 ? null : 0.8 - at / 10,
    },
  ]);
  const card = trustCard(rows, subject);
  // None of seven fails, and still up to 34.8 % may.
  expect(card.figures.attributeConfusion).toMatchObject({ n: 7, unscored: 1, status: "undecided" });
  expect(card.figures.attributeConfusion.estimate?.value).toBe(0);
  expect(card).toMatchObject({ n: 7, unscored: 1 });
  expect(card.warnings).toEqual([
    "attribute confusion: 1 of 8 unscored and excluded; if all were scored: 0.0 to 12.5 %",
  ]);
  expect(card.verdict).toMatch(/^Of 1 expectation m passes 0, fails 0 and leaves 1 undecided\. /);
});

const swaps = (prompts: number, adversarialOf: (at: number) => number) =>
  trustCard(
    Array.from({ length: prompts }, (_, at) => ({
      id: `s${at}`,
      prompt: `p${at}`,
      comparison: "attribute-swap",
      correct: 0.5,
      adversarial: adversarialOf(at),
    })),
    subject,
  ).figures.attributeConfusion;

test("a tied swap is no failure, and half of one where the bar is concerned", () => {
  const found = swaps(8, (at) => [0.9, 0.5, 0.5][at] ?? 0.1);
  expect(found.estimate).toMatchObject({ value: 1 / 8, name: "swapped text better" });
  expect(found.further.strictFailureRate?.value).toBe(1 / 8);
  expect(found.further.tieRate?.value).toBe(2 / 8);
  expect(found.further.failuresAndHalfTies?.value).toBe(2 / 8);
  expect(found).toMatchObject({
    status: "undecided",
    judgedBy: "failuresAndHalfTies",
    beside: ["tieRate", "failuresAndHalfTies"],
    sentence:
      "Not shown to fail in less than 15 % of swaps, a tie counted as half (a coin's share).",
  });
});

test("a metric that ties always never fails, and is not certified for it", () => {
  const found = swaps(40, () => 0.5);
  expect(found).toMatchObject({ status: "fails", estimate: { value: 0 } });
  expect(found.sentence).toMatch(/^Fails in more than 15 % of swaps, a tie counted as half/);
  // Of 40 ties it may still be that 7.2 % are none: those all pass, or all fail.
  const { low, high } = found.further.failuresAndHalfTies?.oneSided ?? {};
  expect(low).toBeCloseTo(0.05 ** (1 / 40) / 2, 12);
  expect(high).toBeCloseTo(1 - 0.05 ** (1 / 40) / 2, 12);
});

test("the bar of attribute confusion is far below a coin", () => {
  expect(swaps(40, () => 0.1).status).toBe("holds");
  expect(swaps(200, (at) => (at % 5 < 2 ? 0.9 : 0.1)).status).toBe("fails");
  expect(swaps(200, (at) => (at % 25 === 0 ? 0.9 : 0.1)).status).toBe("holds");
});

test("agreement takes people before labels, and turns round where less is better", () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({
    id: `${at}`,
    prompt: `p${at}`,
    image: `${at}`,
    score: at,
    human: at,
    label: at < 10 ? (1 as const) : (0 as const),
  }));
  const { agreement } = trustCard(rows, subject).figures;
  expect(agreement).toMatchObject({
    status: "holds",
    n: 20,
    estimate: { value: 1 },
    sentence: "Puts two images in the order of people more often than a coin.",
  });
  // Of twenty prompts ten pairs share none.
  expect(agreement.estimate?.oneSided?.low).toBeCloseTo(0.05 ** (1 / 10), 12);
  const few = trustCard(rows.slice(0, 8), subject).figures.agreement;
  expect(few).toMatchObject({ status: "undecided", estimate: { value: 1 } });
  expect(few.estimate?.oneSided?.low).toBeCloseTo(0.05 ** (1 / 4), 12);
  const labels = rows.map(({ human: _, ...row }) => row);
  // Of 2 zeros and 10 ones no more than two pairs can be told.
  const unlike = trustCard(labels.slice(0, 12), subject).figures.agreement;
  expect(unlike.estimate).toMatchObject({ value: 0, oneSided: { low: 0 } });
  expect(unlike.estimate?.oneSided?.high).toBeCloseTo(1 - 0.05 ** (1 / 2), 12);
  expect(trustCard(labels, subject).figures.agreement).toMatchObject({
    status: "fails",
    estimate: { value: 0 },
  });
  expect(trustCard(labels, { ...subject, direction: "lower" }).figures.agreement).toMatchObject({
    status: "holds",
    estimate: { value: 1 },
  });
});

test("calibration is the expected error, and no question where scores are no probabilities", () => {
  const rows = each((prompt, at) => [
    { id: `${at}`, prompt, score: 0.9, probability: 0.9, label: at < 4 ? 1 : 0 },
  ]);
  const { calibration, overconfidence } = trustCard(rows, subject).figures;
  expect(calibration.estimate?.value).toBeCloseTo(0.4, 12);
  expect(calibration.further.ece?.value).toBeCloseTo(0.4, 12);
  expect(overconfidence.estimate?.value).toBeCloseTo(0.9 - 0.5, 12);
  const { figures } = trustCard(rows, { ...subject, isProbability: false });
  for (const { status } of [figures.calibration, figures.overconfidence]) {
    expect(status).toBe("not-applicable");
  }
});

const answered = (count: number, of: (at: number) => readonly [number, boolean]) =>
  trustCard(
    Array.from({ length: count }, (_, at) => {
      const [probability, isRight] = of(at);
      return { id: `${at}`, score: probability, probability, label: isRight ? 1 : 0 } as const;
    }),
    subject,
  ).figures;

test("a judge whose errors cancel is not called calibrated", () => {
  // Sure at 0.99 and right in 75 %, at 0.55 and right in 79 %.
  const { calibration, overconfidence } = answered(400, (at) =>
    at < 200 ? [0.99, at < 150] : [0.55, at < 358],
  );
  expect(overconfidence.estimate?.value).toBeCloseTo(0, 12);
  expect(overconfidence).toMatchObject({ status: "measured" });
  expect(overconfidence.expectation).toBeUndefined();
  expect(calibration.estimate?.value).toBeCloseTo(0.24, 12);
  expect(calibration).toMatchObject({ status: "fails", beside: ["chance"] });
});

test("an error that chance makes of perfect calibration is no failure", () => {
  // In each bin of ten one more or one less is right than ought to be.
  const { calibration } = answered(50, (at) => {
    const bin = Math.floor(at / 10);
    const confidence = 0.55 + bin / 10;
    return [confidence, at % 10 < 6 + bin + (bin % 2 === 0 ? 1 : -1)];
  });
  expect(calibration.estimate?.low).toBeGreaterThan(0.05);
  expect(calibration.further.chance?.high).toBeGreaterThan(0.1);
  expect(calibration.status).toBe("undecided");
});

test("all answers right at full confidence may be luck where they are few", () => {
  const { calibration, overconfidence } = answered(8, () => [0.99, true]);
  expect(calibration.estimate?.value).toBeCloseTo(0.01, 12);
  // Of eight prompts 0.05^(1/8) = 68.8 % may be right.
  expect(calibration.estimate?.oneSided?.high).toBeCloseTo(0.99 - 0.05 ** (1 / 8), 12);
  expect(calibration.further.accuracy?.oneSided?.low).toBeCloseTo(0.05 ** (1 / 8), 12);
  expect(overconfidence.estimate?.oneSided?.high).toBeCloseTo(0.99 - 0.05 ** (1 / 8), 12);
  expect(calibration.status).toBe("undecided");
});

test("the method says what was drawn", () => {
  const labelled = (prompt?: string) =>
    prompts.map(
      (each, at): CardRow => ({
        id: `${at}`,
        score: at / 8,
        probability: at / 8,
        label: at % 2 === 0 ? 1 : 0,
        prompt: prompt === undefined ? undefined : each,
      }),
    );
  expect(trustCard(labelled("named"), subject).method).toMatch(
    /number; 2,000 resamples of whole prompts, seed 0\. In pairs/,
  );
  expect(trustCard(labelled(), subject).method).toMatch(
    /number; 2,000 resamples of single rows, which name no prompt, seed 0\. In pairs/,
  );
  const mixed = trustCard(
    [
      ...labelled(),
      { id: "w", prompt: "p", comparison: "attribute-swap", correct: 1, adversarial: 0 },
    ],
    subject,
  );
  expect(mixed.method).toMatch(
    /seed 0; of attribute confusion 2,000 resamples of whole prompts, seed 0\. In pairs/,
  );
});

test("images that were asked about again and made worse are in their own figures alone", () => {
  const rows = each((prompt, at) => {
    const image = `${at}.png`;
    const base = 0.5 + at / 20;
    return [
      {
        id: `a${at}`,
        prompt,
        image,
        score: base,
        trial: "0",
        level: 0,
        label: at % 2 === 0 ? 1 : 0,
      },
      { id: `b${at}`, prompt, image, score: base, trial: "1" },
      { id: `p${at}`, prompt, image, score: base, paraphrase: "one" },
      { id: `q${at}`, prompt, image, score: base + 0.2, paraphrase: "other" },
      { id: `n${at}`, prompt, image, score: base - 0.1, degradation: "noise", level: 1 },
      { id: `m${at}`, prompt, image, score: base - 0.2, degradation: "noise", level: 2 },
    ];
  });
  const { figures } = trustCard(rows, subject);
  expect(figures.agreement.n).toBe(8);
  // Eight images that were scored alike twice leave room for 31 % that would not be: 1 - 0.05^(1/8).
  expect(figures.repeatability).toMatchObject({
    n: 8,
    status: "undecided",
    estimate: { value: 0, low: null, oneSided: { low: 0, high: expect.closeTo(0.312, 3) } },
  });
  expect(figures.paraphraseSpread.further.range?.value).toBeCloseTo(0.2, 12);
  // Statements that are false of their image say nothing of monotonicity: of eight four are true.
  expect(figures.monotonicityNoise).toMatchObject({ n: 4, estimate: { value: -1 } });
  expect(figures.monotonicityContrast).toMatchObject({
    status: "not-measured",
    sentence: "Needs the column degradation with contrast.",
  });
  expect(figures.repeatability.behind).toEqual({
    source: "scores.csv",
    rows: 16,
    examples: ["a0", "b0", "a1"],
  });
});

const judgedBy = (first: (at: number) => number | null, turned: (at: number) => number | null) =>
  each((prompt, at) => [
    { id: `${at}`, prompt, first: first(at), turned: turned(at), equal: at % 2 === 0 ? 1 : 0 },
  ]);

test("a judge of pairs is told by both orders whether it favours a place", () => {
  const card = (rows: readonly CardRow[]) => trustCard(rows, subject).figures.positionBias;
  // Sure of an image, whichever place it is shown at.
  const fair = card(
    judgedBy(
      (at) => at / 10,
      (at) => 1 - at / 10 + (at % 2 === 0 ? -0.01 : 0.01),
    ),
  );
  expect(fair).toMatchObject({ status: "holds", n: 8, unscored: 0, of: "pairs" });
  expect(fair.estimate?.value).toBeCloseTo(0, 12);
  expect(fair.further.inconsistent?.value).toBe(0);
  const biased = card(
    judgedBy(
      (at) => (at === 0 ? null : 0.9),
      (at) => 0.7 + (at - 4) / 100,
    ),
  );
  expect(biased).toMatchObject({
    status: "fails",
    n: 7,
    unscored: 1,
    sentence: "Favours the image that it is shown first, whichever that is.",
  });
  // (0.9 + 0.7) / 2 - 1 / 2, and each pair is decided otherwise when it is turned round.
  expect(biased.estimate?.value).toBeCloseTo(0.3, 12);
  expect(biased.further.inconsistent).toMatchObject({ value: 1, oneSided: { high: 1 } });
  const second = card(
    judgedBy(
      () => 0.2,
      () => 0.4,
    ),
  );
  expect(second.estimate?.value).toBeCloseTo(-0.2, 12);
});

test("where neither image is better a judge should be sure of neither", () => {
  // Only the equal pairs count, those of even number; the others it may be sure of.
  const rows = each((prompt, at) => [
    {
      id: `${at}`,
      prompt,
      ...(at % 2 === 0
        ? { first: at % 4 === 0 ? 0.56 : 0.54, turned: 0.5, equal: 1 as const }
        : { first: 1, turned: 0, equal: 0 as const }),
    },
  ]);
  const more = rows.map((row) => ({ ...row, id: `${row.id}b`, prompt: `${row.prompt}b` }));
  const { noPreference } = trustCard([...rows, ...more], subject).figures;
  expect(noPreference).toMatchObject({ status: "holds", n: 8, unscored: 0 });
  expect(noPreference.estimate?.value).toBeCloseTo((0.55 + 0.5) / 2, 12);
  expect(noPreference.further.bothOrders?.value).toBeCloseTo(0.525, 12);

  // Sure of whatever stands first: sure in either order, and of nothing over both.
  const swayed = [...rows, ...more].map((row) => ({ ...row, first: 0.95, turned: 0.95 }));
  const other = trustCard(swayed, subject).figures.noPreference;
  expect(other).toMatchObject({ status: "fails" });
  expect(other.estimate?.value).toBeCloseTo(0.95, 12);
  expect(other.further.bothOrders?.value).toBeCloseTo(0.5, 12);
});

test("several wordings of a judge's pairs make the intervals of its calibration no narrower", () => {
  const once = each((prompt, at): CardRow[] => [
    { id: `${at}`, prompt, label: at % 3 === 0 ? 0 : 1, first: 0.55 + at / 20, turned: 0.3 },
  ]);
  const worded = once.flatMap((row) =>
    Array.from({ length: 10 }, (_, wording) => ({ ...row, id: `${row.id} ${wording}` })),
  );
  const { calibration } = trustCard(worded, subject).figures;
  const expected = trustCard(once, subject).figures.calibration;
  expect(calibration).toMatchObject({ n: 80, unscored: 0 });
  for (const name of ["ece", "brier", "accuracy"] as const) {
    const { low, high } = expected.further[name] ?? {};
    expect(calibration.further[name]?.low, name).toBeCloseTo(low ?? Number.NaN, 10);
    expect(calibration.further[name]?.high, name).toBeCloseTo(high ?? Number.NaN, 10);
  }
  expect(calibration.intervals).toMatch(/resamples of 8 prompts/);
  for (const end of ["value", "low", "high"] as const) {
    expect(calibration.further.chance?.[end]).toBeCloseTo(expected.further.chance?.[end] ?? -1, 10);
  }
});

test("a judge's labelled pairs tell of agreement and calibration, and are no scores of images", () => {
  const rows = each((prompt, at): CardRow[] => [
    // Six of eight right at 0.8, one wrong, one not answered in one order.
    {
      id: `${at}`,
      prompt,
      label: at === 1 ? 0 : 1,
      first: at === 0 ? null : 0.9,
      turned: 0.3,
    },
  ]);
  const { agreement, calibration, overconfidence, repeatability, positionBias, prototypicality } =
    trustCard(rows, subject).figures;
  expect(agreement).toMatchObject({ n: 7, unscored: 1, of: "pairs" });
  expect(agreement.estimate?.value).toBeCloseTo(6 / 7, 12);
  expect(calibration).toMatchObject({ n: 7, unscored: 1 });
  expect(overconfidence.estimate?.value).toBeCloseTo(0.8 - 6 / 7, 12);
  for (const other of [repeatability, prototypicality]) expect(other.status).toBe("not-measured");
  // Nothing but null answers are pairs that nobody answered, not unscored images.
  const silent = trustCard(
    rows.map((row) => ({ ...row, first: null, turned: null })),
    subject,
  );
  expect(silent.figures.positionBias).toMatchObject({ n: 0, unscored: 8, status: "not-measured" });
  expect(silent).toMatchObject({ n: 0, unscored: 8 });
  expect(positionBias.n).toBe(7);
});

test("a metric of single images has no place and no preference", () => {
  const { figures } = trustCard([{ id: "1", score: 0.5 }], { ...subject, isPairwise: false });
  expect(figures.positionBias).toMatchObject({ status: "not-applicable", n: 0 });
  expect(figures.noPreference.sentence).toContain("one image at a time");
});
