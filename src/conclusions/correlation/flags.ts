import type { Also } from "../../analysis/correlation/also.js";
import type { GroupAverage } from "../../analysis/correlation/group-average.js";
import type {
  CountTarget,
  GroupWeight,
  UndefinedGroupRule,
} from "../../analysis/correlation/grouping.js";
import type { IntervalOptions } from "../../analysis/inference/intervals.js";
import { InputError } from "../../core/errors.js";

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
