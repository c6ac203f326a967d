import { Link } from "@tanstack/react-router";
import type { Item, ScoreColumn } from "../../../../src/studio/api.js";
import { nameApart } from "../../../../src/studio/column-name.js";
import { scoreText } from "../../shell/numbers.js";
import type { GallerySearch } from "../gallery/gallery-search.js";
import { imageAddress } from "../queries.js";

/** Images made for the same prompt by other models, or drawn again, each with the score that is looked at. */
export function OtherImages({
  run,
  others,
  column,
  search,
}: {
  readonly run: string;
  readonly others: readonly Item[];
  /** The metric whose scores are told. */
  readonly column: ScoreColumn | undefined;
  readonly search: GallerySearch;
}) {
  if (others.length === 0) return null;
  const generators = others.map(({ generator }) => generator);
  return (
    <>
      <h2>Others of the same prompt</h2>
      <ul className="others">
        {others.map((other) => (
          <li key={other.key}>
            <Link
              to="/runs/$run/items/$image"
              params={{ run, image: other.key }}
              search={search}
              replace
            >
              {other.image === null ? (
                <span className="gone">{other.reason}</span>
              ) : (
                <img src={imageAddress(run, other.image, 256)} alt="" loading="lazy" />
              )}
              {nameApart(other.generator, generators)}, sample {other.sample + 1}
            </Link>
            {column !== undefined && (
              <small>
                {" "}
                {column.metric} {valueText(other, column)}
              </small>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function valueText({ scores }: Item, { id }: ScoreColumn): string {
  const score = scores.find((one) => one.column === id);
  return score?.value == null ? (score?.reason ?? "no score") : scoreText(score.value);
}
