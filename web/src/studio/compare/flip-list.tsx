import { Link } from "@tanstack/react-router";
import type { Flips } from "../../../../src/studio/compare/compare-runs.js";
import { countText, pluralText } from "../../shell/numbers.js";

/** The images on which the metric was right in one run and is wrong in the other. */
export function FlipList({
  flips: { shared, nowRight, nowWrong, items },
  before,
  after,
}: {
  readonly flips: Flips;
  readonly before: string;
  readonly after: string;
}) {
  if (shared === 0) {
    return <p className="quiet">The runs share no image with a verdict of this metric.</p>;
  }
  return (
    <>
      <p>
        Of {pluralText(shared, "image")} in both, {countText(nowRight)} became right and{" "}
        {countText(nowWrong)} became wrong.
      </p>
      {items.length > 0 && (
        <details>
          <summary>
            {items.length < nowRight + nowWrong ? `The first ${items.length} of them` : "Which"}
          </summary>
          <ul className="flips">
            {items.map(({ text, role, isNowRight, before: old, after: now }) => (
              <li key={now}>
                <span className={isNowRight ? "good" : "bad"}>
                  {isNowRight ? "✓ now right" : "✕ now wrong"}
                </span>{" "}
                {text} ({role}):{" "}
                <Link to="/runs/$run/items/$image" params={{ run: before, image: old }}>
                  before
                </Link>{" "}
                <Link to="/runs/$run/items/$image" params={{ run: after, image: now }}>
                  after
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
