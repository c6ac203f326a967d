import type { GroupedConclusion } from "../../analysis/correlation/grouped-correlation.js";
import { largestOf } from "../../core/arrays.js";
import type { Estimate } from "../../stats/estimate.js";
import type { ConfusionReport } from "./conclusion.js";

export interface Follower {
  readonly id: string;
  readonly spearman: Estimate;
  readonly rho: number;
}

/**
 * The metrics that stand for their name by how closely they follow the reference's F1, the closest
 * first. One that scored fewer images followed it on other groups, and is left out.
 */
export function followers({
  standing,
  f1,
}: Pick<ConfusionReport, "standing"> & { readonly f1: GroupedConclusion | undefined }): Follower[] {
  const found = standing.flatMap(({ id }) => {
    const metric = f1?.metrics[id];
    const rho = metric?.spearman.value ?? null;
    return metric === undefined || rho === null ? [] : [{ id, ...metric, rho }];
  });
  const most = largestOf(found.map(({ n }) => n));
  return found.filter(({ n }) => n === most).sort((a, b) => b.rho - a.rho);
}
