import type { Arguments } from "../../../core/options.js";
import { previewOf } from "../../../studies/home/open-study.js";
import type { StudyHome } from "../../../studies/home/study-home.js";
import { command, type Invocation } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import { serveUntilInterrupted, servingArguments } from "../../serving/serve-until-interrupted.js";
import { studyArguments, studyAt } from "./study-argument.js";

const serveArguments = {
  ...studyArguments,
  ...servingArguments,
  preview: {
    kind: "switch",
    description: "store nothing: anybody may join, and all of it is gone when the server ends",
  },
  "public-url": {
    kind: "text",
    value: "URL",
    description: "the address that participants open, where a proxy stands before this server",
  },
} as const satisfies Arguments;

export default command({
  description:
    "Serves a study to participants until it is interrupted. Every answer is on the disk before " +
    "it is acknowledged, so it may be stopped and started at any time. By default only this " +
    "machine is answered; put a reverse proxy with HTTPS before it to reach others, and name its " +
    "address with --public-url. A study in a database (--store) may be served by several servers " +
    "behind one address; a request may go to any of them. With --preview every page can be walked " +
    "and nothing is stored, also while the study is served.",
  examples: [
    "touchstone study serve studies/first",
    "touchstone study serve studies/first --port 8080 --public-url https://study.example.org",
    "touchstone study serve studies/first --preview",
    "touchstone study serve first --store postgres://me@localhost/touchstone --port 8080",
  ],
  arguments: serveArguments,
  async run({ given, environment, output }) {
    const own = await studyAt(given.study, environment);
    const home = given.preview ? previewOf(own) : own;
    // Before anything is read or mended: two servers of one folder would not know of each other's answers.
    await home.beginServing();
    try {
      await serve(home, { given, environment, output });
    } finally {
      await home.endServing();
    }
    output.nextCommand(["study", given.preview ? "serve" : "status", given.study]);
  },
});

/** Serves a study to participants until it is interrupted. */
async function serve(
  home: StudyHome,
  {
    given,
    environment,
    output,
  }: Pick<Invocation<typeof serveArguments>, "given" | "environment" | "output">,
): Promise<void> {
  // Whoever only asks for the verb's arguments waits for no server.
  const { ownEnd } = await import("../../../studies/server/signed-tokens.js");
  const { studyApp, whoAsks } = await import("../../../studies/server/study-app.js");
  const { StudyService } = await import("../../../studies/server/study-service.js");
  let refreshing = Promise.resolve();
  // Whoever leaves is answered at once; the runs that took their answers over follow, one at a time.
  const followErasure = (isErased: boolean) => {
    refreshing = refreshing
      .then(async () => {
        // Scoring anew needs much that a study without such runs is served without.
        if ((await home.runs()).length === 0) return;
        const { refreshRuns } = await import("./refresh-runs.js");
        const { unreached } = await refreshRuns(home, {
          environment: uninterrupted(environment),
          output,
        });
        for (const run of unreached) {
          output.warn(
            `${run} took answers over and can't be changed by this version: erased ones may still ` +
              "stand there. touchstone study erase says what to do.",
          );
        }
      })
      .then(() => (isErased ? home.reclaim() : []))
      .then(
        (left) => {
          for (const one of left) output.note(one);
        },
        (error: unknown) => output.warn(`Erased answers may still be held: ${String(error)}`),
      );
  };
  const service = await StudyService.open(home, {
    clock: () => environment.now().getTime(),
    onErased: () => followErasure(true),
  });
  // A server that was killed may have left some of either.
  await home.mend(service.state);
  followErasure(false);
  const isBehindProxy = given["public-url"] !== undefined;
  const { getConnInfo } = await import("@hono/node-server/conninfo");
  const app = studyApp(service, {
    whoAsks: (context) =>
      whoAsks({
        remote: getConnInfo(context).remote.address,
        forwarded: isBehindProxy ? context.req.header("X-Forwarded-For") : undefined,
      }),
    clock: () => environment.now().getTime(),
    onFault: (error) => output.warn(`A request failed: ${String(error)}`),
  });
  try {
    await serveUntilInterrupted(app.fetch, {
      host: given.host,
      port: given.port,
      signal: environment.signal,
      onListening: async ({ url }) => {
        await home.noteServing(url);
        const base = (given["public-url"] ?? url).replace(/\/+$/, "");
        const address = given.preview ? `${base}/?participant=preview` : base;
        const admin = `${base}/admin#${home.adminToken}`;
        const { moderated } = home.study.settings;
        const facilitator = `${base}/facilitator#${service.tokens.facilitator}`;
        const end = given.preview ? undefined : ownEnd(home);
        const own = end === undefined ? {} : { own: `${base}/${end}` };
        const links = { url: address, ...own, admin, ...(moderated ? { facilitator } : {}) };
        // One line: whoever started it reads that and goes on, while it serves.
        if (output.json) output.data(`${JSON.stringify(links)}\n`);
        output.result(
          `${home.study.settings.title}: ${given.preview ? "look at it at" : "participants open"} ${address}\n` +
            (own.own === undefined ? "" : `To answer it yourself: ${own.own}\n`) +
            `Progress, agreement and quality: ${admin}\n` +
            (moderated ? `Facilitators lead sessions at ${facilitator}\n` : "") +
            (given.preview
              ? "Preview: nothing is stored. Ctrl+C ends it, and all that was answered is gone."
              : `Answers are written to ${home.isShared ? home.place : given.study}. Ctrl+C ends the server; nothing is lost.`) +
            (home.isShared ? "\nFurther servers of the same study may serve beside it." : ""),
        );
      },
    });
  } finally {
    await refreshing;
  }
}

const uninterrupted = (environment: Environment): Environment => ({
  ...environment,
  signal: new AbortController().signal,
});
