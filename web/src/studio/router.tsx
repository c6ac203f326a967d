import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
  useMatch,
  useNavigate,
  useParams,
} from "@tanstack/react-router";
import { type ComponentType, Suspense } from "react";
import { Frame } from "../shell/frame.js";
import { Empty } from "../shell/notices.js";
import { setSearch } from "./audit/set-search.js";
import { cardSearch } from "./cards/card-search.js";
import { ComparePage, compareSearch } from "./compare/compare-page.js";
import { evidenceSearch } from "./evidence/evidence-search.js";
import { GalleryPage } from "./gallery/gallery-page.js";
import { gallerySearch } from "./gallery/gallery-search.js";
import { gridSearch } from "./grid/grid-search.js";
import { ItemPage } from "./item/item-page.js";
import { newSearch } from "./jobs/new-search.js";
import { judgeSearch } from "./judge/judge-search.js";
import { lazily } from "./lazily.js";
import { keptChoices, PairPage, type PairSearch, pairModes } from "./pair/pair-page.js";
import { overviewSearch } from "./run/overview-search.js";
import { RunPage } from "./run/run-page.js";
import { RunsPage } from "./runs/runs-page.js";
import { runsSearch } from "./runs/runs-search.js";
import { scoresSearch } from "./scores/scores-search.js";
import "./looking.css";
import {
  ComponentsPage,
  EvidencePage,
  GridPage,
  JobPage,
  JobsPage,
  JudgePage,
  NewJobPage,
  ReviewPage,
  ScoresPage,
  StudyPage,
} from "./served-pages.js";
import { StudioShell } from "./studio-shell.js";
import { toRuns } from "./to-runs.js";

const root = createRootRoute({
  component: () => (
    <StudioShell>
      <Suspense>
        <Outlet />
      </Suspense>
    </StudioShell>
  ),
  notFoundComponent: () => (
    <Frame title="No such page" crumbs={[toRuns]}>
      <Empty title="There is no such page">
        <p>The address may be cut short. All runs are on the first page.</p>
      </Empty>
    </Frame>
  ),
});

type Given = Readonly<Record<string, unknown>>;

/** Parameters that a path names with $. */
type ParamsOf<Path extends string> = Path extends `${string}$${infer Name}/${infer More}`
  ? { readonly [name in Name]: string } & ParamsOf<More>
  : Path extends `${string}$${infer Name}`
    ? { readonly [name in Name]: string }
    : object;

/** A page by its path alone; it begins anew for other parameters. */
const plain = <const Path extends string>(path: Path, Page: ComponentType<ParamsOf<Path>>) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: function Plain() {
      // The router took them from this very path.
      const params = useParams({ strict: false }) as ParamsOf<Path>;
      return <Page key={JSON.stringify(params)} {...params} />;
    },
  });

/** A page whose choices stand in its address, of which `validateSearch` takes what the page understands. */
const searched = <const Path extends string, Search extends object>(
  path: Path,
  validateSearch: (given: Given) => Search,
  Page: ComponentType<
    ParamsOf<Path> & {
      readonly search: Search;
      readonly onSearch: (search: Search, isPassing?: boolean) => void;
    }
  >,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch,
    component: function Searched() {
      const navigate = useNavigate();
      // The router took both from this very path, by `validateSearch`.
      const params = useParams({ strict: false }) as ParamsOf<Path>;
      const search = useMatch({ strict: false }).search as Search;
      const onSearch = (next: Search, isPassing = false) =>
        void navigate({ to: ".", search: next as never, replace: isPassing });
      return <Page {...params} search={search} onSearch={onSearch} />;
    },
  });

/** Pages that few open are loaded when they are. */
const AnalysePage = lazily("AnalysePage", () => import("../analyse/analyse-page.js"));
const AuditPage = lazily("AuditPage", () => import("./audit/audit-page.js"));
const CardsPage = lazily("CardsPage", () => import("./cards/cards-page.js"));
const SetsPage = lazily("SetsPage", () => import("./audit/sets-page.js"));

/** Where in a list something stands, as its address says it. */
const placeIn = ({ at }: Given): { at?: number } =>
  typeof at === "number" && Number.isInteger(at) && at >= 0 ? { at } : {};

const itemSearch = (given: Given) => ({ ...gallerySearch(given), ...placeIn(given) });

function pairSearch(given: Given): PairSearch {
  const mode = pairModes.find((one) => one === given.mode);
  const kept = keptChoices.find((one) => one === given.kept);
  return {
    ...itemSearch(given),
    ...(typeof given.key === "string" ? { key: given.key } : {}),
    ...(kept === undefined ? {} : { kept }),
    ...(mode === undefined ? {} : { mode }),
  };
}

const routes = [
  plain("/analyse", () => <AnalysePage crumbs={[toRuns]} />),
  plain("/dev/components", ComponentsPage),
  plain("/jobs", JobsPage),
  plain("/jobs/$id", JobPage),
  plain("/reviews/$id", ReviewPage),
  plain("/runs/$run/audit", AuditPage),
  plain("/studies/$id", StudyPage),
  searched("/", runsSearch, RunsPage),
  searched("/cards", cardSearch, CardsPage),
  searched("/compare", compareSearch, ComparePage),
  searched("/evidence", evidenceSearch, EvidencePage),
  searched("/judges/$id", judgeSearch, JudgePage),
  searched("/new", newSearch, NewJobPage),
  searched("/runs/$run", overviewSearch, RunPage),
  searched("/runs/$run/audit/sets", setSearch, SetsPage),
  searched("/runs/$run/gallery", gallerySearch, GalleryPage),
  searched("/runs/$run/grid", gridSearch, GridPage),
  searched("/runs/$run/items/$image", itemSearch, ItemPage),
  searched("/runs/$run/pairs", pairSearch, PairPage),
  searched("/scores/$id", scoresSearch, ScoresPage),
] as const;

/** @param history how addresses are kept; those of a file stand behind its # */
export const studioRouter = (history?: RouterHistory) =>
  createRouter({
    ...(history === undefined ? {} : { history }),
    routeTree: root.addChildren(routes),
    scrollRestoration: true,
    defaultPreload: false,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof studioRouter>;
  }
}
