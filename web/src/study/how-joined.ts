import { notAssigned, platforms } from "../../../src/studies/config/platforms.js";

type Address = Pick<Location, "search" | "hash">;

/** How somebody comes, by the page's address: what `POST /api/participants` takes; undefined: by nothing. */
export function howJoined({ search, hash }: Address): object | undefined {
  const behind = new URLSearchParams(hash.replace(/^#/, ""));
  const invite = behind.get("invite");
  if (invite !== null) return { invite };
  const resume = behind.get("resume");
  if (resume !== null) return { resume };
  const parameters = new URLSearchParams(search);
  const given = (member: string, name: string | undefined) => {
    const value = name === undefined ? null : parameters.get(name);
    return value ? { [member]: value } : {};
  };
  for (const { source, ...names } of platforms) {
    const id = parameters.get(names.id);
    if (id === null) continue;
    return {
      external: {
        source,
        id,
        ...given("signature", "signature"),
        ...given("study", names.study),
        ...given("session", names.session),
      },
    };
  }
  return undefined;
}

/** Tells if somebody looks at a task of MTurk's that they have not accepted. */
export const onlyLooks = ({ search }: Address): boolean =>
  new URLSearchParams(search).get("assignmentId") === notAssigned;
