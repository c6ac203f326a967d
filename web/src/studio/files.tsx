import { Link } from "@tanstack/react-router";
import type { FileKind, FileList } from "../../../src/studio/api.js";

/** Kinds of files that have a page of their own, in the order in which they are listed. */
export const fileKinds = [
  { kind: "report", title: "Reports of several runs", to: "/reports" },
  { kind: "review", title: "Review queues", to: "/reviews/$id" },
  { kind: "judge", title: "Judges", to: "/judges/$id" },
  { kind: "study", title: "Studies", to: "/studies/$id" },
  { kind: "cards", title: "Trust cards", to: "/cards" },
  { kind: "scores", title: "Files of scores", to: "/scores/$id" },
] as const;

/** Kinds whose file stands for the folder that it lies in. */
const ofFolders: readonly FileKind[] = ["study", "report"];

type ListedFile = FileList["files"][number];

/** What people call a file. */
export function fileName({ kind, name }: ListedFile): string {
  const folder = name.slice(0, Math.max(0, name.lastIndexOf("/")));
  return ofFolders.includes(kind) ? folder || "this folder" : name;
}

/** Leads to the page of a file. */
export function FileLink({ file }: { readonly file: ListedFile }) {
  const { id, kind, report } = file;
  const to = fileKinds.find((one) => one.kind === kind)?.to;
  if (to === undefined || to === "/reports") return <a href={report}>{fileName(file)}</a>;
  return to === "/cards" ? (
    <Link to={to} search={{ from: [`file:${id}`] }}>
      {fileName(file)}
    </Link>
  ) : (
    <Link to={to} params={{ id }}>
      {fileName(file)}
    </Link>
  );
}
