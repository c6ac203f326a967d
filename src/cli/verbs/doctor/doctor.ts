import { randomUUID } from "node:crypto";
import { acuityText } from "../../../analysis/sanity/sanity-text.js";
import { largestOf } from "../../../core/arrays.js";
import { InputError, TouchstoneError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import {
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type Model,
  modelName,
  turn,
} from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import { loadSharp } from "../../../images/load-sharp.js";
import { openPicture } from "../../../images/picture.js";
import { contractsOf, contractWords, keeps } from "../../../models/contracts.js";
import { checkSight } from "../../../models/sight/check-sight.js";
import { blindAdvice, measureAcuity, sightText } from "../../../models/sight/sights.js";
import { command } from "../../command-line/command.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import type { ChosenModel, Environment } from "../../environment.js";
import { loadLab } from "../../lab.js";
import { hostingFor } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";
import { dollars } from "../../terminal/numbers.js";
import { wrap } from "../../terminal/wrap.js";
import { Spending } from "../score/spending.js";
import { type Check, checks, type Finding } from "./checks.js";

export default command({
  description:
    "Checks what is installed and says how to get what is missing. Exits with 2 if a " +
    "required part does not work; optional parts may be missing.",
  examples: ["touchstone doctor", "touchstone doctor --models", "touchstone doctor --json"],
  arguments: {
    models: {
      kind: "switch",
      description:
        "ask each configured model for colours: does it see, down to which size, what can it do, what does it cost",
    },
  },
  async run({ given, environment, output }) {
    const all = [
      ...checks,
      ...(await labChecks()),
      ...(given.models ? await modelChecks(environment, output.note) : []),
    ];
    const findings: ({ name: string } & Finding)[] = [];
    const { style } = output;
    const paint = { ok: style.green, missing: style.yellow, wrong: style.red };
    const width = largestOf(all.map(({ name }) => name.length));
    for (const { name, look } of all) {
      const finding = await look(environment);
      findings.push({ name, ...finding });
      const { state, detail, advice, summary = detail } = finding;
      const text = [summary, ...(advice === undefined ? [] : [`-> ${advice}`])].join("\n");
      const indent = " ".repeat(width + 11);
      output.result(
        `${paint[state](state.padEnd(7))}  ${name.padEnd(width)}  ` +
          wrap(text, style.width - indent.length).replaceAll("\n", `\n${indent}`),
      );
    }
    output.resultJson({ checks: findings.map(({ summary, ...finding }) => finding) });
    const wrong = findings.filter(({ state }) => state === "wrong");
    if (wrong.length > 0) {
      throw new InputError(`${wrong.length} of ${findings.length} checks are wrong`, {
        problems: wrong.map(({ name, detail, advice }) => `${name}: ${detail}. ${advice ?? ""}`),
      });
    }
    output.nextCommand(["demo"]);
  },
});

/** What the lab checks of itself; without it, how to get it. */
async function labChecks(): Promise<readonly Check[]> {
  try {
    return (await loadLab()).checks;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { message, hint = "" } = error;
    return [
      { name: "lab", look: async () => ({ state: "missing", detail: message, advice: hint }) },
    ];
  }
}

/** One check for each model that the settings name; hosted ones are really asked. */
export async function modelChecks(
  environment: Environment,
  tell?: (text: string) => void,
): Promise<Check[]> {
  const settings = await loadConfiguration(environment).then(
    (loaded) => loaded.settings,
    (error: unknown): Configuration => {
      // What is wrong with the file is a check of its own.
      if (error instanceof InputError) return {};
      throw error;
    },
  );
  const configured = settings.models ?? {};
  const names = [...new Set([...Object.keys(configured), ...(settings.score?.models ?? [])])];
  if (names.length === 0) {
    const look = async () => ({
      state: "missing" as const,
      detail: "the settings name none",
      advice: "Name them under models in touchstone.config.yaml: touchstone doctor init",
    });
    return [{ name: "models", look }];
  }
  // Without the cache: a kept reply says nothing about today.
  const hosting = hostingFor(environment, { useCache: false, ...(tell && { tell }) });
  return names.map((name) => ({
    name: `model ${name}`,
    async look({ signal }) {
      try {
        const chosen = await chooseModel(name, configured, hosting);
        const finding = await tryModel(chosen, signal);
        const full = modelName(chosen.model.identity);
        return {
          ...finding,
          detail: full === name ? finding.detail : `${full}: ${finding.detail}`,
        };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const advice = error.hint ?? "Correct its settings in touchstone.config.yaml";
        return { state: "wrong", detail: error.message, advice };
      }
    },
  }));
}

/** Tried abilities of a chat model. */
interface Abilities {
  readonly reply: ChatReply;
  readonly images: boolean;
  readonly logProbabilities: boolean;
}

/**
 * Tries a model: a chat model by one tiny call with an image that asks for JSON and
 * log-probabilities at once, and without what it turns down; another model by loading it. Nothing is
 * generated: a key that is missing is noticed, one that is wrong is not.
 */
async function tryModel(
  { model, load }: Pick<ChosenModel, "model" | "load">,
  signal: AbortSignal,
): Promise<Finding> {
  const spending = new Spending();
  try {
    await load();
    if (keeps(model, "ImageGenerator") && model.identity.baseUrl !== undefined) {
      return { state: "ok", detail: `${words(model)}; not tried, as each image costs` };
    }
    // A recording would say that it has never heard the question.
    const isAsked = keeps(model, "ChatModel") && model.identity.provider !== "recorded";
    const trying = { signal, trace: spending.note };
    if (!isAsked) return await sightFinding(model, trying, words(model));
    const found = await abilitiesOf(model, trying);
    const detail = () => `${describe(found)}; ${costText(spending)}`;
    if (!found.images) return { state: "ok", detail: detail() };
    const { acuity, ...finding } = await sightFinding(model, trying);
    const measured = acuity === undefined || finding.state === "wrong" ? "" : acuityText(acuity);
    const seen = [finding.detail, measured].filter(Boolean);
    return {
      ...finding,
      ...(acuity === undefined ? {} : { acuity }),
      detail: [...seen, detail()].join("; "),
    };
  } catch (error) {
    if (error instanceof NoAnswer) {
      const advice = error.retryable
        ? "Try again later"
        : "Choose another model, or correct its settings";
      return { state: "wrong", detail: `${error.reason}: ${error.message}`, advice };
    }
    if (!(error instanceof TouchstoneError)) throw error;
    const advice = error.hint ?? "Correct its settings in touchstone.config.yaml";
    return { state: "wrong", detail: error.message, advice };
  }
}

/** How a model sees, and how well; one that is blind is wrong. */
async function sightFinding(
  model: Model,
  { signal, trace }: Trying,
  detail = "",
): Promise<Finding> {
  if (model.identity.provider === "recorded") return { state: "ok", detail };
  const options = { signal, trace, seed: randomUUID() };
  const sight = await checkSight(model, options);
  const { state, right, of } = sight;
  if (state === "exempt") return { state: "ok", detail, sight };
  const text = sightText(modelName(model.identity), sight) ?? `sees images (${right} of ${of})`;
  const told = [detail, text].filter(Boolean).join("; ");
  if (state === "blind") {
    const acuity = { pixels: null, of: 1024 };
    return { state: "wrong", detail: told, advice: blindAdvice, sight, acuity };
  }
  if (!keeps(model, "ChatModel")) return { state: "ok", detail: told, sight };
  const acuity = await measureAcuity(model, options);
  return { state: "ok", detail: told, sight, ...(acuity === undefined ? {} : { acuity }) };
}

const words = (model: Model) =>
  contractsOf(model)
    .map((contract) => contractWords[contract])
    .join(" and ");

interface Trying {
  readonly signal: AbortSignal;
  readonly trace: (entry: JsonObject) => void;
}

async function abilitiesOf(model: ChatModel, options: Trying): Promise<Abilities> {
  const sharp = await loadSharp();
  const picture = await openPicture(
    await sharp({ create: { width: 32, height: 32, channels: 3, background: "#d03030" } })
      .png()
      .toBuffer(),
  );
  let images = true;
  let logProbabilities = true;
  for (;;) {
    const text = 'Is the image red? Answer with JSON: {"answer": "yes"} or {"answer": "no"}.';
    const request: ChatRequest = {
      messages: [turn("user", ...(images ? [picture] : []), text)],
      maxTokens: 32,
      temperature: 0,
      answerSchema: { name: "answer", schema: answerSchema },
      ...(logProbabilities ? { topLogProbabilities: 20 } : {}),
    };
    try {
      return { reply: await model.chat(request, options), images, logProbabilities };
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (error.reason === "not-applicable" && logProbabilities) logProbabilities = false;
      else if (error.reason === "bad-input" && images) images = false;
      else throw error;
    }
  }
}

const answerSchema = {
  type: "object",
  properties: { answer: { type: "string", enum: ["yes", "no"] } },
  required: ["answer"],
  additionalProperties: false,
};

function describe({ reply, images, logProbabilities }: Abilities): string {
  const many = Math.max(
    0,
    largestOf((reply.tokens ?? []).map(({ alternatives }) => alternatives.length)),
  );
  return [
    images ? "takes images" : "takes no images",
    !logProbabilities
      ? "no log-probabilities (P(yes) needs yesNo: verbalized or samples, calibrate --samples 5)"
      : many > 1
        ? `log-probabilities of ${many} alternatives`
        : "log-probabilities of the word it says alone (P(yes) below 95 % needs yesNo: verbalized or samples)",
    isAnswer(reply.text) ? "answers in JSON" : `no JSON: it said "${reply.text.slice(0, 60)}"`,
  ].join(", ");
}

function isAnswer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "answer" in value;
  } catch {
    return false;
  }
}

function costText(spending: Spending): string {
  if (spending.unpriced > 0) return "its price is not known (price in the settings)";
  return `this cost ${dollars(spending.cost)}`;
}
