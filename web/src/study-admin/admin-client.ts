import type { StudyStatus } from "../../../src/studies/study-status.js";

const tokenName = "touchstone-study-admin";

/** The admin token: behind # in the link, then kept by this tab and taken out of the address. */
function token(): string {
  const given = location.hash.replace(/^#/, "");
  if (given !== "") {
    sessionStorage.setItem(tokenName, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(tokenName) ?? "";
}

/** Where a study stands, the facilitator's token where sessions are led, and whether nothing is stored. */
export type AdminStatus = StudyStatus & {
  readonly facilitator: string | null;
  readonly isPreview: boolean;
};

export const readStatus = (): Promise<AdminStatus> => ask("status");

export const invite = async (count: number): Promise<readonly string[]> => {
  const { invitations } = await ask<{ invitations: readonly string[] }>("invitations", { count });
  return invitations.map((invitation) => `${location.origin}/#invite=${invitation}`);
};

export const erase = (participant: string): Promise<unknown> => ask("erase", { participant });

export const close = (): Promise<unknown> => ask("close", {});

/** @throws Error in the server's words for what it refuses. */
async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`/admin/api/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // What the server answers is its own type.
  const answer = (await response.json()) as Answer & { error?: { message: string } };
  if (!response.ok) throw new Error(answer.error?.message ?? response.statusText);
  return answer;
}
