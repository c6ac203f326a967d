import { extname, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { taskTables } from "../../../core/judging-tables.js";
import { askedInRounds } from "../../../ensembles/fewer-calls-replay.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { answersSoFar, stateOf } from "../../../judges/answers-so-far.js";
import { weightsOfItems } from "../../../judges/calibrate-fit.js";
import { judgeHash } from "../../../judges/judge-artefact.js";
import { promiseWords } from "../../../judges/promise-words.js";
import { certificateText, percentOf } from "../../../report/text/certificate-text.js";
import { pluralText } from "../../../report/text/number-text.js";
import { outsideArguments } from "../../command-line/allow-outside.js";
import { command } from "../../command-line/command.js";
import { checkOut } from "../../command-line/out-path.js";
import { shellWords } from "../../command-line/shell-words.js";
import { storeArgument } from "../../command-line/store-argument.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { configuredName } from "../../models/configured-name.js";
import { hostingFor } from "../../models/hosting.js";
import { number3 } from "../../terminal/numbers.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/table.js";
import { checkShares } from "../calibrate/calibrate-options.js";
import { chooseEmbedder, chooseJudge } from "../calibrate/choose-judge.js";
import { embedItems } from "../calibrate/embed-items.js";
import { itemsAsked, itemsOfRun } from "../calibrate/items-of-run.js";
import { askingOf, kindOf } from "../calibrate/judge-asking.js";
import { readItems } from "../calibrate/judged-table.js";
import { resumable } from "../calibrate/long-work.js";
import { openItems } from "../calibrate/open-items.js";
import { collect } from "../run/collect.js";
import { limitArguments, limitsOf, withoutLimits } from "../run/limits.js";
import { nothingScored } from "../score/nothing-scored.js";
import { type JudgedItem, judged, resultLine, reviewLine } from "./judged-items.js";
import { filesOf, reviewPlace } from "./review-file.js";
import {
  approximationOf,
  certificateOf,
  checkSameModel,
  readJudge,
  weighingOf,
} from "./saved-judge.js";

export default command({
  description:
    "Judges pairs of images, yes-or-no questions or ratings with a judge that calibrate " +
    "saved for that task. Confident verdicts go to --out, the rest to --review for people; " +
    "their answers (in preferred, answer or rating) go back with calibrate --add. The " +
    "calibration sets the confidence threshold: at most --target-error of the confident " +
    "verdicts are wrong. Prompts are asked one by one and stop when no further answer can " +
    "change the verdict. A rating has the probability of each value, the expected rating, " +
    "and the range that holds 95 % of the probability (2.5 % on either side).",
  examples: [
    "touchstone judge pairs.csv --judge judge.json --target-error 0.05",
    "touchstone judge pairs.csv --judge judge.json --approximate --out results.jsonl --review review.jsonl",
  ],
  arguments: {
    items: {
      kind: "positional",
      description:
        "a table with id, caption, image_a, image_b; or image, question; or image, text: as the judge was made for",
    },
    judge: {
      kind: "text",
      value: "FILE.json",
      default: "judge.json",
      description: "the saved judge",
    },
    "target-error": {
      kind: "number",
      description:
        "the highest acceptable share of wrong answers among accepted verdicts; default: as " +
        "calibrated",
    },
    confidence: {
      kind: "number",
      description: "how certain that bound is; default: as calibrated",
    },
    threshold: {
      kind: "number",
      description: "accept at this confidence, whatever is certified; at least 0.5 for two answers",
    },
    approximate: {
      kind: "switch",
      description: "also stop when a different verdict is unlikely; certified separately",
    },
    "every-prompt": { kind: "switch", description: "ask all prompts, for exact probabilities" },
    out: {
      kind: "text",
      value: "FILE.jsonl",
      default: "results.jsonl",
      description: "the judge's verdicts; image paths are relative to this file",
    },
    review: {
      kind: "text",
      value: "FILE.jsonl",
      description:
        "the items for people; default review.jsonl, or review-2.jsonl and so on if that file " +
        "has answers",
    },
    model: {
      kind: "text",
      value: "NAME",
      description: "another name for the same model, such as one in touchstone.config.yaml",
    },
    embedder: { kind: "text", value: "NAME", description: "another name for the same embedder" },
    images: {
      kind: "text",
      value: "DIR",
      description: "the folder of the images; default: the table's folder",
    },
    ...outsideArguments,
    map: {
      kind: "text",
      repeated: true,
      value: "NAME=COLUMN",
      description: "read NAME from another column: caption=prompt_text",
    },
    run: {
      kind: "text",
      value: "DIR",
      description: "the folder that stores answers; default: beside the results",
    },
    "no-cache": {
      kind: "switch",
      description: "ask hosted models again instead of using cached answers",
    },
    ...limitArguments,
    ...storeArgument,
  },
  async run({ given, environment, output, words }) {
    const { workingDirectory } = environment;
    const goOnWords = (run: string) => words({ run, "no-cache": undefined, ...withoutLimits });
    const { approximate, "every-prompt": everyPrompt, out } = given;
    for (const name of ["out", "review"] as const) {
      const file = given[name];
      if (file !== undefined && extname(file).toLowerCase() !== ".jsonl") {
        throw new InputError(`Expected a .jsonl file for --${name} but received "${file}"`);
      }
    }
    if (approximate && everyPrompt) {
      throw new InputError("Expected one of --approximate and --every-prompt but received both");
    }
    const judge = await readJudge(given.judge, environment);
    const own = filesOf(judge.command);
    const inputs = [given.items, given.judge, own.labels, ...own.added];
    await checkOut(out, { inputs, workingDirectory });
    const place = { task: judge.task, workingDirectory };
    const { file: review, answeredIn } = await reviewPlace(given.review, {
      own,
      task: judge.task,
      environment,
    });
    await checkOut(review, { inputs: [...inputs, out], workingDirectory, flag: "review" });
    if (resolve(workingDirectory, out) === resolve(workingDirectory, review)) {
      throw new InputError(`Expected two files for --out and --review but received "${out}" twice`);
    }
    const wanted = {
      target: given["target-error"] ?? judge.certification.target,
      confidence: given.confidence ?? judge.certification.confidence,
    };
    checkShares({ "target-error": wanted.target, confidence: wanted.confidence });
    const { task, prompts } = judge;
    const { item: called, label } = taskTables[task];
    const kind = kindOf(judge);
    const least = kind.leastConfidence;
    if (given.threshold !== undefined && !(given.threshold >= least && given.threshold <= 1)) {
      throw new InputError(
        `Expected a number from ${least} to 1 for --threshold but received ${given.threshold}`,
      );
    }
    const forecast = approximate ? approximationOf(judge) : undefined;
    const certificate = certificateOf(judge, { ...wanted, approximate });
    const threshold = given.threshold ?? certificate.threshold;

    const { settings } = await loadConfiguration(environment);
    const hosting = hostingFor(environment, {
      settings: settings.cache,
      useCache: !given["no-cache"],
      maxCost: given["max-cost"],
      tell: output.note,
    });
    const choosing = { configured: settings.models, hosting };
    const { items: file, map, images } = given;
    const items = await readItems(
      { file, map, images, allowOutside: given["allow-outside"], environment },
      { task, whose: given.judge },
    );
    const hashes = await openItems(items, { environment, output });
    const judgedItems: JudgedItem[] = [];
    let calls = 0;
    if (threshold === null) {
      const nobody = {
        weights: new Float64Array(prompts.length),
        answers: new Float64Array(prompts.length * kind.width).fill(Number.NaN),
        asked: new Uint8Array(prompts.length),
      };
      const rule = kind.rule(1);
      for (const item of items) judgedItems.push(judged(item, nobody, { task, rule }));
    } else {
      const { model, callsAtOnce, judgesPhotographs, load } = await chooseJudge(
        given.model ?? (await configuredName(judge.model, choosing)) ?? judge.model.model,
        choosing,
      );
      const asking = askingOf(model, judge);
      checkSameModel(model, judge.model, "model");
      await load();
      const run = given.run ?? `${out.slice(0, -extname(out).length)}-answers`;
      const weights = weightsOfItems(weighingOf(judge), {
        items: items.length,
        prompts: prompts.length,
        embeddings: await embeddingsFor(run),
      });
      const rule = kind.rule(threshold, forecast);
      const { width } = kind;
      const { store, summaries } = await collect(
        (opened) =>
          asking.rounds({
            prompts,
            width,
            weights,
            rule,
            everyPrompt,
            items: itemsOfRun(items, { store: opened, hashes }),
          }),
        {
          run,
          command: goOnWords(run),
          seed: 0,
          models: [judge.model.model],
          limits: limitsOf(given),
          meter: hosting.meter,
          ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
          environment,
          output: withoutIdleRounds(output),
        },
      );
      const asked = summaries.filter(({ planned }) => planned > 0);
      if (asked.length > 0 && asked.every(({ done }) => done === 0)) {
        throw nothingScored(
          asked.map(({ unscored }) => unscored),
          { judgesPhotographs },
        );
      }
      const said = await answersSoFar(asking.answers(store), {
        items: itemsAsked(items, hashes),
        prompts,
        width,
      });
      for (const [row, item] of items.entries()) {
        const known = stateOf(said.get(item.id), row, { weights, prompts: prompts.length, width });
        const { state } = everyPrompt ? { state: known } : askedInRounds(rule, known);
        judgedItems.push(judged(item, state, { task, rule }));
        calls += judgedItems.at(-1)?.asked ?? 0;
      }
    }

    const accepted = judgedItems.filter(({ decision }) => decision !== null);
    const undecided = judgedItems.filter(({ decision }) => decision === null);
    const rest = undecided.filter(({ item }) => answeredIn(item) === undefined);
    const answered = undecided.length - rest.length;
    const answeredFiles = new Set(undecided.flatMap(({ item }) => answeredIn(item) ?? []));
    await writeFileAtomically(
      resolve(workingDirectory, out),
      linesOf(accepted.map((one) => resultLine(one, { ...place, file: out }))),
    );
    await writeFileAtomically(
      resolve(workingDirectory, review),
      linesOf(
        rest.map((one) =>
          reviewLine(one, { ...place, threshold, judge: given.judge, file: review }),
        ),
      ),
    );
    const unanswered = rest.filter(({ asked, unscored }) => asked > 0 && asked === unscored).length;
    const share = calls / (items.length * prompts.length);
    const isPromised = given.threshold === undefined;
    const sentence = isPromised
      ? certificateText(certificate, judge, wanted)
      : "The threshold was given: nothing is promised of what it accepts.";
    output.resultJson({
      judge: judgeHash(judge),
      task,
      n: items.length,
      accepted: accepted.length,
      review: rest.length,
      answered,
      unscored: unanswered,
      threshold,
      target: wanted.target,
      confidence: wanted.confidence,
      approximate,
      certificate: isPromised ? { ...certificate } : null,
      calls,
      shareOfCalls: share,
      out,
      reviewFile: review,
      warnings: threshold === null ? [sentence] : [],
    });
    output.result(
      table(
        [
          { title: `${called}s` },
          { title: "n", align: "right" },
          { title: "share", align: "right" },
          { title: "file" },
        ],
        [
          ["accepted", String(accepted.length), percentOf(accepted.length / items.length), out],
          ...(answered > 0
            ? [
                [
                  "answered before",
                  String(answered),
                  percentOf(answered / items.length),
                  [...answeredFiles].join(", "),
                ],
              ]
            : []),
          ["for people", String(rest.length), percentOf(rest.length / items.length), review],
        ],
        output.style.width,
      ),
    );
    output.result(`\n${sentence}`);
    if (threshold === null) {
      output.warn(
        `So no model was asked, and all ${called}s go to people. --threshold 0.9 accepts without a promise.`,
      );
    } else {
      output.note(
        `Asked ${pluralText(calls, "question")} of ${items.length * prompts.length} (${percentOf(share)}), ` +
          `accepting at ${number3(threshold)}` +
          (unanswered > 0 ? `; ${pluralText(unanswered, called)} without any answer` : ""),
      );
    }
    if (rest.length > 0) {
      const studio = shellWords(["touchstone", "studio", review]);
      output.note(`Answer with one key each (${studio}), or fill in ${label} in ${review};`);
      output.note("then what people said goes back by:");
      const further = [...answeredFiles, review].filter((file) => !own.added.includes(file));
      output.nextCommand([
        ...["calibrate", ...judge.command, ...promiseWords(wanted)],
        ...further.flatMap((file) => ["--add", file]),
        ...["--out", given.judge],
      ]);
    }

    async function embeddingsFor(run: string) {
      if (judge.embedder === null) return undefined;
      const name =
        given.embedder ?? (await configuredName(judge.embedder, choosing)) ?? judge.embedder.model;
      const { model } = await chooseEmbedder(name, choosing);
      checkSameModel(model, judge.embedder, "embedder");
      return resumable(() => embedItems(model, items, { environment, output }), {
        signal: environment.signal,
        doing: "images were embedded",
        goOn: shellWords(["touchstone", ...goOnWords(run)]),
      });
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
