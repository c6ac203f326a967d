import { expect, test } from "vitest";
import { misbehavingServer } from "../../../test/support/misbehaving-server.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { keeps } from "../../models/contracts.js";
import { hostedEmbedder } from "./hosted-embedder.js";
import { hostingFor } from "./hosting.js";

test("what one command embedded the next one finds; --no-cache asks anew", async () => {
  const workingDirectory = await temporaryDirectory();
  const { baseUrl, received } = await misbehavingServer({
    behave: () => ({ kind: "reply", json: { data: [{ embedding: [0.5, 0.25] }] } }),
  });
  const variables = { XDG_CACHE_HOME: workingDirectory };
  const embed = async (useCache: boolean) => {
    const hosting = hostingFor({ variables, workingDirectory }, { useCache });
    const { model } = await hostedEmbedder({ model: "clip", baseUrl }, hosting);
    if (!keeps(model, "TextEmbedder")) throw new Error("Expected an embedder of texts");
    return Array.from(await model.embedText("a cat"));
  };
  for (const [useCache, calls] of [
    [true, 1],
    [true, 1],
    [false, 2],
  ] as const) {
    expect(await embed(useCache)).toEqual([0.5, 0.25]);
    expect(received).toHaveLength(calls);
  }
});
