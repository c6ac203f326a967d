import { useQuery } from "@tanstack/react-query";
import { cardsVerdict, cardsView, methodsText } from "../../../../src/conclusions/card/view.js";
import type { CardPage } from "../../../../src/studio/cards/studio-cards.js";
import { exported } from "../../shell/api.js";
import { Command } from "../../shell/command.js";
import { Frame } from "../../shell/frame.js";
import { Awaited, Empty } from "../../shell/notices.js";
import { ViewTableView } from "../../shell/view-table.js";
import { asked } from "../asked.js";
import type { Searched } from "../search-text.js";
import { toRuns } from "../to-runs.js";
import { useUp } from "../use-up.js";
import type { CardSearch } from "./card-search.js";
import { Scoreboard } from "./scoreboard.js";

const cardsQuery = (from: readonly string[]) =>
  asked<CardPage>(
    ["cards", ...from],
    `/api/cards?${new URLSearchParams(from.map((source) => ["from", source]))}`,
    { placeholderData: (before) => before },
  );

/** What cards could be shown, which is known before their figures are. */
const sourcesQuery = (from: readonly string[]) =>
  asked<CardPage>(
    ["card-sources", ...from],
    `/api/cards?${new URLSearchParams([["only", "sources"], ...from.map((source) => ["from", source])])}`,
  );

/** Trust cards of several metrics beside each other. */
export function CardsPage({ search, onSearch }: Searched<CardSearch>) {
  useUp();
  const { data, error, refetch, isPlaceholderData } = useQuery(cardsQuery(search.from ?? []));
  const early = useQuery({
    ...sourcesQuery(search.from ?? []),
    enabled: data === undefined && exported.source === undefined,
  });
  const sources = (data ?? early.data)?.sources;
  return (
    <Frame wide title="Trust cards" crumbs={[toRuns]}>
      <Awaited of={{ data, error, refetch }} what="the cards" />
      {data !== undefined && <Cards page={data} />}
      {sources !== undefined && (
        <Sources
          sources={sources}
          isBusy={data === undefined || isPlaceholderData}
          onChange={(from) => onSearch(from.length === 0 ? {} : { from })}
        />
      )}
    </Frame>
  );
}

function Cards({ page: { cards, problems } }: { readonly page: CardPage }) {
  const all = cards.map(({ card }) => card);
  const [only] = all.length === 1 ? all : [];
  return (
    <>
      {problems.map(({ name, message, hint }) => (
        <p key={name} className="notice" role="alert">
          <b>{name}</b> has no cards: {message}.{hint !== undefined && ` ${hint}.`}
        </p>
      ))}
      {all.length === 0 ? (
        <Empty title="No trust cards yet">
          <p>Runs with scores have them, and files that this command writes:</p>
          <Command text="touchstone card --metric vqa-score --model lab:vqa --out card.json" />
        </Empty>
      ) : (
        <>
          <p className="lead">{only?.verdict ?? cardsVerdict(all)}</p>
          <Scoreboard cards={cards} />
          <h2>Card by card</h2>
          {cards.map(({ card, from }) => {
            const { tables, caveats } = cardsView([card]);
            return (
              <details key={`${from} ${card.subject.name}`}>
                <summary>
                  {card.subject.name} <span className="quiet">{from}</span>
                </summary>
                <p>{card.verdict}</p>
                {tables.map((table) => (
                  <ViewTableView key={table.title} table={table} />
                ))}
                <ul className="quiet">
                  {caveats.map((warning) => (
                    <li key={warning}>{warning}</li>
                  ))}
                </ul>
              </details>
            );
          })}
          <p className="quiet">{methodsText(all)}</p>
        </>
      )}
    </>
  );
}

/** Runs and files whose cards are shown; one at least stays. */
function Sources({
  sources,
  isBusy,
  onChange,
}: {
  readonly sources: CardPage["sources"];
  readonly isBusy: boolean;
  readonly onChange: (from: readonly string[]) => void;
}) {
  if (sources.length < 2) return null;
  const shown = sources.filter(({ isShown }) => isShown).map(({ id }) => id);
  return (
    <fieldset className="card-sources">
      <legend>Cards of</legend>
      {sources.map(({ id, name, isShown }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={isShown}
            disabled={isShown && shown.length === 1}
            onChange={() => onChange(isShown ? shown.filter((one) => one !== id) : [...shown, id])}
          />{" "}
          {name} <span className="quiet">{id.startsWith("run:") ? "run" : "file"}</span>
        </label>
      ))}
      {isBusy && (
        <p className="quiet" role="status">
          Concluding …
        </p>
      )}
    </fieldset>
  );
}
