type Fetch = typeof globalThis.fetch;

/**
 * A fetch that looks below `/v1` as well, where a base URL names no version and nothing is found at it: servers
 * answer there with 404, with 405, with a web page, or with 200 and an error (LM Studio). What is found once is
 * kept.
 *
 * @param onFound is called with the base URL that answers, where it is the longer one
 */
export function withVersion(
  fetch: Fetch,
  baseUrl: string,
  onFound: (baseUrl: string) => void = () => {},
): Fetch {
  const base = baseUrl.replace(/\/+$/, "");
  if (!URL.canParse(base) || /\/v\d/.test(new URL(base).pathname)) return fetch;
  const longer = `${base}/v1`;
  let found: string | undefined;
  return async (url, options) => {
    const at = (place: string) => fetch(String(url).replace(base, place), options);
    if (found !== undefined) return at(found);
    const first = await at(base);
    if (await isThere(first)) {
      if (first.ok) found = base;
      return first;
    }
    const second = await at(longer).catch(() => undefined);
    // A server that knows the path, but not the model, says 404 as well.
    const isSecond = second !== undefined && ((await isThere(second)) || (await isOfModel(second)));
    if (!isSecond) return first;
    if (found === undefined) onFound(longer);
    found = longer;
    return second;
  };
}

async function isThere(response: Response): Promise<boolean> {
  if (response.status === 404 || response.status === 405) return false;
  return !response.ok || !/^\s*<|unexpected endpoint/i.test(await textOf(response));
}

const isOfModel = async (response: Response) => /model/i.test(await textOf(response));

/** The text, where it can be read; whoever asked reads it again. */
const textOf = (response: Response) =>
  response
    .clone()
    .text()
    .catch(() => "");
