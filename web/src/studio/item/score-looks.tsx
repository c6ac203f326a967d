import type { EntityLook, ScoreLooks } from "../../../../src/studio/looks/look-api.js";
import { probabilityText } from "../../../../src/views/number-text.js";
import { Scroll } from "../../shell/scroll.js";
import { lookAddress } from "../queries.js";

const withoutLook: Readonly<Record<EntityLook["mask"], string>> = {
  found: "",
  none: "not found, so the whole image was shown",
  "not asked": "the whole image was shown",
  "not kept": "its mask is not in the run's trace",
};

/** Shows each entity as a localised metric's model saw it, and each question with P(yes). */
export function ScoreLooksView({
  run,
  score,
  looks: { strategy, entities },
}: {
  readonly run: string;
  readonly score: string;
  readonly looks: ScoreLooks;
}) {
  return (
    <>
      <p className="quiet">What its model was shown, entity by entity ({strategy}):</p>
      <div className="looks">
        {entities.map(({ entity, mask, shape }, at) =>
          shape === null ? (
            <p key={entity} className="quiet">
              <b>{entity}</b>: {withoutLook[mask]}
            </p>
          ) : (
            <figure key={entity}>
              <img
                className="look"
                src={lookAddress(run, score, at)}
                alt={`What was shown of ${entity}`}
                width={shape.width}
                height={shape.height}
              />
              <figcaption className="quiet">{entity}</figcaption>
            </figure>
          ),
        )}
      </div>
      <Scroll label="Questions about its entities">
        <table>
          <thead>
            <tr>
              <th scope="col">entity</th>
              <th scope="col">attribute</th>
              <th scope="col">question</th>
              <th scope="col" className="number">
                P(yes)
              </th>
              <th scope="col">answer</th>
            </tr>
          </thead>
          <tbody>
            {entities.flatMap(({ entity, questions }) =>
              questions.map(({ kind, attribute, question, probability, saysYes }) => (
                <tr key={`${entity} ${kind} ${question}`}>
                  <th scope="row">{entity}</th>
                  <td>
                    {attribute} <small>{kind === "reflection" ? "own" : "other's"}</small>
                  </td>
                  <td>{question}</td>
                  <td className="number">{probabilityText(probability)}</td>
                  <td className={saysYes === (kind === "reflection") ? "good" : "bad"}>
                    {saysYes === (kind === "reflection") ? "✓" : "✕"} {saysYes ? "yes" : "no"}
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
