import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { AuditDetail } from "../../../../src/studio/audits/audit-api.js";
import { percentText } from "../../../../src/views/number-text.js";
import { countText } from "../../shell/numbers.js";
import { Scroll } from "../../shell/scroll.js";

type ItemEstimate = AuditDetail["items"][number];

/** How often each rubric item is flagged, before and after; each leads to the sets that show it. */
export function ItemRates({
  run,
  items,
  isRefined,
}: {
  readonly run: string;
  readonly items: readonly ItemEstimate[];
  readonly isRefined: boolean;
}) {
  const refinedOf = ({ category, item }: ItemEstimate) =>
    items.find((one) => one.phase === "refined" && one.category === category && one.item === item);
  return (
    <>
      <p className="quiet">
        How often an item is flagged, % of its answers [95 % interval that resamples whole queries];
        n: answers{isRefined && " about sets with an answer before and after"}. An item leads to the
        sets in which it is flagged.
      </p>
      <Scroll label="Rubric items">
        <table className="item-rates">
          <thead>
            <tr>
              <th scope="col">item</th>
              <th scope="col" className="number">
                n
              </th>
              <th scope="col" colSpan={2}>
                before, %
              </th>
              {isRefined && (
                <th scope="col" colSpan={2}>
                  after, %
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {items.map((initial, at) => {
              if (initial.phase === "refined") return null;
              const refined = refinedOf(initial);
              const { category, item, n } = initial;
              const isFirst = items.findIndex((one) => one.category === category) === at;
              return (
                <Fragment key={`${category} ${item}`}>
                  {isFirst && (
                    <tr>
                      <th scope="rowgroup" colSpan={isRefined ? 6 : 4} className="category">
                        {category}
                      </th>
                    </tr>
                  )}
                  <tr>
                    <th scope="row">
                      <Link
                        to="/runs/$run/audit/sets"
                        params={{ run }}
                        search={{ category, item, sort: "before" }}
                      >
                        {item.replaceAll("-", " ")}
                      </Link>
                    </th>
                    <td className="number">{countText(n)}</td>
                    <Rate estimate={initial} />
                    {refined !== undefined && <Rate estimate={refined} />}
                  </tr>
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

const width = 90;
const middle = 8;

/** A rate in digits, and as a dot on its interval from 0 to 100 %. */
function Rate({ estimate: { rate, phase } }: { readonly estimate: ItemEstimate }) {
  const { value, oneSided } = rate;
  const low = oneSided?.low ?? rate.low ?? value;
  const high = oneSided?.high ?? rate.high ?? value;
  const x = (share: number) => 5 + share * (width - 10);
  return (
    <>
      <td className="drawn-rate">
        {value !== null && (
          <svg width={width} height={2 * middle} aria-hidden="true" className={phase}>
            <line className="axis" x1={x(0)} x2={x(1)} y1={middle} y2={middle} />
            {low !== null && high !== null && (
              <line className="interval" x1={x(low)} x2={x(high)} y1={middle} y2={middle} />
            )}
            {phase === "initial" ? (
              <circle cx={x(value)} cy={middle} r={4} />
            ) : (
              <path d={`M${x(value)} ${middle - 5}l5 5l-5 5l-5 -5z`} />
            )}
          </svg>
        )}
      </td>
      <td className="short">{percentText(rate)}</td>
    </>
  );
}
