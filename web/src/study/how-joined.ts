import { platforms } from "../../../src/studies/config/platforms.js";

/** How somebody comes, by the page's address: what `POST /api/participants` takes; undefined: by nothing. */
export function howJoined({ search, hash }: Pick<Location, "search" | "hash">): object | undefined {
  const behind = new URLSearchParams(hash.replace(/^#/, ""));
  const invite = behind.get("invite");
  if (invite !== null) return { invite };
  const resume = behind.get("resume");
  if (resume !== null) return { resume };
  const parameters = new URLSearchParams(search);
  for (const [name, source] of Object.entries(platforms)) {
    const id = parameters.get(name);
    const signature = parameters.get("signature");
    if (id !== null) {
      return { external: { source, id, ...(signature === null ? {} : { signature }) } };
    }
  }
  return undefined;
}
