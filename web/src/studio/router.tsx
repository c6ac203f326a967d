import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
} from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { AnalysePage } from "../analyse/analyse-page.js";
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

const runs = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: runsSearch,
  component: function Page() {
    const navigate = runs.useNavigate();
    return (
      <RunsPage
        search={runs.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run",
  validateSearch: overviewSearch,
  component: function Page() {
    const navigate = run.useNavigate();
    return (
      <RunPage
        run={run.useParams().run}
        search={run.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const gallery = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/gallery",
  validateSearch: gallerySearch,
  component: function Page() {
    const navigate = gallery.useNavigate();
    return (
      <GalleryPage
        run={gallery.useParams().run}
        search={gallery.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const grid = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/grid",
  validateSearch: gridSearch,
  component: function Page() {
    const navigate = grid.useNavigate();
    return (
      <GridPage
        run={grid.useParams().run}
        search={grid.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const item = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/items/$image",
  validateSearch: (given: Readonly<Record<string, unknown>>) => ({
    ...gallerySearch(given),
    ...placeIn(given),
  }),
  component: function Page() {
    const { run, image } = item.useParams();
    return <ItemPage run={run} image={image} search={item.useSearch()} />;
  },
});

const pairs = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/pairs",
  validateSearch: (given: Readonly<Record<string, unknown>>): PairSearch => {
    const mode = pairModes.find((one) => one === given.mode);
    const kept = keptChoices.find((one) => one === given.kept);
    return {
      ...gallerySearch(given),
      ...placeIn(given),
      ...(typeof given.key === "string" ? { key: given.key } : {}),
      ...(kept === undefined ? {} : { kept }),
      ...(mode === undefined ? {} : { mode }),
    };
  },
  component: function Page() {
    const navigate = pairs.useNavigate();
    return (
      <PairPage
        run={pairs.useParams().run}
        search={pairs.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

/** Pages that few open are loaded when they are. */
const AuditPage = lazy(async () => ({
  default: (await import("./audit/audit-page.js")).AuditPage,
}));
const CardsPage = lazy(async () => ({
  default: (await import("./cards/cards-page.js")).CardsPage,
}));
const SetsPage = lazy(async () => ({ default: (await import("./audit/sets-page.js")).SetsPage }));

const components = createRoute({
  getParentRoute: () => root,
  path: "/dev/components",
  component: ComponentsPage,
});

const jobs = createRoute({
  getParentRoute: () => root,
  path: "/jobs",
  component: JobsPage,
});

const job = createRoute({
  getParentRoute: () => root,
  path: "/jobs/$id",
  component: function Page() {
    const { id } = job.useParams();
    return <JobPage key={id} id={id} />;
  },
});

const newJob = createRoute({
  getParentRoute: () => root,
  path: "/new",
  validateSearch: newSearch,
  component: function Page() {
    return <NewJobPage search={newJob.useSearch()} />;
  },
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/audit",
  component: function Page() {
    return <AuditPage run={audit.useParams().run} />;
  },
});

const sets = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run/audit/sets",
  validateSearch: setSearch,
  component: function Page() {
    const navigate = sets.useNavigate();
    return (
      <SetsPage
        run={sets.useParams().run}
        search={sets.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const cards = createRoute({
  getParentRoute: () => root,
  path: "/cards",
  validateSearch: cardSearch,
  component: function Page() {
    const navigate = cards.useNavigate();
    return (
      <CardsPage
        search={cards.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const evidence = createRoute({
  getParentRoute: () => root,
  path: "/evidence",
  validateSearch: evidenceSearch,
  component: function Page() {
    const navigate = evidence.useNavigate();
    return (
      <EvidencePage search={evidence.useSearch()} onSearch={(search) => navigate({ search })} />
    );
  },
});

const study = createRoute({
  getParentRoute: () => root,
  path: "/studies/$id",
  component: function Page() {
    const { id } = study.useParams();
    return <StudyPage key={id} id={id} />;
  },
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/reviews/$id",
  component: function Page() {
    const { id } = review.useParams();
    return <ReviewPage key={id} id={id} />;
  },
});

const analyse = createRoute({
  getParentRoute: () => root,
  path: "/analyse",
  component: () => <AnalysePage crumbs={[toRuns]} />,
});

const judge = createRoute({
  getParentRoute: () => root,
  path: "/judges/$id",
  validateSearch: judgeSearch,
  component: function Page() {
    const navigate = judge.useNavigate();
    return (
      <JudgePage
        id={judge.useParams().id}
        search={judge.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const scores = createRoute({
  getParentRoute: () => root,
  path: "/scores/$id",
  validateSearch: scoresSearch,
  component: function Page() {
    const navigate = scores.useNavigate();
    return (
      <ScoresPage
        id={scores.useParams().id}
        search={scores.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: compareSearch,
  component: function Page() {
    const navigate = compare.useNavigate();
    return (
      <ComparePage
        search={compare.useSearch()}
        onSearch={(search, isPassing = false) => navigate({ search, replace: isPassing })}
      />
    );
  },
});

/** Where in a list something stands, as its address says it. */
const placeIn = ({ at }: Readonly<Record<string, unknown>>): { at?: number } =>
  typeof at === "number" && Number.isInteger(at) && at >= 0 ? { at } : {};

/** @param history how addresses are kept; those of a file stand behind its # */
export const studioRouter = (history?: RouterHistory) =>
  createRouter({
    ...(history === undefined ? {} : { history }),
    routeTree: root.addChildren([
      scores,
      runs,
      run,
      gallery,
      grid,
      item,
      pairs,
      audit,
      sets,
      cards,
      evidence,
      study,
      review,
      judge,
      analyse,
      compare,
      components,
      jobs,
      job,
      newJob,
    ]),
    scrollRestoration: true,
    defaultPreload: false,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof studioRouter>;
  }
}
