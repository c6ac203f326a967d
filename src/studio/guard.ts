import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { Refusal } from "./refusal.js";

/** Cookies are a machine's, not a port's: each studio has one of its own. */
const cookieName = ({ port }: URL) => `touchstone-studio${port === "" ? "" : `-${port}`}`;
/** A form can't send it, and a page of another site may not. */
const writingHeader = "x-touchstone";
const thisMachine = ["127.0.0.1", "localhost", "[::1]"];
const reading = ["GET", "HEAD"];

/**
 * No script, style, image or address but the studio's own; nothing may frame it. Scripts of the page
 * set styles by themselves, which needs no exception.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Sets the headers that keep a page's content from doing anything; what has a policy of its own keeps it. */
export const safeHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) {
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  }
};

/** Whether a request carries a token, as a bearer token or as the cookie that its link sets. */
export function carries(context: Context, token: string): boolean {
  const { req } = context;
  const cookie = getCookie(context, cookieName(new URL(req.url)));
  return isSame(bearerOf(req.header("authorization")) ?? cookie ?? "", token);
}

/**
 * Lets in who may ask: without a token only requests that name this machine as their host, so that no
 * name of somebody else's can lead here (DNS rebinding); with one only those that carry it, as a bearer
 * token, as the cookie that its link sets, or in that link. Requests that a page of another site makes
 * are refused, and what writes needs a header that no form sends.
 *
 * @param options.startToken what starts something must carry, where reading needs no token
 * @param options.openingToken stands for the token in one link, once: other users can read a browser's command line
 */
export function guard({
  token,
  startToken = token,
  openingToken,
}: {
  readonly token: string | undefined;
  readonly startToken?: string | undefined;
  readonly openingToken?: string | undefined;
}): MiddlewareHandler {
  let opening = openingToken;
  return async (context, next) => {
    const { req } = context;
    const url = new URL(req.url);
    if (token === undefined && !thisMachine.includes(url.hostname)) {
      throw new Refusal(
        403,
        "foreign-host",
        "Expected a request that names this machine as its host",
      );
    }
    refuseOtherSites(url, {
      method: req.method,
      origin: req.header("origin"),
      fetchSite: req.header("sec-fetch-site"),
      fetchMode: req.header("sec-fetch-mode"),
    });
    const linked = startToken === undefined ? null : url.searchParams.get("token");
    if (startToken !== undefined && linked !== null && reading.includes(req.method)) {
      const opens = opening !== undefined && isSame(linked, opening);
      if (opens) opening = undefined;
      if (opens || isSame(linked, startToken)) {
        const settings = { httpOnly: true, sameSite: "Strict", path: "/" } as const;
        setCookie(context, cookieName(url), startToken, settings);
        url.searchParams.delete("token");
        return context.redirect(`${url.pathname}${url.search}`, 303);
      }
    }
    if (token !== undefined && !carries(context, token)) {
      throw new Refusal(401, "no-token", "Expected the studio's token", {
        hint: "Open the link that touchstone studio printed.",
      });
    }
    if (!reading.includes(req.method) && req.header(writingHeader) === undefined) {
      throw new Refusal(403, "no-header", `Expected the header ${writingHeader} for what writes`);
    }
    return next();
  };
}

interface Asked {
  readonly method: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
}

/** A link from elsewhere may open a page; nothing else of another site may ask. */
function refuseOtherSites(
  { origin: own, pathname }: URL,
  { origin, fetchSite, fetchMode, method }: Asked,
): void {
  const isFromElsewhere =
    (origin !== undefined && origin !== own) ||
    (fetchSite !== undefined && !["same-origin", "none"].includes(fetchSite));
  const isLink = method === "GET" && fetchMode === "navigate" && !pathname.startsWith("/api/");
  if (isFromElsewhere && !(isLink && origin === undefined)) {
    throw new Refusal(403, "foreign-origin", "Expected a request of the studio's own page");
  }
}

const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer (\S+)$/.exec(header ?? "")?.[1];

/** Takes the same time whatever differs. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
