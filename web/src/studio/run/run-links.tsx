import { Link } from "@tanstack/react-router";
import type { RunDetail } from "../../../../src/studio/api.js";
import { countText, pluralText } from "../../shell/numbers.js";

/** Where a run leads: its images first, then whatever else it has a page for. */
export function RunLinks({
  detail: { id, images, pairs, isAudit, hasCards, imageModels = 1, report, filter },
}: {
  readonly detail: RunDetail;
}) {
  const params = { run: id };
  return (
    <ul className="run-links">
      {images > 0 && (
        <li>
          <Link to="/runs/$run/gallery" params={params} className="button">
            Look at its {pluralText(images, "image")}
          </Link>
        </li>
      )}
      {pairs > 0 && (
        <li>
          <Link to="/runs/$run/pairs" params={params}>
            {pluralText(pairs, "pair")}, side by side
            {filter !== undefined && `; its filter kept ${countText(filter.kept)}`}
          </Link>
        </li>
      )}
      {isAudit && (
        <li>
          <Link to="/runs/$run/audit" params={params}>
            Audit, set by set
          </Link>
        </li>
      )}
      {imageModels > 1 && (
        <li>
          <Link to="/compare" search={{ run: id }}>
            Compare its {imageModels} models
          </Link>
        </li>
      )}
      {hasCards && (
        <li>
          <Link to="/cards" search={{ from: [`run:${id}`] }}>
            Trust cards
          </Link>
        </li>
      )}
      {report !== undefined && (
        <li>
          <a href={report}>Report</a>
        </li>
      )}
    </ul>
  );
}
