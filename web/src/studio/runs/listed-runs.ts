import type { ListedRun } from "../../../../src/studio/api.js";
import type { RunsSearch } from "./runs-search.js";

/** A run in the list, with the runs in its folder below it. */
export interface RunRow {
  readonly run: ListedRun;
  readonly parts: readonly ListedRun[];
}

/** What people call a run. */
export const titleOf = ({ notes, name }: ListedRun): string => notes?.title ?? name;

const sorted = {
  name: (run: ListedRun) => titleOf(run).toLowerCase(),
  verb: (run: ListedRun) => run.verb ?? "",
  changed: (run: ListedRun) => run.changed ?? "",
  images: (run: ListedRun) => run.glance?.images ?? -1,
} as const;

/**
 * The runs that a search leaves, pinned ones first. Runs in the folder of another stand below it where
 * nothing is searched or sorted by; else each stands for itself.
 */
export function listedRuns(runs: readonly ListedRun[], search: RunsSearch): readonly RunRow[] {
  const { text = "", verb, tag, sort, order } = search;
  const words = text.toLowerCase().split(/\s+/);
  const found = runs.filter((run) => {
    const said = [run.name, run.notes?.title, run.verdict, run.problem, ...(run.metrics ?? [])];
    const all = said.join(" ").toLowerCase();
    return (
      words.every((word) => all.includes(word)) &&
      (verb === undefined || run.verb === verb) &&
      (tag === undefined || run.notes?.tags.includes(tag) === true)
    );
  });
  const isPlain = Object.keys(search).length === 0;
  const above = (run: ListedRun) =>
    isPlain ? runs.find(({ name }) => run.name.startsWith(`${name}/`)) : undefined;
  const sign = order === "down" ? -1 : 1;
  return found
    .filter((run) => above(run) === undefined)
    .map((run) => ({ run, parts: found.filter((one) => above(one) === run) }))
    .sort((a, b) => {
      const pinned =
        Number(b.run.notes?.isPinned ?? false) - Number(a.run.notes?.isPinned ?? false);
      if (pinned !== 0 || sort === undefined) return pinned;
      const [one, other] = [sorted[sort](a.run), sorted[sort](b.run)];
      return one === other ? 0 : one < other ? -sign : sign;
    });
}
