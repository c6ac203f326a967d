/**
 * Asks a server of a study with a token: behind # in the link, then kept by this tab and taken out of the address.
 *
 * @param role whose token it is, as the server's addresses begin
 */
export function tokenClient(role: "admin" | "facilitator") {
  const tokenName = `touchstone-study-${role}`;
  const token = () => {
    const given = location.hash.replace(/^#/, "");
    if (given !== "") {
      sessionStorage.setItem(tokenName, given);
      history.replaceState(null, "", location.pathname);
    }
    return sessionStorage.getItem(tokenName) ?? "";
  };
  /** @throws Error in the server's words for what it refuses. */
  const send = async (path: string, body?: object): Promise<Response> => {
    const response = await fetch(`/${role}/api/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const { error } = await response.json().catch(() => ({}));
    throw new Error(error?.message ?? response.statusText);
  };
  // What the server answers is its own promise (data/study-calls.yaml).
  const ask = async <Result>(path: string, body?: object): Promise<Result> =>
    (await (await send(path, body)).json()) as Result;
  return { send, ask };
}
