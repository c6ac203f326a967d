import { extname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { weightsOfPairs } from "../../judges/calibrate-fit.js";
import { judgeHash } from "../../judges/judge-artefact.js";
import { answersSoFar, selectiveRounds, stateOf } from "../../judges/selective-rounds.js";
import { pluralText } from "../../report/number-text.js";
import { certificateText, percentOf } from "../calibrate/certificate-text.js";
import { chooseEmbedder, chooseJudge } from "../calibrate/choose-judge.js";
import { embedPairs } from "../calibrate/embed-pairs.js";
import { openPairs } from "../calibrate/open-pairs.js";
import { readPairs } from "../calibrate/pair-table.js";
import { pairsOfRun } from "../calibrate/pairs-of-run.js";
import { command } from "../command.js";
import { loadConfiguration } from "../configuration.js";
import { hostingFor } from "../hosting.js";
import { type JudgedPair, judged, resultLine, reviewLine } from "../judge/judged-pairs.js";
import {
  approximationOf,
  certificateOf,
  checkSameModel,
  readJudge,
  weighingOf,
} from "../judge/saved-judge.js";
import { number3 } from "../numbers.js";
import { checkOut } from "../out-path.js";
import type { Output } from "../output.js";
import { collect } from "../run/collect.js";
import { limitArguments, limitsOf } from "../run/limits.js";
import { nothingScored } from "../score/nothing-scored.js";
import { shellWords } from "../shell-words.js";
import { table } from "../table.js";

export default command({
  description:
    "Decides pairs of images by a judge that calibrate saved. What it is sure enough of goes to --out, " +
    "the rest to --review, for people; their answers (preferred: a, b or tie) go back by calibrate --add. " +
    "How sure is enough, the labels of its calibration say: at most --target-error of what it answers " +
    "alone is wrong. Prompts are asked one after another, and no further where nothing can change.",
  examples: [
    "touchstone judge pairs.csv --judge judge.json --target-error 0.05",
    "touchstone judge pairs.csv --judge judge.json --approximate --out results.jsonl --review review.jsonl",
  ],
  arguments: {
    pairs: { kind: "positional", description: "a table with id, caption, image_a, image_b" },
    judge: {
      kind: "text",
      value: "FILE.json",
      default: "judge.json",
      description: "the saved judge",
    },
    "target-error": {
      kind: "number",
      description:
        "at most this share of what is accepted may be wrong; as calibrated if not given",
    },
    confidence: { kind: "number", description: "how surely; as calibrated if not given" },
    threshold: {
      kind: "number",
      description: "accept at this confidence, from 0.5 on, whatever is certified",
    },
    approximate: {
      kind: "switch",
      description: "also stop where another verdict is unlikely; that is certified apart",
    },
    "every-prompt": { kind: "switch", description: "ask all prompts, for exact probabilities" },
    out: {
      kind: "text",
      value: "FILE.jsonl",
      default: "results.jsonl",
      description: "the pairs that the judge decides",
    },
    review: {
      kind: "text",
      value: "FILE.jsonl",
      default: "review.jsonl",
      description: "the pairs that people should decide",
    },
    model: {
      kind: "text",
      value: "NAME",
      description: "the same model by another name, such as one of touchstone.config.yaml",
    },
    embedder: { kind: "text", value: "NAME", description: "the same embedder by another name" },
    images: { kind: "text", value: "DIR", description: "where images are; beside the table" },
    map: {
      kind: "text",
      repeated: true,
      value: "NAME=COLUMN",
      description: "where a column has another name: caption=prompt_text",
    },
    run: { kind: "text", value: "DIR", description: "where answers are kept; beside the results" },
    "no-cache": { kind: "switch", description: "ask hosted models again what they have answered" },
    ...limitArguments,
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const { approximate, "every-prompt": everyPrompt, out, review } = given;
    for (const name of ["out", "review"] as const) {
      const inputs = [given.pairs, given.judge, ...(name === "review" ? [out] : [])];
      if (extname(given[name]).toLowerCase() !== ".jsonl") {
        throw new InputError(`Expected a .jsonl file for --${name} but received "${given[name]}"`);
      }
      await checkOut(given[name], { inputs, workingDirectory, flag: name });
    }
    if (resolve(workingDirectory, out) === resolve(workingDirectory, review)) {
      throw new InputError(`Expected two files for --out and --review but received "${out}" twice`);
    }
    if (approximate && everyPrompt) {
      throw new InputError("Expected one of --approximate and --every-prompt but received both");
    }
    const judge = await readJudge(given.judge, environment);
    const wanted = {
      target: given["target-error"] ?? judge.certification.target,
      confidence: given.confidence ?? judge.certification.confidence,
    };
    for (const [name, value] of [
      ["target-error", wanted.target],
      ["confidence", wanted.confidence],
    ] as const) {
      if (value > 0 && value < 1) continue;
      throw new InputError(`Expected a number between 0 and 1 for --${name} but received ${value}`);
    }
    if (given.threshold !== undefined && !(given.threshold >= 0.5 && given.threshold <= 1)) {
      throw new InputError(
        `Expected a number from 0.5 to 1 for --threshold but received ${given.threshold}`,
      );
    }
    const certificate = certificateOf(judge, { ...wanted, approximate });
    const threshold = given.threshold ?? certificate.threshold;

    const { settings } = await loadConfiguration(environment);
    const hosting = hostingFor(environment, {
      settings: settings.cache,
      useCache: !given["no-cache"],
      tell: output.note,
    });
    const choosing = { configured: settings.models, hosting };
    const { pairs: file, map, images } = given;
    const pairs = await readPairs({ file, map, images, environment });
    const hashes = await openPairs(pairs, { environment, output });
    const judgedPairs: JudgedPair[] = [];
    let calls = 0;
    if (threshold === null) {
      const nobody = new Float64Array(judge.prompts.length);
      const state = {
        weights: nobody,
        answers: nobody.map(() => Number.NaN),
        asked: new Uint8Array(judge.prompts.length),
      };
      for (const pair of pairs) {
        judgedPairs.push(judged(pair, state, { threshold: 1, approximate: undefined }));
      }
    } else {
      const { model, callsAtOnce, judgesPhotographs } = await chooseJudge(
        given.model ?? judge.model.model,
        choosing,
      );
      checkSameModel(model, judge.model, "model");
      const weights = weightsOfPairs(weighingOf(judge), {
        pairs: pairs.length,
        prompts: judge.prompts.length,
        embeddings: await embeddingsFor(),
      });
      const prompts = judge.prompts;
      const forecast = approximate ? approximationOf(judge) : undefined;
      const run = given.run ?? `${out.slice(0, -extname(out).length)}-answers`;
      const { folder, summaries } = await collect(
        (opened) =>
          selectiveRounds({
            ...{ model, prompts, weights, threshold, everyPrompt, approximate: forecast },
            ...{ way: judge.way, ties: judge.ties, trials: judge.trials },
            pairs: pairsOfRun(pairs, { folder: opened, hashes }),
          }),
        {
          run,
          command: wordsOf(given, run),
          seed: 0,
          models: [judge.model.model],
          limits: limitsOf(given),
          ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
          ...{ environment, output: withoutIdleRounds(output) },
        },
      );
      const asked = summaries.filter(({ planned }) => planned > 0);
      if (asked.length > 0 && asked.every(({ done }) => done === 0)) {
        throw nothingScored(
          asked.map(({ unscored }) => unscored),
          { judgesPhotographs },
        );
      }
      const said = await answersSoFar(folder.ofType("judgment"), { prompts });
      for (const [row, pair] of pairs.entries()) {
        const state = stateOf(said.get(pair.id), row, { prompts, weights });
        judgedPairs.push(judged(pair, state, { threshold, approximate: forecast }));
        calls += judgedPairs.at(-1)?.asked ?? 0;
      }
    }

    const accepted = judgedPairs.filter(({ verdict }) => verdict !== "review");
    const rest = judgedPairs.filter(({ verdict }) => verdict === "review");
    const place = { file: review, workingDirectory };
    await writeFileAtomically(resolve(workingDirectory, out), linesOf(accepted.map(resultLine)));
    await writeFileAtomically(
      resolve(workingDirectory, review),
      linesOf(rest.map((one) => reviewLine(one, place))),
    );
    const unanswered = rest.filter(({ asked, unscored }) => asked > 0 && asked === unscored).length;
    const share = calls / (pairs.length * judge.prompts.length);
    const isPromised = given.threshold === undefined;
    const sentence = isPromised
      ? certificateText(certificate, judge, wanted)
      : "The threshold was given: nothing is promised of what it accepts.";
    output.resultJson({
      judge: judgeHash(judge),
      n: pairs.length,
      accepted: accepted.length,
      review: rest.length,
      unscored: unanswered,
      threshold,
      ...{ target: wanted.target, confidence: wanted.confidence, approximate },
      certificate: isPromised ? { ...certificate } : null,
      calls,
      shareOfCalls: share,
      ...{ out, reviewFile: review },
      warnings: threshold === null ? [sentence] : [],
    });
    output.result(
      table(
        [
          { title: "pairs" },
          { title: "n", align: "right" },
          { title: "share", align: "right" },
          { title: "file" },
        ],
        [
          ["accepted", String(accepted.length), percentOf(accepted.length / pairs.length), out],
          ["for people", String(rest.length), percentOf(rest.length / pairs.length), review],
        ],
      ),
    );
    output.result(`\n${sentence}`);
    if (threshold === null) {
      output.warn(
        "So nobody was asked, and all pairs are for people. --threshold 0.9 accepts without a promise.",
      );
    } else {
      output.note(
        `Asked ${pluralText(calls, "question")} of ${pairs.length * judge.prompts.length} (${percentOf(share)}), ` +
          `accepting at ${number3(threshold)}` +
          (unanswered > 0 ? `; ${pluralText(unanswered, "pair")} without any answer` : ""),
      );
    }
    if (rest.length > 0) {
      output.note(
        `Fill in preferred (a, b or tie) in ${review}; then what people said goes back by:`,
      );
      output.nextCommand(
        shellWords([
          ...["touchstone", "calibrate", "labels.csv", "--model", given.model ?? judge.model.model],
          ...["--prompts", String(judge.prompts.length)],
          ...(judge.embedder === null
            ? []
            : ["--embedder", given.embedder ?? judge.embedder.model]),
          ...(judge.way === "samples" ? ["--samples", String(judge.trials)] : []),
          ...(judge.ties ? ["--ties"] : []),
          ...(judge.fit.seed === 0 ? [] : ["--seed", String(judge.fit.seed)]),
          ...["--target-error", String(wanted.target)],
          ...(wanted.confidence === 0.95 ? [] : ["--confidence", String(wanted.confidence)]),
          ...(judge.certification.method === "cross-fitted" ? ["--certify", "cross-fitted"] : []),
          ...["--add", review, "--out", given.judge],
        ]),
      );
    }

    async function embeddingsFor() {
      if (judge.embedder === null) return undefined;
      const name = given.embedder ?? judge.embedder.model;
      const { model } = await chooseEmbedder(name, choosing);
      checkSameModel(model, judge.embedder, "embedder");
      return embedPairs(model, pairs, { environment, output });
    }
  },
});

/** Rounds for which nothing is left are many, and of no interest. */
const withoutIdleRounds = (output: Output): Output => ({
  ...output,
  note(text) {
    if (!/-round-\d+: nothing to do$/.test(text)) output.note(text);
  },
});

const linesOf = (rows: readonly JsonObject[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** The words that go on with this. */
function wordsOf(
  given: {
    readonly pairs: string;
    readonly judge: string;
    readonly "target-error": number | undefined;
    readonly confidence: number | undefined;
    readonly threshold: number | undefined;
    readonly approximate: boolean;
    readonly "every-prompt": boolean;
    readonly out: string;
    readonly review: string;
    readonly model: string | undefined;
    readonly embedder: string | undefined;
    readonly images: string | undefined;
    readonly map: readonly string[];
  },
  run: string,
): string[] {
  const value = (name: string, text: string | number | undefined) =>
    text === undefined ? [] : [`--${name}`, String(text)];
  return [
    ...["judge", given.pairs],
    ...value("judge", given.judge),
    ...value("target-error", given["target-error"]),
    ...value("confidence", given.confidence),
    ...value("threshold", given.threshold),
    ...(given.approximate ? ["--approximate"] : []),
    ...(given["every-prompt"] ? ["--every-prompt"] : []),
    ...value("out", given.out),
    ...value("review", given.review),
    ...value("model", given.model),
    ...value("embedder", given.embedder),
    ...value("images", given.images),
    ...given.map.flatMap((pair) => ["--map", pair]),
    ...value("run", run),
  ];
}
