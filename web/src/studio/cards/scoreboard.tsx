import {
  type CardFigure,
  figureIds,
} from "../../../../src/analysis/trust-card/trust-card-figure.js";
import {
  besideFigure,
  countsText,
  figureText,
  statusText,
} from "../../../../src/conclusions/card/view.js";
import { cardRanks, type FigureRank } from "../../../../src/studio/cards/figure-ranks.js";
import type { CardPage } from "../../../../src/studio/cards/studio-cards.js";
import { Scroll } from "../../shell/scroll.js";
import { Spark } from "./spark.js";

/** Every figure that a card measured: what each card says of it, and which lies best and worst. */
export function Scoreboard({ cards }: { readonly cards: CardPage["cards"] }) {
  const all = cards.map(({ card }) => card.figures);
  const rows = figureIds.flatMap((id) => {
    const figures = cards.map(({ card }) => {
      const figure = card.figures[id];
      return figure?.estimate === undefined ? undefined : figure;
    });
    const [known] = figures.filter((figure) => figure !== undefined);
    return known === undefined ? [] : [{ id, figures, known, ranks: cardRanks(all, id) }];
  });
  return (
    <>
      <Scroll label="What each figure says">
        <table className="scoreboard">
          <thead>
            <tr>
              <th scope="col">figure</th>
              {cards.map(({ card, from }) => (
                <th key={`${from} ${card.subject.name}`} scope="col">
                  {card.subject.name}
                  <br />
                  <small>{from}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, figures, known, ranks }) => (
              <tr key={id}>
                <th scope="row">
                  {known.title}
                  <br />
                  <small>
                    {known.estimate?.name}
                    {known.expectation !== undefined && (
                      <>
                        <br />
                        expected {known.expectation.text}
                      </>
                    )}
                  </small>
                </th>
                {figures.map((figure, at) => (
                  <td key={`${cards[at]?.from} ${cards[at]?.card.subject.name}`}>
                    {figure === undefined ? (
                      <span className="quiet">not measured</span>
                    ) : (
                      <Says figure={figure} rank={ranks[at] ?? null} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="quiet">
        ✓ passes: the interval lies wholly where it is expected. ✗ fails: wholly elsewhere. ?
        undecided: on both sides, or it is of fewer than six prompts. The line is the 95 % interval,
        dashed what is expected.
        {cards.length > 1 &&
          " ▲ best and ▼ worst go by the value; where an interval meets another's, they are named with “perhaps”. None is best of what it fails, nor of “prefers atypical wrong images” where it fails “prefers typical wrong images”: there its bias is right."}
      </p>
    </>
  );
}

const looks: Readonly<Record<string, string>> = { holds: "good", fails: "bad" };

const Says = ({
  figure,
  rank,
}: {
  readonly figure: CardFigure;
  readonly rank: FigureRank | null;
}) => (
  <>
    <div>
      <span className={looks[figure.status] ?? "quiet"}>{statusText[figure.status]}</span>
      {rank !== null && (
        <b className="rank">
          {rank.rank === "best" ? "▲" : "▼"} {rank.isClear ? rank.rank : `perhaps ${rank.rank}`}
        </b>
      )}
    </div>
    <Spark figure={figure} />
    <span className="short">{figure.estimate !== undefined && figureText(figure.estimate)}</span>
    {besideFigure(figure).map(({ estimate }) => (
      <small key={estimate.name} className="beside">
        {estimate.name}: {figureText(estimate)}
      </small>
    ))}
    <small className="beside">{countsText(figure)}</small>
  </>
);
