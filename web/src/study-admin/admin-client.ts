import type { StudyStatus } from "../../../src/studies/study-status.js";
import { tokenClient } from "../study-status/token-client.js";

const { ask } = tokenClient("admin");

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
