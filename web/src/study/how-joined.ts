import { notAssigned, type Platform, platforms } from "../../../src/studies/config/platforms.js";

interface Address {
  readonly search: string;
  readonly hash: string;
}

/**
 * How somebody comes, by the page's address: what `POST /api/participants` takes; undefined: by nothing.
 *
 * @param panel the study's own platform, where its file describes one.
 */
export function howJoined({ search, hash }: Address, panel?: Platform): object | undefined {
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
  for (const { source, ...names } of panel === undefined ? platforms : [panel]) {
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

/** A form that ends a task of MTurk's. */
export interface TaskForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The form by which somebody hands a finished task back to MTurk, with the code that they were given: undefined where
 * they came from elsewhere. The address is MTurk's alone, whatever the page's says.
 */
export function taskForm({ search }: Address, code: string): TaskForm | undefined {
  const parameters = new URLSearchParams(search);
  const [assignmentId, to] = ["assignmentId", "turkSubmitTo"].map((name) => parameters.get(name));
  if (!assignmentId || !to || assignmentId === notAssigned || !URL.canParse(to)) return undefined;
  const { protocol, hostname, origin } = new URL(to);
  const isTheirs = protocol === "https:" && /(^|\.)mturk\.com$/.test(hostname);
  return isTheirs
    ? { action: `${origin}/mturk/externalSubmit`, fields: { assignmentId, code } }
    : undefined;
}

/** Tells if somebody looks at a task of MTurk's that they have not accepted. */
export const onlyLooks = ({ search }: Address): boolean =>
  new URLSearchParams(search).get("assignmentId") === notAssigned;
