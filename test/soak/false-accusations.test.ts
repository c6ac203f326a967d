import { expect, test } from "vitest";
import { drawPlacebos } from "../../src/analysis/sanity/draw-placebos.js";
import { metricSanity } from "../../src/analysis/sanity/metric-sanity.js";
import { drawDyads, pairSanity } from "../../src/analysis/sanity/pair-sanity.js";
import type { ChatModel } from "../../src/core/models.js";
import { type Random, randomFrom } from "../../src/core/random.js";
import { checkSight } from "../../src/models/sight/check-sight.js";
import { colourNames } from "../../src/models/sight/colour-images.js";
import { normalQuantile } from "../../src/stats/normal.js";
import { sightAsked, stripesSeen } from "../support/sight-answers.js";
import trial from "./false-accusations.json" with { type: "json" };

type Kind = (typeof trial.kinds)["sound"];

const within = (random: Random, [low = 0, high = 0]: readonly number[]) =>
  random.between(low, high);
const normal = (random: Random) => normalQuantile((random.integer(2 ** 30) + 0.5) / 2 ** 30);

/** Says each colour rightly with a chance, else any of the six; the same of the same image. */
function eyes(random: Random, kind: Kind): ChatModel {
  const seed = random.integer(2 ** 30);
  const chances = { 1: within(random, kind.plain), 4: within(random, kind.stripes) };
  return {
    identity: { provider: "simulated", model: "eyes" },
    async chat({ messages }) {
      const parts = messages.at(-1)?.parts ?? [];
      const content = parts.map((part) =>
        part.type === "text"
          ? part
          : {
              type: "image_url",
              image_url: { url: `x,${Buffer.from(part.image.bytes).toString("base64")}` },
            },
      );
      const { stripes = 0, images = [] } = sightAsked({ messages: [{ content }] }) ?? {};
      const seen = (await Promise.all(images.map((image) => stripesSeen(image, stripes)))).flat();
      const chance = chances[stripes === 1 ? 1 : 4];
      const guess = randomFrom(seed, ...seen);
      const said = seen.map((one) => (guess.chance(chance) ? one : guess.pick(colourNames)));
      return { text: said.join(" "), finish: "stop" };
    },
  };
}

/** Scores of a model of which the own text, or image, of two wins in a share of cases. */
function scores(random: Random, kind: Kind) {
  const effect = 0.5;
  const fit =
    Math.sqrt(2 + 2 * effect ** 2) * normalQuantile(within(random, kind.ownAboveForeign) - 1e-6);
  const count = Math.round(within(random, trial.items));
  const prompts = Math.max(1, Math.round(count * within(random, trial.promptsPerItem)));
  const textEffects = Array.from({ length: prompts }, () => effect * normal(random));
  const imageEffects = Array.from({ length: count }, () => effect * normal(random));
  const promptOf = (item: number) => item % prompts;
  return {
    items: Array.from({ length: count }, (_, at) => ({
      text: `prompt ${promptOf(at)}`,
      image: `image ${at}`,
    })),
    /** Score of an item's image, grey where it is null, with the text of another. */
    of: (text: number, image: number | null) =>
      (image !== null && promptOf(text) === promptOf(image) ? fit : 0) +
      (textEffects[promptOf(text)] ?? 0) +
      (image === null ? 0 : (imageEffects[image] ?? 0)) +
      normal(random),
  };
}

function metricFindings(random: Random, kind: Kind) {
  const { items, of } = scores(random, kind);
  const drawn = drawPlacebos(items, { seed: random.integer(2 ** 30) });
  const own = items.map(({ text }, at) => ({ text, score: of(at, at) }));
  const placebos = {
    ...drawn,
    foreignScores: drawn.pairs.map(({ item, foreign }) => of(foreign, item)),
    blankScores: drawn.blanks.map((item) => of(item, null)),
  };
  return metricSanity(own, placebos, { direction: "higher" }).findings;
}

function pairFindings(random: Random, kind: Kind) {
  const { items, of } = scores(random, kind);
  const liking = random.between(-0.5, 0.5);
  const answers = drawDyads(items, { seed: random.integer(2 ** 30) }).flatMap(
    ([one, other], dyad) =>
      [
        [one, other],
        [other, one],
      ].map(([own = 0, foreign = 0]) => ({
        dyad,
        ownFirst: of(own, own) - of(own, foreign) + liking,
        ownSecond: of(own, own) - of(own, foreign) - liking,
      })),
  );
  return pairSanity(answers).findings;
}

test("of 1,000 sound and weak models at most 1 % are called blind and 5 % accused of anything", async () => {
  const random = randomFrom(trial.seed);
  const shape = { width: 8, height: 8, mediaType: "image/png" };
  const count = { blind: 0, accused: 0 };
  for (let seed = 0; seed < trial.models; seed++) {
    const kind =
      seed < trial.models * trial.kinds.sound.share ? trial.kinds.sound : trial.kinds.weak;
    const isBlind = (await checkSight(eyes(random, kind), { seed, shape })).state === "blind";
    const findings = [...metricFindings(random, kind), ...pairFindings(random, kind)];
    if (isBlind) count.blind++;
    if (isBlind || findings.some((finding) => finding.kind !== "too-few")) count.accused++;
  }
  expect(count.blind).toBeLessThanOrEqual(trial.mostBlind * trial.models);
  expect(count.accused).toBeLessThanOrEqual(trial.mostAccused * trial.models);
});
