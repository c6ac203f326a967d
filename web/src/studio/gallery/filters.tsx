import { type RefObject, useState } from "react";
import type { Facet, RunDetail } from "../../../../src/studio/api.js";
import { columnName } from "../../../../src/studio/column-name.js";
import { scoreText } from "../../shell/numbers.js";
import { leaveOnEscape, useTyped } from "../../shell/use-typed.js";
import { type GallerySearch, withoutEmpty } from "./gallery-search.js";

interface FiltersOptions {
  readonly detail: RunDetail;
  readonly search: GallerySearch;
  /** @param isPassing whether it follows what is being typed, which Back need not bring back */
  readonly onSearch: (search: GallerySearch, isPassing?: boolean) => void;
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
          <label>
            Metric
            <select
              value={search.metric ?? ""}
              onChange={(event) =>
                set({
                  metric: event.target.value,
                  min: undefined,
                  max: undefined,
                  sort: event.target.value === "" && !isOfRanks(sort) ? undefined : search.sort,
                })
              }
            >
              <option value="">any</option>
              {detail.columns.map((one) => (
                <option key={one.id} value={one.id}>
                  {columnName(one, detail.columns)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Sort by
          <select
            value={sort}
            onChange={(event) =>
              set({
                sort: event.target.value,
                ...(isOfRanks(event.target.value) ? { order: "down" } : { order: undefined }),
                ...(needsMetric(event.target.value) && search.metric === undefined
                  ? {
                      metric: (detail.columns.find((one) => one.hasMargin) ?? detail.columns[0])
                        ?.id,
                    }
                  : {}),
              })
            }
          >
            <option value="">the plan</option>
            {detail.columns.length > 0 && <option value="score">score</option>}
            {hasMargin && <option value="margin">margin</option>}
            {metrics > 1 && <option value="disagreement">disagreement between metrics</option>}
            {hasPeople && <option value="people">disagreement with people</option>}
          </select>
        </label>
        <label>
          Order
          <select
            value={search.order ?? "up"}
            onChange={(event) => set({ order: event.target.value })}
          >
            <option value="up">{sort === "" ? "first to last" : "lowest first"}</option>
            <option value="down">{sort === "" ? "last to first" : "highest first"}</option>
          </select>
        </label>
        {hasMargin && (
          <label>
            Verdict
            <select
              value={search.failed ?? ""}
              onChange={(event) => set({ failed: event.target.value })}
            >
              <option value="">right and wrong</option>
              <option value="yes">✕ wrong</option>
              <option value="no">✓ right</option>
            </select>
          </label>
        )}
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
          of={detail.domains}
          value={search.domain}
          onValue={(domain) => set({ domain })}
        />
        <Choice
          name="Role"
          of={detail.roles}
          value={search.role}
          onValue={(role) => set({ role })}
        />
        <Choice
          name="Model"
          of={detail.generators}
          value={search.generator}
          onValue={(generator) => set({ generator })}
        />
        {detail.reasons.length > 0 && (
          <Choice
            name="Unscored"
            of={detail.reasons}
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

/** Nothing to choose from is not shown. */
function Choice({
  name,
  of,
  value,
  any = "all",
  onValue,
}: {
  readonly name: string;
  readonly of: readonly Facet[];
  readonly value: string | undefined;
  readonly any?: string;
  readonly onValue: (value: string) => void;
}) {
  if (of.length < 2 && value === undefined && any === "all") return null;
  return (
    <label>
      {name}
      <select value={value ?? ""} onChange={(event) => onValue(event.target.value)}>
        <option value="">{any}</option>
        {of.map((facet) => (
          <option key={facet.value} value={facet.value}>
            {facet.value} ({facet.images})
          </option>
        ))}
      </select>
    </label>
  );
}

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
