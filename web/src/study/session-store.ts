const sessionName = "touchstone-study-session";
const outboxName = "touchstone-study-outbox";

/** What the browser does not keep stands here until the page is left: where it keeps nothing, or is full. */
const memory = new Map<string, string>();

/**
 * The session that this browser keeps of whoever came this way, so that nobody who shares a browser steps into
 * another's place; without a way the last one.
 *
 * @param by what somebody joined by, as the page's address says it
 */
export const keptSession = (by?: object): string | undefined => kept(sessionOf(by));

export function keepSession(session: string | undefined, by?: object): void {
  keep(sessionName, session);
  if (by !== undefined) keep(sessionOf(by), session);
}

const sessionOf = (by: object | undefined): string =>
  by === undefined ? sessionName : `${sessionName} ${JSON.stringify(by, withoutVisit)}`;

/** Who comes back by another task of the same study goes on where they were. */
const withoutVisit = (name: string, value: unknown): unknown =>
  name === "study" || name === "session" ? undefined : value;

/** An answer with the assignment that it is to. */
export type SentAnswer = Readonly<Record<string, unknown>> & { readonly assignment: string };

/** An answer of a session that the server has not acknowledged yet; one of each assignment is kept, from any tab. */
export function keptAnswer(session: string | undefined): SentAnswer | undefined {
  const [name] = names().filter((one) => one.startsWith(`${outboxName} ${session} `));
  const text = name === undefined ? undefined : kept(name);
  return text === undefined ? undefined : JSON.parse(text);
}

export const keepAnswer = (session: string | undefined, answer: SentAnswer): void =>
  keep(answerOf(session, answer), JSON.stringify(answer));

/** Drops an answer that the server has, or refuses, if no other took its place meanwhile. */
export function dropAnswer(session: string | undefined, answer: SentAnswer): void {
  const name = answerOf(session, answer);
  if (kept(name) === JSON.stringify(answer)) keep(name, undefined);
}

const answerOf = (session: string | undefined, { assignment }: SentAnswer): string =>
  `${outboxName} ${session} ${assignment}`;

function names(): readonly string[] {
  try {
    return [...memory.keys(), ...Object.keys(localStorage)];
  } catch {
    return [...memory.keys()];
  }
}

/** What the browser keeps under a name. */
export function kept(name: string): string | undefined {
  try {
    return memory.get(name) ?? localStorage.getItem(name) ?? undefined;
  } catch {
    return memory.get(name);
  }
}

/** Keeps a text under a name; undefined deletes it. */
export function keep(name: string, value: string | undefined): void {
  memory.delete(name);
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    if (value !== undefined) memory.set(name, value);
  }
}

/** Tells whether all of it outlasts the page. */
export const keepsAll = (): boolean => memory.size === 0;
