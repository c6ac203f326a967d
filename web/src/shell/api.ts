import type { Problem } from "../../../src/studio/api.js";

/** Refusal of the server, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, { message, hint }: Problem["error"]) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.hint = hint;
  }
}

/** Source of answers in place of a server, where pages were exported with all they show. */
export interface Exported {
  ask(path: string): Promise<unknown>;
  image(run: string, image: string, width: number | undefined): string;
  /** Address of an entity as a score's metric showed it. */
  look(run: string, score: string, at: number): string;
}

/** Set once, before anything is shown, by a page that was exported. */
export const exported: { source: Exported | undefined } = { source: undefined };

/** Asks the server that the page came from. @throws ApiError for what it refuses. */
export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  // What is exported answers an address as the server does.
  if (exported.source !== undefined) return (await exported.source.ask(path)) as Answer;
  return answerOf(await fetch(path, signal === undefined ? {} : { signal }));
}

/** Sends what is to be written. @throws ApiError for what the server refuses. */
export async function send<Answer>(path: string, body: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json", "x-touchstone": "studio" };
  return answerOf(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return (await response.json()) as Answer;
  const body: Partial<Problem> = await response.json().catch(() => ({}));
  const unknown = { code: "unknown", message: `The server answered ${response.status}` };
  throw new ApiError(response.status, body.error ?? unknown);
}

/** `?a=1&b=2` of what is given; nothing of what is not. */
export function searchOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
