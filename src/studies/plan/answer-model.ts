import { largestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import { exp } from "../../stats/elementary/exponential.js";
import type { BlockSettings } from "../config/study-config.js";
import { protocolOf } from "../protocols/protocols.js";

/** Aim of a study. */
export type Aim =
  | {
      /**
       * The smallest difference that matters, of the true answers: of two models' mean levels (rating,
       * likert) or shares of yes (localized, rubric), or of a model's win rate from 0.5 (pairwise).
       */
      readonly difference: number;
    }
  | {
      /** The agreement of raters to show: the interval of kappa or alpha is to lie above it. */
      readonly kappa: number;
    };

/** From what distribution the true answers of items come. */
export interface AnswerModel {
  /** The answers that can be given, as `analyze agreement` reads them. */
  readonly answers: readonly string[];
  /** The value of each: a level, 1 for yes, 1 for a win and 0.5 for a tie. */
  readonly values: readonly number[];
  /** Probabilities of the true answers: of one group of items, or of the better and the worse model's. */
  readonly groups: readonly (readonly number[])[];
}

/**
 * The simple model of a protocol from which a study is planned. Levels: as likely as each other where
 * nothing differs, else by p(v) in proportion to exp(t v) for the better and exp(-t v) for the worse
 * model. Yes or no: the prevalence, half a difference up and down. Pairs: a share of ties, else a win.
 *
 * @param options.prevalence the true share of yes
 * @param options.ties the true share of pairs that tie
 * @throws InputError for a difference that the answers can't have, or a protocol without such answers.
 * @example answerModel(pairwiseBlock, { aim: { difference: 0.1 }, prevalence: 0.5, ties: 0.2 }).groups // [[0.5, 0.2, 0.3]]
 */
export function answerModel(
  settings: BlockSettings,
  {
    aim,
    prevalence,
    ties,
  }: { readonly aim: Aim; readonly prevalence: number; readonly ties: number },
): AnswerModel {
  const difference = "difference" in aim ? aim.difference : 0;
  const isTwo = "difference" in aim;
  const checked = (most: number, what: string): void => {
    if (difference >= 0 && difference < most) return;
    const expected = `a number from 0 to below ${Number(most.toFixed(3))}`;
    throw new InputError(
      `Expected ${expected} for difference (${what}) but received ${difference}`,
    );
  };
  switch (protocolOf(settings.protocol).answers) {
    case "levels": {
      const values = levelsOf(settings);
      checked((values.at(-1) ?? 0) - (values[0] ?? 0), "in points of the scale");
      const tilt = tiltFor(values, difference);
      const groups = (isTwo ? [tilt, -tilt] : [0]).map((each) => tilted(values, each));
      return { answers: values.map(String), values, groups };
    }
    case "shares": {
      checked(2 * Math.min(prevalence, 1 - prevalence), "of shares of yes");
      const groups = (isTwo ? [difference / 2, -difference / 2] : [0]).map((by) => [
        1 - prevalence - by,
        prevalence + by,
      ]);
      return { answers: ["no", "yes"], values: [0, 1], groups };
    }
    case "wins": {
      const tied = settings.tie === "none" ? 0 : ties;
      checked((1 - tied) / 2, "of the win rate from 0.5");
      const [win, loss] = [(1 - tied) / 2 + difference, (1 - tied) / 2 - difference];
      return settings.tie === "none"
        ? { answers: ["a", "b"], values: [1, 0], groups: [[win, loss]] }
        : { answers: ["a", "tie", "b"], values: [1, 0.5, 0], groups: [[win, tied, loss]] };
    }
    case "words":
      throw new InputError(
        `Expected a block with answers to compare but received one of ${settings.protocol}`,
        { hint: "Words and sketches are coded; name another block with --block." },
      );
  }
}

/** The levels of a block, from the lowest up. */
function levelsOf(settings: BlockSettings): readonly number[] {
  const [low, high] = protocolOf(settings.protocol).asMetric?.range(settings) ?? [1, 5];
  const named = settings.levels?.map(({ value }) => value);
  return (
    named?.sort((a, b) => a - b) ?? Array.from({ length: high - low + 1 }, (_, at) => low + at)
  );
}

function tilted(values: readonly number[], tilt: number): readonly number[] {
  const top = largestOf(values.map((value) => tilt * value));
  const weights = values.map((value) => exp(tilt * value - top));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The tilt by which two models' means lie `difference` apart, by bisection. */
function tiltFor(values: readonly number[], difference: number): number {
  const meanAt = (tilt: number) =>
    tilted(values, tilt).reduce((sum, share, at) => sum + share * (values[at] ?? 0), 0);
  let [low, high] = [0, 1];
  while (meanAt(high) - meanAt(-high) < difference) high *= 2;
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (meanAt(middle) - meanAt(-middle) < difference) low = middle;
    else high = middle;
  }
  return difference === 0 ? 0 : high;
}
