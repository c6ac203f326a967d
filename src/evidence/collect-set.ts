import { createHash } from "node:crypto";
import { type SetFigures, setFigures } from "../analysis/evidence/set-figures.js";
import type { LocatedSet } from "./locate-files.js";
import { readSet } from "./read-set.js";
import type { EvidenceSet } from "./set-schema.js";
import type { ShippedSet } from "./shipped-figures.js";

/** Computes the figures of a set whose files are all there. */
export async function collectSet({ set, paths }: LocatedSet): Promise<ShippedSet> {
  const table = await readSet(set, (path) => paths.get(path) ?? path);
  const figures = setFigures(table);
  const { name, asked, sameImagesAs, repository, year, licence, conventions, trainedOnIt } = set;
  return {
    name,
    asked: asked.for,
    ...(sameImagesAs !== undefined && { sameImagesAs }),
    repository,
    year,
    licence,
    data: dataHash(set),
    conventions,
    trainedOnIt,
    printed: set.printed.map((one) => ({
      what: one.what,
      printed: one.printed,
      right: rightFigure(figures, one),
      why: one.why,
    })),
    ...figures,
  };
}

/** SHA-256 over the hashes of a set's files. */
const dataHash = ({ files }: EvidenceSet): string =>
  createHash("sha256")
    .update(files.map(({ sha256 }) => sha256).join("\n"))
    .digest("hex");

function rightFigure(
  { metrics, judges }: SetFigures,
  { metric, figure }: EvidenceSet["printed"][number],
): number | null {
  const its = judges[metric];
  const [, found] =
    Object.entries({ ...metrics[metric], ...its, ...its?.check }).find(
      ([name]) => name === figure,
    ) ?? [];
  const value: unknown = Object(found).value;
  return typeof value === "number" ? value : null;
}
