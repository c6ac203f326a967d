import { type PointerEvent, useRef } from "react";
import { smallestOf } from "../../../../src/core/arrays.js";
import { binomialUpperBound } from "../../../../src/ensembles/binomial-bound.js";
import type { ThresholdCount } from "../../../../src/ensembles/selective-certificate.js";
import { judgeCoverageArea } from "../../../../src/report/plots/judge-plot.js";
import type { JudgeDetail } from "../../../../src/studio/judges/judge-detail.js";
import { percentOf, thresholdText } from "../../../../src/views/certificate-text.js";
import { Command } from "../../shell/command.js";
import { Drawn } from "../../shell/drawn.js";
import { countText, pluralText } from "../../shell/numbers.js";
import type { Searched } from "../search-text.js";
import type { JudgeSearch } from "./judge-search.js";

/** The threshold, to be dragged: what would be accepted at it, and how much of that is wrong. */
export function Threshold({
  judge,
  certified,
  search,
  onSearch,
}: Searched<JudgeSearch> & { readonly judge: JudgeDetail; readonly certified: number | null }) {
  const { certification, coverage, path } = judge;
  const { counts, n } = certification;
  const wanted = search.threshold ?? certified ?? counts.at(-1)?.threshold ?? 1;
  const at = nearest(counts, (count) => Math.abs(count.threshold - wanted));
  const count = counts[at];
  const area = useRef<HTMLDivElement>(null);
  if (count === undefined) return null;
  const { threshold, accepted, wrong } = count;
  const choose = (place: number) => {
    const chosen = counts[place];
    if (chosen !== undefined) onSearch({ ...search, threshold: chosen.threshold }, true);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 0 && event.type !== "pointerdown") return;
    const box = area.current?.getBoundingClientRect();
    if (box === undefined) return;
    const share = (event.clientX - box.left) / box.width;
    choose(nearest(counts, (one) => Math.abs(one.accepted / n - share)));
  };
  const isCertified = certified !== null && certified === threshold;
  return (
    <section aria-label="Threshold" className="threshold">
      {coverage !== null && (
        <Drawn figure={coverage}>
          <div
            ref={area}
            className="threshold-area"
            style={{
              left: `${100 * judgeCoverageArea.left}%`,
              width: `${100 * judgeCoverageArea.width}%`,
              top: `${100 * judgeCoverageArea.top}%`,
              height: `${100 * judgeCoverageArea.height}%`,
            }}
            onPointerDown={drag}
            onPointerMove={drag}
          >
            <div className="threshold-line" style={{ left: `${(100 * accepted) / n}%` }} />
          </div>
        </Drawn>
      )}
      <div>
        <label>
          Threshold <b>{thresholdText(threshold)}</b>
          <input
            type="range"
            min={0}
            max={counts.length - 1}
            value={at}
            aria-valuetext={`${thresholdText(threshold)}: ${percentOf(accepted / n)} accepted`}
            onChange={(event) => choose(Number(event.target.value))}
          />
        </label>
        <dl className="facts">
          <div>
            <dt>accepted</dt>
            <dd>
              <b>{percentOf(accepted / n)}</b>, {countText(accepted)} of {pluralText(n, "label")}
            </dd>
          </div>
          <div>
            <dt>wrong</dt>
            <dd>
              <b>{accepted === 0 ? "none" : percentOf(wrong / accepted)}</b>, {countText(wrong)} of
              those accepted
            </dd>
          </div>
          <div>
            <dt>at most</dt>
            <dd>
              {accepted === 0
                ? "unknown"
                : percentOf(binomialUpperBound(wrong, accepted, certification.confidence))}{" "}
              wrong, with {percentOf(certification.confidence)} confidence, had this threshold alone
              been looked at
            </dd>
          </div>
          <div>
            <dt>to people</dt>
            <dd>{percentOf(1 - accepted / n)}</dd>
          </div>
        </dl>
        <p>
          {isCertified
            ? "✓ This threshold is certified."
            : "A threshold that is chosen by looking is not certified: nothing is promised of it."}
          {!isCertified && certified !== null && (
            <>
              {" "}
              <button
                type="button"
                onClick={() =>
                  onSearch(search.target === undefined ? {} : { target: search.target })
                }
              >
                Back to the certified one
              </button>
            </>
          )}
        </p>
        <Command
          text={`touchstone judge TABLE --judge ${path} ${
            isCertified
              ? `--target-error ${search.target ?? certification.target}`
              : `--threshold ${thresholdText(threshold)}`
          }`}
        />
      </div>
    </section>
  );
}

/** The place of the one that is nearest. */
function nearest(
  counts: readonly ThresholdCount[],
  distanceOf: (count: ThresholdCount) => number,
): number {
  const distances = counts.map(distanceOf);
  return distances.indexOf(smallestOf(distances));
}
