import { createRootRoute, createRoute, createRouter, Link, Outlet } from "@tanstack/react-router";
import { Frame } from "../shell/frame.js";
import { Keys } from "../shell/keys.js";
import { Empty } from "../shell/notices.js";
import { GalleryPage } from "./gallery/gallery-page.js";
import { gallerySearch } from "./gallery/gallery-search.js";
import { RunPage } from "./run/run-page.js";
import { RunsPage } from "./runs/runs-page.js";

const root = createRootRoute({
  component: () => (
    <Keys>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Outlet />
    </Keys>
  ),
  notFoundComponent: () => (
    <Frame
      title="No such page"
      crumbs={[
        <Link key="runs" to="/">
          Runs
        </Link>,
      ]}
    >
      <Empty title="There is no such page">
        <p>The address may be cut short. All runs are on the first page.</p>
      </Empty>
    </Frame>
  ),
});

const runs = createRoute({ getParentRoute: () => root, path: "/", component: RunsPage });

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$run",
  component: function Page() {
    return <RunPage run={run.useParams().run} />;
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
        onSearch={(search) => navigate({ search, replace: true })}
      />
    );
  },
});

export const studioRouter = createRouter({
  routeTree: root.addChildren([runs, run, gallery]),
  scrollRestoration: true,
  defaultPreload: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof studioRouter;
  }
}
