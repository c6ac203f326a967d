import { imageAddresses } from "../study/image-addresses.js";
import type { Answer, Block, Item } from "../study/study-client.js";
import { tokenClient } from "../study-status/token-client.js";

const { ask, send } = tokenClient("facilitator");

export interface LedStudy {
  readonly title: string;
  readonly language: string;
  readonly codebook: readonly { readonly code: string; readonly description: string | null }[];
  readonly blocks: readonly Block[];
}

export type Stage = "waiting" | "items" | "finished" | "left";

interface Listed {
  readonly participant: string;
  readonly consentedAt: number;
  readonly stage: Stage;
  readonly progress: { readonly done: number; readonly total: number };
}

export type ListedSession = Listed & { readonly notes: number };

export interface Note {
  readonly id: string;
  readonly seconds: number;
  readonly text: string;
  readonly codes: readonly string[];
}

/** State of a session now; without an item before the first and after the last. */
export type Session = Listed & {
  readonly step: number;
  readonly assignment?: string;
  readonly block?: string;
  readonly protocol?: string;
  readonly item?: Item;
  readonly steps?: number;
  readonly attempt?: number;
  readonly answer?: Answer | null;
  readonly skipped?: boolean;
  readonly models?: readonly { readonly label: string; readonly model: string }[];
  readonly notes: readonly Note[];
  readonly transcripts: readonly { readonly name: string; readonly utterances: number }[];
};

export const readStudy = (): Promise<LedStudy> => ask("study");

export const readSessions = async (): Promise<readonly ListedSession[]> =>
  (await ask<{ sessions: readonly ListedSession[] }>("sessions")).sessions;

/** One participant's session, as their facilitator sees and leads it. */
export class SessionClient {
  readonly participant: string;
  /** An address of the image of this name. */
  readonly image = imageAddresses((name) => send(`sessions/${this.participant}/images/${name}`));

  constructor(participant: string) {
    this.participant = participant;
  }

  read(): Promise<Session> {
    return ask(`sessions/${this.participant}`);
  }

  steer(to: "next" | "back" | "skip"): Promise<Session> {
    return ask(`sessions/${this.participant}/steer`, { to });
  }

  note(note: { id: string; text?: string; codes?: readonly string[] }): Promise<unknown> {
    return ask(`sessions/${this.participant}/notes`, note);
  }

  transcript(transcript: object): Promise<unknown> {
    return ask(`sessions/${this.participant}/transcripts`, transcript);
  }
}
