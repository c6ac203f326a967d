import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useMemo, useRef } from "react";
import { Keys } from "../shell/keys.js";
import { Palette, type PaletteEntry } from "../shell/palette.js";
import { Shell } from "../shell/shell.js";
import { fileKinds, fileName } from "./files.js";
import { filesQuery, runsQuery } from "./queries.js";
import { places, SideBar } from "./side-bar.js";

/** The frame around every page of the studio. */
export function StudioShell({ children }: { readonly children: ReactNode }) {
  const palette = useRef<HTMLDialogElement>(null);
  const { href } = useLocation();
  const open = () => palette.current?.showModal();
  const general = useMemo(
    () => [
      { key: "/", does: "search", run: () => palette.current?.showModal() },
      { key: "Ctrl K", does: "search and commands" },
    ],
    [],
  );
  return (
    <Keys general={general}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Shell
        address={href}
        brand={
          <Link to="/" className="brand">
            Touchstone
          </Link>
        }
        tools={
          <button type="button" className="plain" onClick={open}>
            <span className="only-wide">Search</span> <kbd>/</kbd>
          </button>
        }
        side={<SideBar />}
      >
        {children}
      </Shell>
      <StudioPalette dialog={palette} />
    </Keys>
  );
}

/** Runs, files and places by name; within a run, its images by their texts. */
function StudioPalette({ dialog }: Pick<Parameters<typeof Palette>[0], "dialog">) {
  const navigate = useNavigate();
  const { run } = useParams({ strict: false });
  const runs = useQuery({ ...runsQuery, refetchInterval: false }).data?.runs ?? [];
  const files = useQuery({ ...filesQuery, refetchInterval: false }).data?.files ?? [];
  const entries: PaletteEntry[] = [
    ...places().map(({ to, title }) => ({ title, kind: "page", run: () => void navigate({ to }) })),
    ...runs
      .filter(({ state }) => state !== "broken")
      .map(({ id, name }) => ({
        title: name,
        kind: "run",
        run: () => void navigate({ to: "/runs/$run", params: { run: id } }),
      })),
    ...files.map((file) => ({
      title: fileName(file),
      kind: file.kind,
      run: () => {
        const to = fileKinds.find(({ kind }) => kind === file.kind)?.to;
        if (to === undefined || to === "/reports") location.assign(file.report ?? "/");
        else if (to === "/cards") void navigate({ to, search: { from: [`file:${file.id}`] } });
        else void navigate({ to, params: { id: file.id } });
      },
    })),
  ];
  const found = (text: string): PaletteEntry[] =>
    run === undefined
      ? []
      : [
          {
            title: `Images whose text has “${text}”`,
            kind: "this run",
            run: () =>
              void navigate({ to: "/runs/$run/gallery", params: { run }, search: { text } }),
          },
        ];
  return <Palette dialog={dialog} entries={entries} found={found} />;
}
