import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ratedStudy } from "../../../test/support/known-study.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { requests } from "./requests.js";
import { studyApp } from "./study-app.js";

interface Listed {
  readonly calls: readonly {
    readonly calls: Readonly<Record<string, { readonly body?: string }>>;
  }[];
}

test("data/study-calls.yaml lists each call of a study's server, and each body", async () => {
  const file = new URL("../../../data/study-calls.yaml", import.meta.url);
  const { calls }: Listed = parse(await readFile(file, "utf8"));
  const listed = calls.flatMap((part) => Object.entries(part.calls));
  const { service } = await ratedStudy([{ image: "0.png", cells: "i0,A dog" }], {
    header: "id,text",
    settings: { moderated: true },
    folder: await temporaryDirectory(),
  });
  const routes = studyApp(service, { whoAsks: () => "one" })
    .routes.filter(({ method, path }) => method !== "ALL" && /^(\/facilitator)?\/api\//.test(path))
    .map(({ method, path }) => `${method} ${path}`);
  expect(listed.map(([call]) => call).toSorted()).toEqual([...new Set(routes)].toSorted());
  const bodies = listed.flatMap(([, { body }]) => (body === undefined ? [] : [body]));
  expect(bodies.toSorted()).toEqual(Object.keys(requests).toSorted());
});
