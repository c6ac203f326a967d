import { Hono } from "hono";
import { imageResponse, widthOf } from "../image-response.js";
import type { StudioImages } from "../images.js";
import { parsedQuery } from "../item-query.js";
import { type ScoreFiles, scoreQuery } from "./score-files.js";

/** Routes for the page of a file of scores, below `/api/scores/:file`. */
export function scoreRoutes(scores: () => Promise<ScoreFiles>, images: StudioImages): Hono {
  const app = new Hono();
  app.get("/:file", async ({ req, json }) =>
    json(await (await scores()).detail(req.param("file"))),
  );
  app.get("/:file/rows", async ({ req, json }) => {
    const query = parsedQuery(scoreQuery, req.query());
    return json(await (await scores()).rows(req.param("file"), query));
  });
  app.get("/:file/images/:at", async ({ req }) => {
    const { file, at } = req.param();
    const place = /^\d{1,9}$/.test(at) ? Number(at) : Number.NaN;
    const path = await (await scores()).imagePath(file, place);
    const width = widthOf(req.query("width"));
    const shown = await images.ofFile(path, { width, signal: req.raw.signal });
    // The file may be another one tomorrow.
    return imageResponse(shown, { isForever: false });
  });
  return app;
}
