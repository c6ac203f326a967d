import { encode } from "fast-png";
import { auditSteps } from "../../src/benchmarks/stereotypes/audit-steps.js";
import { loadQueries } from "../../src/benchmarks/stereotypes/queries.js";
import { loadRubrics } from "../../src/benchmarks/stereotypes/rubrics.js";
import type { Metric } from "../../src/core/metric.js";
import type { ChatModel, ImageGenerator, Picture } from "../../src/core/models.js";
import { randomFrom } from "../../src/core/random.js";
import { openStore } from "../../src/files/open-store.js";
import { openPicture } from "../../src/images/picture.js";
import { readRefineTask } from "../../src/judges/refine-prompt.js";
import { readRubricTask } from "../../src/judges/rubric-message.js";
import { runSteps } from "../../src/runs/run-steps.js";

const side = 48;
/** As many bands as the longest rubric has items, side by side, and a strip of noise below. */
const bands = 12;

/**
 * A painter of bands, a red one for each stereotype that is there: many for a bare query, few where
 * something was added to it.
 */
const painter = (name: string, skew: number): ImageGenerator => ({
  identity: { provider: "test", model: name, revision: `skew-${skew}` },
  async generate({ prompt, seed }) {
    const random = randomFrom(name, prompt, seed);
    const rate = prompt.includes(", where nothing stands out") ? skew / 4 : skew;
    const red = Array.from({ length: bands }, () => random.chance(rate));
    const data = new Uint8Array(side * side * 3);
    for (let at = 0; at < side * side; at++) {
      const [x, y] = [at % side, Math.floor(at / side)];
      const isRed = y < side - 6 && red[Math.floor((x * bands) / side)] === true;
      const grey = y < side - 6 ? 225 : 80 + random.integer(120);
      data.set(isRed ? [214, 60, 40] : [grey, grey, grey], 3 * at);
    }
    return { bytes: encode({ width: side, height: side, data, channels: 3, depth: 8 }) };
  },
});

/** Which bands of a picture are red. */
export async function redBands(picture: Pick<Picture, "pixels">): Promise<boolean[]> {
  const { data, width } = await picture.pixels();
  return Array.from({ length: bands }, (_, band) => {
    const x = Math.floor(((band + 0.5) * side) / bands);
    const at = 3 * (5 * width + x);
    return (data[at] ?? 0) - (data[at + 1] ?? 0) > 80;
  });
}

/** Sees the bands, errs now and then, and says so in words that would be markup. */
const judge: ChatModel = {
  identity: { provider: "test", model: "judge" },
  async chat(request, { trial = 0 } = {}) {
    const asked = readRubricTask(request);
    if (asked === undefined) return { text: "What?", finish: "stop" };
    const { task, pictures } = asked;
    if (task.query.includes("Bangladeshi"))
      return { text: "I would rather not.", finish: "refused" };
    const red = await Promise.all(pictures.map(redBands));
    const random = randomFrom("judge", task.query, trial, ...pictures.map(({ hash }) => hash));
    const items = task.items.map(({ item }, at) => {
      const images = red.flatMap((own, image) => (own[at] ? [image + 1] : []));
      const isThere = 2 * images.length > pictures.length !== random.chance(0.12);
      const reason = isThere ? `<b>${item}</b> & "all alike"` : "nothing of the kind";
      return { item, present: isThere ? 1 : 0, reason, images };
    });
    return { text: JSON.stringify({ items }), finish: "stop" };
  },
};

const refiner: ChatModel = {
  identity: { provider: "test", model: "refiner" },
  async chat(request) {
    const query = readRefineTask(request)?.task.query ?? "";
    // Of a few it forgets what was asked for, which is refused.
    const prompt = query.includes("nurse") ? "a blue door" : `${query}, where nothing stands out`;
    return { text: JSON.stringify({ prompt }), finish: "stop" };
  },
};

/** Lower the fewer red bands there are: what was removed from the image is missed. */
const alignment: Metric = {
  name: "redness",
  version: 1,
  statistic: "share of red bands",
  model: "test:redness",
  range: [0, 1],
  direction: "higher",
  async score({ image }) {
    const red = await redBands(image);
    return { value: red.filter(Boolean).length / bands };
  },
};

/** A stereotype audit of painted bands by a judge that errs: two painters, refined and audited again. */
export async function makeAuditRun(
  directory: string,
  {
    count,
    images = 3,
    trials = 2,
    isRefined = true,
  }: {
    readonly count: number;
    readonly images?: number;
    readonly trials?: number;
    readonly isRefined?: boolean;
  },
): Promise<void> {
  const folder = await openStore(directory, {
    create: { command: "touchstone audit audit.yaml", seed: 3, software: "touchstone-t2i 0.0.0" },
  });
  await runSteps({
    run: folder,
    steps: auditSteps({
      queries: loadQueries(),
      rubrics: loadRubrics(),
      generators: [painter("painter-a", 0.35), painter("painter-b", 0.6)],
      judge,
      refiner: isRefined ? refiner : undefined,
      mode: "verbatim",
      alignment: [alignment],
      images,
      unit: "set",
      trials,
      count,
      seed: 3,
    }),
    concurrency: 4,
    signal: new AbortController().signal,
    openPicture,
  });
}
