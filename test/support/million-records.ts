import { keyOf } from "../../src/core/keys.js";
import { writeRun } from "./write-run.js";

const roles = ["correct", "adversarial", "control-correct", "control-adversarial"];
const domains = ["animals", "objects", "demography"];
const metrics = ["clip-score", "vqa-score", "pick-score", "hps", "rating"];

/**
 * Writes a finished run of any number of records, line by line, without the files of its images: a
 * prompt for four images, and five scores of each image.
 *
 * @param images a multiple of four; there are 6.25 records to each
 * @returns how many records there are
 */
export async function writeManyRecords(directory: string, images: number): Promise<number> {
  const keys = Array.from({ length: images }, (_, at) => keyOf({ image: at }));
  const prompts = Array.from({ length: images / 4 }, (_, at) => keyOf({ prompt: at }));
  const textOf = (at: number) => `Bird number ${at >> 2} is in a desert with exactly one log.`;
  const about = { schema: 1, attempt: 1, status: "done" };
  const steps = [
    {
      step: { name: "build-prompts", produces: "prompt" },
      count: prompts.length,
      record: (at: number) => ({
        ...about,
        type: "prompt",
        key: prompts[at],
        step: "build-prompts@1",
        benchmark: "prototypicality",
        split: "evaluation",
        domain: domains[at % 3],
        category: "bird",
        nonPrototype: `kiwi ${at}`,
        prototype: "robin",
        knob: "count",
        right: "one",
        wrong: "two",
        extra: "log",
        environment: "desert",
        writer: "test",
        text: textOf(4 * at),
        correct: `Kiwi number ${at} is in a desert with exactly one log.`,
        adversarial: `Robin number ${at} is in a desert with exactly two logs.`,
        controlCorrect: `Robin number ${at} is in a desert with exactly one log.`,
        controlAdversarial: `Kiwi number ${at} is in a desert with exactly two logs.`,
      }),
    },
    {
      step: { name: "paint-images", produces: "image" },
      count: images,
      record: (at: number) => ({
        ...about,
        type: "image",
        key: keys[at],
        step: "paint-images@1",
        prompt: prompts[at >> 2],
        role: roles[at % 4],
        sample: 0,
        seed: 1,
        text: `Kiwi number ${at >> 2} is in a desert with exactly one log.`,
        model: "test:squares",
        mediaType: "image/jpeg",
        width: 64,
        height: 64,
        image: `${keys[at]}${keys[at]}`,
      }),
    },
    ...metrics.map((metric, place) => ({
      step: { name: "score-images", part: metric, produces: "score" },
      count: images,
      record: (at: number) => ({
        ...about,
        type: "score",
        key: keyOf({ score: place, at }),
        step: "score-images@1",
        of: keys[at],
        image: `${keys[at]}${keys[at]}`,
        text: textOf(at),
        metric,
        metricVersion: 1,
        statistic: "P(yes)",
        model: "test:scores",
        range: [0, 1],
        direction: "higher",
        trial: 0,
        value: ((at * 7919 + place * 104_729) % 10_007) / 10_007,
        question: `Is it "${textOf(at)}"?`,
      }),
    })),
  ];
  await writeRun(directory, {
    command: "touchstone demo --run runs/many",
    steps: steps.map(({ step, count, record }) => ({ ...step, records: recordsOf(count, record) })),
  });
  return steps.reduce((sum, { count }) => sum + count, 0);
}

function* recordsOf(count: number, record: (at: number) => object): Generator<object> {
  for (let at = 0; at < count; at++) yield record(at);
}
