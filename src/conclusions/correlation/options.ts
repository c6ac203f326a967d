import type { Also } from "../../analysis/correlation/also.js";
import { type GroupAverage, groupAverages } from "../../analysis/correlation/group-average.js";
import {
  type CountTarget,
  countTargets,
  type GroupWeight,
  groupWeights,
  type UndefinedGroupRule,
  undefinedGroupRules,
} from "../../analysis/correlation/grouping.js";
import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import { valuesArgument } from "../../tables/recoded-column.js";
import { intervalArguments } from "../shared-options.js";

export const options = {
  human: {
    kind: "text",
    value: "COLUMN",
    description: "the column with the human rating (higher is better); A,B averages several",
  },
  group: {
    kind: "text",
    value: "A,B",
    description: "also correlate within groups of rows that share these columns' values",
  },
  average: {
    kind: "choice",
    choices: groupAverages,
    description: "for --group: average in Fisher's z or directly (default: fisher)",
  },
  weight: {
    kind: "choice",
    choices: groupWeights,
    description: "for --group: weight groups equally or by their rows (default: equal)",
  },
  undefined: {
    kind: "choice",
    choices: undefinedGroupRules,
    description:
      "for --group: leave out groups without a coefficient, or count them as zero, in pairwise accuracy " +
      "as 0.5 (default left-out)",
  },
  "human-counts": {
    kind: "text",
    value: "TP,FP,FN",
    description:
      "use these three columns with human counts instead of --human, pooled in groups of items",
  },
  target: {
    kind: "choice",
    choices: countTargets,
    description: "for --human-counts: the reference computed from a group's counts (default: f1)",
  },
  groups: {
    kind: "number",
    integer: true,
    minimum: 3,
    description:
      "for --human-counts: the number of groups, equal in size to within 1 (default: 25)",
  },
  seeds: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1000,
    description:
      "for --human-counts: the number of random groupings that are averaged (default: 5)",
  },
  metrics: {
    kind: "text",
    value: "A,B",
    description:
      "the columns of the metrics (default: every numeric column except id, prompt and human " +
      "ratings or counts)",
  },
  icc: {
    kind: "switch",
    description: "also intraclass correlations, ICC(A,1) and ICC(C,1): scores in the ratings' unit",
  },
  plcc: {
    kind: "switch",
    description: "also Pearson's after a logistic function of the scores is fitted to the ratings",
  },
  partial: {
    kind: "text",
    value: "A,B",
    description: "also partial correlations that hold these columns of numbers constant",
  },
  williams: {
    kind: "switch",
    description: "also Williams' test of every two metrics, which takes rows for independent",
  },
  "tie-calibration": {
    kind: "switch",
    description: "also count human ties, and fit each metric's tie threshold",
  },
  ...valuesArgument,
  ...intervalArguments,
} as const satisfies Arguments;

interface GivenFlags {
  readonly human: string | undefined;
  readonly "human-counts": string | undefined;
  readonly group: string | undefined;
  readonly average: GroupAverage | undefined;
  readonly weight: GroupWeight | undefined;
  readonly undefined: UndefinedGroupRule | undefined;
  readonly target: CountTarget | undefined;
  readonly groups: number | undefined;
  readonly seeds: number | undefined;
  readonly interval: IntervalOptions["interval"];
  readonly "tie-calibration": boolean;
  readonly icc: boolean;
  readonly plcc: boolean;
  readonly williams: boolean;
  readonly partial: string | undefined;
}

/**
 * Reads the flags of `analyze correlation` together: people's columns, and whether they hold
 * ratings or counts; the groups to correlate within, where some were named.
 *
 * @throws InputError for flags that contradict each other, and for one that would be lost.
 */
export function correlationFlags(given: GivenFlags) {
  const isRating = given.human !== undefined;
  const people = peopleOf(given);
  if (isRating) checkUndealt(given);
  const grouping = groupingOf(given);
  if (!isRating) checkDealt(given);
  return { isRating, people, grouping, also: alsoOf(given, people) };
}

/** Reads what is asked for beside the usual coefficients; of people's counts there is none. */
function alsoOf(
  { icc, plcc, williams, partial, ...given }: GivenFlags,
  people: readonly string[],
): Also {
  const asked = Object.entries({ icc, plcc, williams, partial });
  const [first] = asked.filter(([, value]) => value !== false && value !== undefined);
  if (first !== undefined && given.human === undefined) {
    throw new InputError(`Expected --human for --${first[0]} but received --human-counts`);
  }
  const columns = partial?.split(",").map((name) => name.trim());
  const wrong = columns?.find(
    (name, at) => name === "" || people.includes(name) || columns.indexOf(name) < at,
  );
  if (wrong !== undefined) {
    throw new InputError(
      `Expected different columns for --partial, none of them ${people.join(", ")}, but received "${partial}"`,
      { hint: "The columns of numbers to hold constant: --partial length,level" },
    );
  }
  return { icc, plcc, williams, ...(columns === undefined ? {} : { partial: columns }) };
}

/** Ratings are dealt into no groups. */
function checkUndealt({ target, groups, seeds }: GivenFlags): void {
  const flags = Object.entries({ target, groups, seeds }).filter(([, one]) => one !== undefined);
  if (flags.length === 0) return;
  throw new InputError(
    `Expected --human-counts for ${flags.map(([name]) => `--${name}`).join(" and ")} but received --human`,
    { hint: "They pool people's counts in groups: --human-counts tp,fp,fn" },
  );
}

function checkDealt({ interval, "tie-calibration": tieCalibration }: GivenFlags): void {
  if (interval !== undefined && interval !== "percentile") {
    throw new InputError(
      `Expected --interval percentile for --human-counts but received ${interval}`,
      { hint: "What groups are dealt from can only be drawn again" },
    );
  }
  if (tieCalibration) {
    throw new InputError("Expected --human for --tie-calibration but received --human-counts", {
      hint: "Rates of groups hardly ever tie",
    });
  }
}

/** Reads --group; refuses its flags without it, and people's counts with it. */
function groupingOf({
  group,
  average,
  weight,
  undefined: undefinedGroups,
  "human-counts": counts,
}: GivenFlags) {
  if (group === undefined) {
    const others = Object.entries({ average, weight, undefined: undefinedGroups });
    const [first] = others.filter(([, value]) => value !== undefined);
    if (first === undefined) return undefined;
    throw new InputError(`Expected --group for --${first[0]}`, {
      hint: "It averages correlations over groups: --group model",
    });
  }
  if (counts !== undefined) {
    throw new InputError("Expected --human for --group but received --human-counts", {
      hint: "People's counts are pooled in groups of their own: --groups 25",
    });
  }
  const columns = group.split(",").map((name) => name.trim());
  if (columns.includes("") || new Set(columns).size < columns.length) {
    throw new InputError(`Expected different columns for --group but received "${group}"`, {
      hint: "The columns that tell groups apart: --group task,model",
    });
  }
  return { columns, options: { average, weight, undefinedGroups } };
}

/** The columns with people's ratings, each once, or the three with their counts. */
function peopleOf({ human, "human-counts": counts }: GivenFlags): string[] {
  const columns = (human ?? counts ?? "").split(",").map((name) => name.trim());
  const areUnlike = !columns.includes("") && new Set(columns).size === columns.length;
  if ((human === undefined) === (counts === undefined)) {
    throw new InputError("Expected either --human or --human-counts", {
      hint: "Name the column with people's ratings: --human rating",
    });
  }
  if (counts !== undefined && !(areUnlike && columns.length === 3)) {
    throw new InputError(`Expected three columns for --human-counts but received "${counts}"`, {
      hint: "True positives, false positives, false negatives: --human-counts tp,fp,fn",
    });
  }
  if (!areUnlike) {
    throw new InputError(`Expected different columns for --human but received "${human}"`, {
      hint: "The columns with a rater's ratings each: --human rater_1,rater_2",
    });
  }
  return columns;
}
