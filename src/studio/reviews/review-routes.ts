import { Hono } from "hono";
import { z } from "zod";
import { imageResponse, widthOf } from "../image-response.js";
import type { StudioImages } from "../images.js";
import { checkedRequest } from "../refusal.js";
import type { Reviews } from "./reviews.js";

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
