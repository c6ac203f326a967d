const sessionName = "touchstone-study-session";
const outboxName = "touchstone-study-outbox";

/** The session that this browser keeps; none where the browser keeps nothing. */
export const keptSession = (): string | undefined => read(sessionName);

export const keepSession = (session: string | undefined): void => write(sessionName, session);

/** An answer that the server has not acknowledged yet. */
export const keptAnswer = (): object | undefined => {
  const text = read(outboxName);
  return text === undefined ? undefined : JSON.parse(text);
};

export const keepAnswer = (body: object | undefined): void =>
  write(outboxName, body === undefined ? undefined : JSON.stringify(body));

function read(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing goes on without; a reload then needs the invitation's sender.
  }
}
