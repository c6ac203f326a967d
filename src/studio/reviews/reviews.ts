import { dirname, resolve } from "node:path";
import { Hono } from "hono";
import { z } from "zod";
import { csvLine } from "../../tables/cell-table.js";
import type { FoundFile, FoundFiles } from "../found-files.js";
import { imageResponse, type StudioImages, widthOf } from "../images.js";
import { checkedRequest, Refusal } from "../refusal.js";
import type {
  ReviewAnswered,
  ReviewCommand,
  ReviewDetail,
  ReviewHand,
  ReviewItem,
  ReviewOpinions,
} from "./review-api.js";
import {
  type GivenAnswer,
  ReviewFile,
  type ReviewRow,
  type ReviewRows,
  type ReviewTable,
} from "./review-file.js";

const said = z.union([z.string().max(20), z.number(), z.null()]);

const answer = z.strictObject({
  item: z.string().max(64),
  answer: said,
  was: said,
  by: z.string().trim().min(1).max(60).optional(),
  comment: z.string().trim().min(1).max(2000).optional(),
  isSecond: z.boolean().optional(),
});

/** The name of who is asked for a second opinion. */
const second = z.string().trim().min(1).max(60).optional();

const hand = z.object({
  window: z.string().min(1).max(64),
  from: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(50).default(6),
  second,
});

interface OpenReview {
  readonly file: ReviewFile;
  readonly hands: ReviewHands;
  /** Of items that are asked again. */
  readonly secondHands: ReviewHands;
}

/** The review queues below the folder that is shown. */
export class Reviews {
  readonly #files: FoundFiles;
  readonly #shown: string;
  readonly #folders: readonly string[] | undefined;
  readonly #open = new Map<string, OpenReview>();

  /** @param options.folders where a queue's judge may lie; anywhere if not given */
  constructor({
    files,
    shown,
    folders,
  }: {
    readonly files: FoundFiles;
    readonly shown: string;
    readonly folders: readonly string[] | undefined;
  }) {
    this.#files = files;
    this.#shown = shown;
    this.#folders = folders;
  }

  /** @param second who is asked for a second opinion */
  async detail(id: string, second?: string): Promise<ReviewDetail> {
    const { found, table } = await this.#table(id);
    const { task, choices } = table;
    const { counts } = table.askedOf(second);
    return { id, name: found.name, task, choices, counts };
  }

  async command(id: string): Promise<ReviewCommand> {
    const { found, table } = await this.#table(id);
    const { reviewCommand } = await import("./review-command.js");
    const command = await reviewCommand(found, table, {
      shown: this.#shown,
      folders: this.#folders,
      others: await this.#othersOf(found, table),
    });
    return { command };
  }

  async hand(
    id: string,
    { second, ...asked }: Parameters<ReviewHands["hand"]>[1] & { second?: string | undefined },
  ): Promise<ReviewHand> {
    const { table, review } = await this.#table(id);
    const hands = second === undefined ? review.hands : review.secondHands;
    return hands.hand(table.askedOf(second), asked);
  }

  async opinions(id: string): Promise<ReviewOpinions> {
    const { table } = await this.#table(id);
    const items = table.rows.flatMap(({ key, text, opinions: [first, second] }) =>
      first === undefined || second === undefined
        ? []
        : [
            {
              key,
              text,
              opinions: [first, second] as const,
              isDifferent: first.answer !== second.answer,
            },
          ],
    );
    return { items, equal: items.filter(({ isDifferent }) => !isDifferent).length };
  }

  /** Every answer as a row of a table, so that an item with a second opinion has two. */
  async answersAsCsv(id: string): Promise<string> {
    const { table } = await this.#table(id);
    const head = ["item", "text", "opinion", "answer", "reviewer", "reviewed_at", "comment"];
    const rows = table.rows.flatMap(({ key, text, opinions }) =>
      opinions.map(({ answer, by, at, comment }, place) =>
        [key, text, place + 1, answer, by, at, comment].map((cell) => cell ?? null),
      ),
    );
    return [head, ...rows].map(csvLine).join("");
  }

  /** @throws Refusal where the queue has no such item. */
  async item(id: string, key: string): Promise<ReviewItem> {
    const { table } = await this.#table(id);
    return shownItem(rowIn(table, key));
  }

  async answer(id: string, given: GivenAnswer): Promise<ReviewAnswered> {
    const { review } = await this.#table(id);
    const { table, row } = await review.file.answer(given);
    return { item: shownItem(row), counts: table.counts };
  }

  /** The file of an item's image, as the queue names it. @throws Refusal where there is none. */
  async imagePath(id: string, key: string, at: number): Promise<string> {
    const { found, table } = await this.#table(id);
    const name = rowIn(table, key).files[at];
    if (name === undefined || name === "") throw noItem();
    return resolve(dirname(found.path), name);
  }

  async close(): Promise<void> {
    for (const { file } of this.#open.values()) await file.close();
  }

  async #table(id: string) {
    const found = await this.#files.find("review", id);
    const known = this.#open.get(found.path);
    const review = known ?? {
      file: new ReviewFile(found.path, found.name),
      hands: new ReviewHands(),
      secondHands: new ReviewHands(),
    };
    this.#open.set(found.path, review);
    return { found, review, table: await review.file.read() };
  }

  /** Other queues of the same judge in which something was answered. */
  async #othersOf(file: FoundFile, table: ReviewTable): Promise<readonly string[]> {
    if (table.judge === undefined) return [];
    const judge = resolve(dirname(file.path), table.judge);
    const names: string[] = [];
    for (const other of await this.#files.look()) {
      if (other.kind !== "review" || other.path === file.path) continue;
      const read = await this.#table(other.id).catch(() => undefined);
      if (read?.table.judge === undefined || read.table.counts.answered === 0) continue;
      if (resolve(dirname(other.path), read.table.judge) === judge) names.push(other.name);
    }
    return names;
  }
}

function rowIn(table: ReviewTable, key: string) {
  const row = table.row(key);
  if (row === undefined) throw noItem();
  return row;
}

const noItem = () => new Refusal(404, "no-item", "The queue has no such item");

/** How long an item that one window was handed is kept from the others, in milliseconds. */
const held = 90_000;

interface Holder {
  readonly window: string;
  readonly until: number;
}

/**
 * Hands open items to windows so that two people who answer one queue get different items. Kept in memory
 * alone: after a restart two people may see the same item, and no answer is lost.
 */
export class ReviewHands {
  readonly #holders = new Map<string, Holder>();
  readonly #clock: () => number;

  /** @param clock milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /**
   * Returns the next open items for a window.
   *
   * @param options.from the place to begin at; after the last item come the first
   */
  hand(
    table: ReviewRows,
    {
      window,
      from,
      limit,
    }: { readonly window: string; readonly from: number; readonly limit: number },
  ): ReviewHand {
    const now = this.#clock();
    const open = table.rows.filter(({ answer }) => answer === null);
    const ordered = [
      ...open.filter(({ place }) => place >= from),
      ...open.filter(({ place }) => place < from),
    ];
    const isFree = ({ key }: ReviewRow) => {
      const holder = this.#holders.get(key);
      return holder === undefined || holder.window === window || holder.until < now;
    };
    const free = ordered.filter(isFree).slice(0, limit);
    const isShared = free.length === 0 && ordered.length > 0;
    // A window with no free item gets those of the others, from the end.
    const items = isShared ? ordered.slice(-limit).reverse() : free;
    // A window that asks is at work: it keeps what it was handed before.
    const until = now + held;
    for (const [key, holder] of this.#holders) {
      if (table.row(key)?.answer !== null || holder.until < now) this.#holders.delete(key);
      else if (holder.window === window) this.#holders.set(key, { window, until });
    }
    for (const { key } of free) this.#holders.set(key, { window, until });
    return { items: items.map(shownItem), counts: table.counts, isShared };
  }
}

/** A row without the names of files and others' opinions, which a page must not know. */
const shownItem = ({ files, opinions, ...item }: ReviewRow) => item;

/** Routes for the page of a review queue, below `/api/reviews/:review`. */
export function reviewRoutes(reviews: Reviews, images: StudioImages): Hono {
  const app = new Hono();
  app.get("/:review", async ({ req, json }) => {
    const asked = checkedRequest(z.object({ second }), req.query());
    return json(await reviews.detail(req.param("review"), asked.second));
  });
  app.get("/:review/opinions", async ({ req, json }) =>
    json(await reviews.opinions(req.param("review"))),
  );
  app.get("/:review/answers.csv", async ({ req, body }) =>
    body(await reviews.answersAsCsv(req.param("review")), 200, {
      "content-type": "text/csv; charset=utf-8",
    }),
  );
  app.get("/:review/command", async ({ req, json }) =>
    json(await reviews.command(req.param("review"))),
  );
  app.get("/:review/next", async ({ req, json }) => {
    const asked = checkedRequest(hand, req.query());
    return json(await reviews.hand(req.param("review"), asked));
  });
  app.get("/:review/items/:item", async ({ req, json }) =>
    json(await reviews.item(req.param("review"), req.param("item"))),
  );
  app.post("/:review/answers", async ({ req, json }) => {
    const body: unknown = await req.json().catch(() => undefined);
    return json(await reviews.answer(req.param("review"), checkedRequest(answer, body)));
  });
  app.get("/:review/items/:item/images/:at", async ({ req }) => {
    const { review, item, at } = req.param();
    const place = /^\d{1,2}$/.test(at) ? Number(at) : Number.NaN;
    const path = await reviews.imagePath(review, item, place);
    const { signal } = req.raw;
    const shown = await images.ofFile(path, { width: widthOf(req.query("width")), signal });
    // The file may be another one tomorrow.
    return imageResponse(shown, { isForever: false });
  });
  return app;
}
