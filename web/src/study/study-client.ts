import type { Platform } from "../../../src/studies/config/platforms.js";
import { imageAddresses } from "./image-addresses.js";
import type { OfflinePage } from "./offline-page.js";
import { retryPause } from "./retry-pause.js";

/** A question about the person. */
export interface BackgroundQuestion {
  readonly name: string;
  readonly question: string;
  readonly choices?: readonly string[];
  /** Whether its answer decides who takes part. */
  readonly needed?: boolean;
  /** What its answer, which it then needs, has to match. */
  readonly pattern?: string;
}

export interface Block {
  readonly name: string;
  readonly protocol: string;
  readonly question?: string;
  readonly guide?: string;
  readonly minimumSeconds?: number;
  readonly levels?: readonly {
    readonly value: number;
    readonly label: string;
    readonly description: string | null;
  }[];
}

/** The ends that a study has. */
export type EndName = "finished" | "left" | "failed" | "screenedOut" | "full" | "declined";

/** A study as somebody reads it before they agree. */
export interface StudyIntroduction {
  readonly title: string;
  readonly language: string;
  readonly consent: {
    readonly version: string;
    readonly text: string;
    /** Statements of the text that are ticked one by one. */
    readonly boxes?: readonly string[];
  };
  readonly warning?: string;
  readonly generated: boolean;
  /** Whether a facilitator leads from item to item. */
  readonly moderated: boolean;
  /** How its own panel hands over who comes. */
  readonly panel?: Platform;
  /** Every end, where nothing is stored and everybody only looks. */
  readonly preview?: Readonly<Record<EndName, Finished & { readonly message?: string }>>;
  readonly background: readonly BackgroundQuestion[];
  readonly blocks: readonly Block[];
}

/** A session, and what comes next in it. */
export interface Joined {
  /** The pseudonym. */
  readonly participant: string;
  readonly session: string;
  readonly stage: "consent" | "background" | "items";
  readonly study: StudyIntroduction;
}

/** An item as a browser is shown it; its content depends on the protocol. */
export type Item = Readonly<Record<string, unknown>>;
export type Answer = Readonly<Record<string, unknown>>;

/** What somebody has not sent yet of an assignment, and in which of its steps they were. */
export interface Draft {
  readonly answer?: Answer;
  readonly note?: string;
  readonly step?: number;
}

/** What is told of a practice item once it is answered. */
export interface Feedback {
  /** Null where it was skipped. */
  readonly right: boolean | null;
  readonly expected: Answer;
  /** Why that is expected. */
  readonly text?: string;
}

export interface Assignment {
  readonly assignment: string;
  readonly block: string;
  readonly protocol: string;
  readonly item: Item;
  /** The how-manieth item of this participant, from 1. */
  readonly number: number;
  /** The assignment before it; null at the first. */
  readonly before: string | null;
  readonly draft?: Draft;
  /** Of a practice item: the how-manieth of its block's. */
  readonly practice?: { readonly number: number; readonly total: number };
}

/** An assignment of before with what was answered to it. */
export interface EarlierItem extends Assignment {
  readonly answer?: Answer | null;
  readonly note?: string;
}

export interface NextItem extends Assignment {
  readonly progress: { readonly done: number; readonly total: number };
  readonly upcoming: readonly string[];
  /** Whether gold items say that more care is needed. */
  readonly warning?: boolean;
  /** Whether the study ends early where more of them are missed. */
  readonly endsEarly?: boolean;
}

/** Where a facilitator led the participant; a null assignment where nothing is left. */
export interface Place {
  readonly assignment: string | null;
  readonly step: number;
  readonly progress: NextItem["progress"];
}

export interface Finished {
  readonly code?: string;
  readonly redirect?: string;
  readonly debrief?: string | null;
  readonly generated?: boolean;
  /** Whether answers are kept that can be erased. */
  readonly canErase?: boolean;
}

/** Refusal of the server, in its own words; `end` is where to go from there. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly end: Finished;

  constructor(status: number, { code, message }: { code: string; message: string }, end: Finished) {
    super(message);
    this.name = "Refused";
    this.status = status;
    this.code = code;
    this.end = end;
  }
}

/**
 * Speaks the participants' interface for one session. Images are fetched once and kept. A call that finds no
 * server, or one in trouble, is sent again until it is answered: each may be repeated (data/study-calls.yaml).
 */
export class StudyClient {
  session: string | undefined;
  /** Told whether calls wait for the server to be back. */
  onAway: (isAway: boolean) => void = () => {};
  #waiting = 0;
  /** An address of the image of this name. */
  readonly image = imageAddresses((name) => this.#fetch(`images/${name}`));

  /** What answers in place of a server, where the page is a file. */
  readonly page: OfflinePage | undefined;

  constructor(page?: OfflinePage) {
    this.page = page;
  }

  join(by: object): Promise<Joined> {
    return this.#ask("participants", by);
  }

  /** Reads a study that anybody may join, without joining. */
  introduction(): Promise<{ readonly study: StudyIntroduction }> {
    return this.#ask("study");
  }

  /** @returns whether it lets in, or where to go where it was declined. */
  consent(
    { version, boxes }: StudyIntroduction["consent"],
    agreed: boolean,
  ): Promise<Finished & { readonly accepted?: boolean }> {
    const ticked = agreed && boxes !== undefined ? { boxes: boxes.map(() => true) } : {};
    return this.#ask("consent", { version, agreed, ...ticked });
  }

  background(answers: Readonly<Record<string, string | null>>): Promise<unknown> {
    return this.#ask("background", answers);
  }

  /** Undefined where nothing is left. */
  next(): Promise<NextItem | undefined> {
    return this.#ask("next");
  }

  /** Asks for one's place in a moderated session. */
  place(): Promise<Place> {
    return this.#ask("place");
  }

  earlier(name: string): Promise<EarlierItem> {
    return this.#ask(`assignments/${name}`);
  }

  answer(body: object): Promise<{ readonly feedback?: Feedback }> {
    return this.#ask("answers", body);
  }

  keepDraft(assignment: string, draft: Draft): Promise<unknown> {
    return this.#ask("drafts", { assignment, draft });
  }

  withdraw(erase: boolean): Promise<Finished> {
    return this.#ask("withdraw", { erase });
  }

  finish(): Promise<Finished> {
    return this.#ask("finish");
  }

  async #ask<Result>(path: string, body?: object): Promise<Result> {
    const response = await this.#fetch(path, body);
    // What the server answers is its promise (data/study-calls.yaml).
    return (response.status === 204 ? undefined : await response.json()) as Result;
  }

  /** @throws Refused for what the server refuses. */
  async #fetch(path: string, body?: object): Promise<Response> {
    let response = await this.#sent(path, body);
    let repeated = 0;
    while (response === undefined || response.status >= 500) {
      if (repeated === 0) this.#wait(1);
      const asked = response?.headers.get("Retry-After") ?? null;
      await new Promise((resolve) => setTimeout(resolve, retryPause(repeated, { asked })));
      response = await this.#sent(path, body);
      repeated += 1;
    }
    if (repeated > 0) this.#wait(-1);
    if (response.ok) return response;
    const { error, ...end } = await response.json().catch(() => ({}));
    throw new Refused(
      response.status,
      error ?? { code: "unknown", message: response.statusText },
      end,
    );
  }

  /** Undefined where there is no connection. */
  #sent(path: string, body: object | undefined): Promise<Response | undefined> {
    if (this.page !== undefined) return this.page.send(path, body);
    return fetch(`/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(this.session === undefined ? {} : { Authorization: `Bearer ${this.session}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : posted(JSON.stringify(body))),
    }).catch(() => undefined);
  }

  #wait(change: 1 | -1): void {
    this.#waiting += change;
    this.onAway(this.#waiting > 0);
  }
}

/** A body that is sent to its end though the page is left, where it is as short as browsers ask for that. */
const posted = (body: string): RequestInit => ({ body, keepalive: body.length < 30_000 });
