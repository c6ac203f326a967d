import { useQuery } from "@tanstack/react-query";
import type { Pair, PairFilter, ScoreColumn } from "../../../../src/studio/api.js";
import { useKeys } from "../../shell/keys.js";
import { Awaited, NoneFits } from "../../shell/notices.js";
import type { GallerySearch } from "../gallery/gallery-search.js";
import { Noted } from "../notes/noted.js";
import { pairQuery, runQuery } from "../queries.js";
import { RunFrame } from "../run/run-frame.js";
import type { Searched } from "../search-text.js";
import { StepBar, useSteps } from "../steps.js";
import { useUp } from "../use-up.js";
import { ExcludePair } from "./exclude-pair.js";
import { PairFilters } from "./pair-filters.js";
import { PairScores } from "./pair-scores.js";
import { BlinkView, SideView, SwipeView } from "./pair-views.js";

export const pairModes = ["side", "swipe", "blink"] as const;

export const keptChoices = ["no", "all"] as const;

/** Which pair is looked at, and how. */
export interface PairSearch extends GallerySearch {
  /** One pair alone, by the key of its first image. */
  readonly key?: string;
  readonly at?: number;
  /** Pairs that the run's filter left out, or all; those that it kept where nothing is said. */
  readonly kept?: (typeof keptChoices)[number];
  readonly mode?: (typeof pairModes)[number];
}

const modeText = { side: "Side by side", swipe: "Swipe", blink: "Blink" } as const;

/** Two images that are set against each other, and what each metric says of them. */
export function PairPage({
  run,
  search,
  onSearch,
}: Searched<PairSearch> & { readonly run: string }) {
  const { at = 0, mode = "side", kept, ...filters } = search;
  const detail = useQuery(runQuery(run));
  const filter = detail.data?.filter;
  const { data, error, refetch } = useQuery({
    ...pairQuery(run, { ...filters, ...keptBy(filter, search) }, at),
    // Which pairs come first is for the run's filter to say.
    enabled: detail.data?.index.isReady === true || detail.error !== null,
  });
  const total = data?.total ?? 0;
  const step = {
    what: "pair",
    at,
    total,
    onStep: (to: number) => onSearch({ ...search, at: to }, true),
  };
  const onStep = useSteps(step);
  useKeys([
    ...pairModes.map((one, place) => ({
      key: String(place + 1),
      does: modeText[one].toLowerCase(),
      run: () => onSearch({ ...search, mode: one }),
    })),
  ]);
  useUp("the run", { to: "/runs/$run", params: { run } });
  const [pair] = data?.pairs ?? [];
  return (
    <RunFrame
      run={run}
      title="Pairs"
      heading={pair === undefined ? "Pairs" : (pair.first.promptText ?? "Which is better?")}
    >
      {detail.data !== undefined && search.key === undefined && (
        <PairFilters detail={detail.data} search={search} onSearch={onSearch} />
      )}
      <StepBar {...step} onStep={onStep}>
        {pairModes.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === mode}
            onClick={() => onSearch({ ...search, mode: one })}
          >
            {modeText[one]}
          </button>
        ))}
      </StepBar>
      <Awaited of={{ data, error, refetch }} what="the pair" />
      {data !== undefined && pair === undefined && (
        <NoneFits title="No pair fits" onSearch={onSearch} />
      )}
      {pair !== undefined && (
        <>
          {filter !== undefined && !isKept(pair, filter) && (
            <p className="quiet">
              The run's filter left this pair out: verdicts are about pairs {filter.description}.
            </p>
          )}
          <ExcludePair key={pair.id} run={run} pair={pair} />
          <Noted run={run} of={[pair.first.key, pair.second.key]} />
          <PairShown run={run} pair={pair} mode={mode} columns={detail.data?.columns ?? []} />
        </>
      )}
    </RunFrame>
  );
}

/** What asks for the pairs that are wanted of the filter; a pair by its key is shown whatever it says. */
function keptBy(filter: PairFilter | undefined, { kept, key }: PairSearch) {
  if (filter === undefined || kept === "all" || key !== undefined) return {};
  // One that keeps none would leave nothing to look at.
  if (kept === undefined && filter.kept === 0) return {};
  const { column, keepFrom } = filter;
  return { keptBy: column, keepFrom, kept: kept ?? ("yes" as const) };
}

const isKept = ({ first, second }: Pair, { column, keepFrom }: PairFilter): boolean =>
  [first, second].every(({ scores }) =>
    scores.some((score) => score.column === column && (score.value ?? -Infinity) >= keepFrom),
  );

function PairShown({
  run,
  pair,
  mode,
  columns,
}: {
  readonly run: string;
  readonly pair: Pair;
  readonly mode: (typeof pairModes)[number];
  readonly columns: readonly ScoreColumn[];
}) {
  const views = { side: SideView, swipe: SwipeView, blink: BlinkView };
  const View = views[mode];
  return (
    <>
      <View key={pair.id} run={run} pair={pair} />
      <PairScores pair={pair} columns={columns} />
    </>
  );
}
