// Gives each example to the page that analyses tables, in a browser, and weighs what that loads before its plot.
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { startBrowser } from "../start-browser.mjs";

const examples = new URL("../../data/examples/", import.meta.url);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
/** What is loaded to draw the plot. */
const isOfPlot = (path) => /^(?:drawn-plot|figure)/.test(basename(path));

/**
 * @param folder the built page
 * @param names its examples; default all
 * @returns bytes over the network, compressed, for each example with all that is shown of it but the plot
 */
export async function weighTables(folder, names = exampleNames()) {
  const sent = new Map();
  const server = createServer(({ url }, response) => {
    const file = join(folder, url === "/" ? "index.html" : url);
    if (!existsSync(file)) return response.writeHead(404).end();
    const body = gzipSync(readFileSync(file));
    sent.set(url, body.length);
    const type = types[extname(file)] ?? "application/octet-stream";
    return response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await startBrowser();
  const weights = {};
  try {
    for (const name of names) {
      sent.clear();
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator("[aria-label='What it comes to']").waitFor();
      weights[name] = [...sent].reduce((sum, [url, size]) => (isOfPlot(url) ? sum : sum + size), 0);
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
  return weights;
}

const exampleNames = () =>
  readdirSync(examples).flatMap((name) => (name.endsWith(".csv") ? [basename(name, ".csv")] : []));
