import { type RefObject, useState } from "react";
import type { Facet, RunDetail } from "../../../../src/studio/api.js";
import { columnName } from "../../../../src/studio/column-name.js";
import { Choice } from "../../shell/choice.js";
import { scoreText } from "../../shell/numbers.js";
import { leaveOnEscape, useTyped } from "../../shell/use-typed.js";
import { type Searched, withoutEmpty } from "../search-text.js";
import type { GallerySearch } from "./gallery-search.js";

interface FiltersOptions extends Searched<GallerySearch> {
  readonly detail: RunDetail;
  readonly finder: RefObject<HTMLInputElement | null>;
}

/** What the button of the filters does not count: the text stands beside it, an order leaves nothing out. */
const uncounted = new Set(["text", "sort", "order"]);

/** Filters of a gallery, and its order. Every choice stands in the address. */
export function Filters({ detail, search, onSearch, finder }: FiltersOptions) {
  const set = (change: Readonly<Record<string, string | undefined>>, isPassing = false) =>
    onSearch(withoutEmpty({ ...search, ...change }), isPassing);
  const [text, setText] = useTyped(search.text ?? "", (typed) =>
    set({ text: typed }, search.text !== undefined),
  );
  const [isUnfolded, setUnfolded] = useState(false);
  const others = Object.keys(search).filter((name) => !uncounted.has(name)).length;
  const column = detail.columns.find(({ id }) => id === search.metric);
  const hasMargin = column?.hasMargin ?? detail.columns.some((one) => one.hasMargin);
  const sort = search.sort ?? "";
  const metrics = detail.columns.filter(({ isByPeople }) => !isByPeople).length;
  const hasPeople = metrics > 0 && metrics < detail.columns.length;
  return (
    <search>
      <form
        className={isUnfolded ? "filters" : "filters folded"}
        onSubmit={(event) => event.preventDefault()}
      >
        <label>
          Text
          <input
            ref={finder}
            type="search"
            value={text}
            placeholder="words in the prompt"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={leaveOnEscape}
          />
        </label>
        <button
          type="button"
          className="unfold"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          Filters{others > 0 && ` (${others})`}
        </button>
        {detail.columns.length > 0 && (
          <label>
            Scores
            <input
              key={search.where}
              className="query"
              defaultValue={search.where}
              placeholder="vqa < 0.5 and clip > 0.3"
              onBlur={({ target }) =>
                target.value !== (search.where ?? "") && set({ where: target.value })
              }
              onKeyDown={(event) => {
                if (event.key === "Enter") event.currentTarget.blur();
                leaveOnEscape(event);
              }}
            />
          </label>
        )}
        {detail.columns.length > 0 && (
          <Choice
            name="Metric"
            of={detail.columns.map((one) => [one.id, columnName(one, detail.columns)])}
            value={search.metric}
            any="any"
            onValue={(metric) =>
              set({
                metric,
                min: undefined,
                max: undefined,
                sort: metric === "" && !isOfRanks(sort) ? undefined : search.sort,
              })
            }
          />
        )}
        <Choice
          name="Sort by"
          of={[
            ...(detail.columns.length > 0 ? ["score"] : []),
            ...(hasMargin ? ["margin"] : []),
            ...(metrics > 1 ? [["disagreement", "disagreement between metrics"] as const] : []),
            ...(hasPeople ? [["people", "disagreement with people"] as const] : []),
          ]}
          value={sort}
          any="the plan"
          onValue={(by) =>
            set({
              sort: by,
              order: isOfRanks(by) ? "down" : undefined,
              ...(needsMetric(by) && search.metric === undefined
                ? { metric: (detail.columns.find((one) => one.hasMargin) ?? detail.columns[0])?.id }
                : {}),
            })
          }
        />
        <Choice
          name="Order"
          of={[
            ["up", sort === "" ? "first to last" : "lowest first"],
            ["down", sort === "" ? "last to first" : "highest first"],
          ]}
          value={search.order ?? "up"}
          onValue={(order) => set({ order })}
        />
        {hasMargin && <Verdict value={search.failed} onValue={(failed) => set({ failed })} />}
        {column !== undefined && column.lowest !== null && column.highest !== null && (
          <>
            <Bound
              name="From"
              value={search.min}
              like={column.lowest}
              onValue={(min) => set({ min }, search.min !== undefined)}
            />
            <Bound
              name="To"
              value={search.max}
              like={column.highest}
              onValue={(max) => set({ max }, search.max !== undefined)}
            />
          </>
        )}
        {metrics > 1 && (sort === "disagreement" || search.spread !== undefined) && (
          <Bound
            name="Metrics apart by"
            value={search.spread}
            like={0.5}
            onValue={(spread) => set({ spread }, search.spread !== undefined)}
          />
        )}
        {hasPeople && (sort === "people" || search.gap !== undefined) && (
          <Bound
            name="From people by"
            value={search.gap}
            like={0.5}
            onValue={(gap) => set({ gap }, search.gap !== undefined)}
          />
        )}
        <Choice
          name="Domain"
          of={facets(detail.domains)}
          any="all"
          hidesAlone
          value={search.domain}
          onValue={(domain) => set({ domain })}
        />
        <Choice
          name="Role"
          of={facets(detail.roles)}
          any="all"
          hidesAlone
          value={search.role}
          onValue={(role) => set({ role })}
        />
        <Choice
          name="Model"
          of={facets(detail.generators)}
          any="all"
          hidesAlone
          value={search.generator}
          onValue={(generator) => set({ generator })}
        />
        {detail.reasons.length > 0 && (
          <Choice
            name="Unscored"
            of={facets(detail.reasons)}
            value={search.reason}
            any="scored or not"
            onValue={(reason) => set({ reason })}
          />
        )}
        {Object.keys(search).length > 0 && (
          <button type="button" onClick={() => onSearch({})}>
            Take all away
          </button>
        )}
      </form>
    </search>
  );
}

const isOfRanks = (sort: string) => sort === "disagreement" || sort === "people";
const needsMetric = (sort: string) => sort === "score" || sort === "margin";

const facets = (of: readonly Facet[]) =>
  of.map(({ value, images }) => [value, `${value} (${images})`] as const);

/** Pairs that a metric gets wrong, or gets right. */
export const Verdict = ({
  value,
  onValue,
}: {
  readonly value: string | undefined;
  readonly onValue: (value: string) => void;
}) => (
  <Choice
    name="Verdict"
    of={[
      ["yes", "✕ wrong"],
      ["no", "✓ right"],
    ]}
    value={value}
    any="right and wrong"
    onValue={onValue}
  />
);

function Bound({
  name,
  value,
  like,
  onValue,
}: {
  readonly name: string;
  readonly value: string | undefined;
  readonly like: number;
  readonly onValue: (value: string) => void;
}) {
  const [typed, setTyped] = useTyped(value ?? "", (text) => {
    if (text === "" || Number.isFinite(Number(text))) onValue(text);
  });
  return (
    <label>
      {name}
      <input
        className="bound"
        inputMode="decimal"
        value={typed}
        placeholder={scoreText(like)}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}
