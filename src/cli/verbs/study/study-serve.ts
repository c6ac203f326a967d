import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { forgetServing, noteServing, servedBy } from "../../../studies/server/served-study.js";
import { studyApp } from "../../../studies/server/study-app.js";
import { StudyService } from "../../../studies/server/study-service.js";
import { command } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import { serveUntilInterrupted, servingArguments } from "../../serving/serve-until-interrupted.js";
import { refreshRuns } from "./refresh-runs.js";
import { studyArgument, studyAt } from "./study-argument.js";

export default command({
  description:
    "Serves a study to participants until it is interrupted. Every answer is on the disk before " +
    "it is acknowledged, so it may be stopped and started at any time. By default only this " +
    "machine is answered; put a reverse proxy with HTTPS before it to reach others, and name its " +
    "address with --public-url.",
  examples: [
    "touchstone study serve studies/first",
    "touchstone study serve studies/first --port 8080 --public-url https://study.example.org",
  ],
  arguments: {
    study: studyArgument,
    ...servingArguments,
    "public-url": {
      kind: "text",
      value: "URL",
      description: "the address that participants open, where a proxy stands before this server",
    },
  },
  async run({ given, environment, output }) {
    const { signal, workingDirectory } = environment;
    const directory = resolve(workingDirectory, given.study);
    const served = await servedBy(directory);
    if (served !== undefined) {
      throw new InputError(
        `Expected a study that nobody serves but process ${served.process} serves ${given.study} at ${served.url}`,
        { hint: "Two servers on one folder would not know of each other's answers." },
      );
    }
    const home = await studyAt(given.study, workingDirectory);
    await home.removeOrphans();
    let refreshing = Promise.resolve();
    // Whoever leaves is answered at once; the runs that took their answers over follow, one at a time.
    const followErasure = () => {
      refreshing = refreshing
        .then(() => refreshRuns(home, { environment: uninterrupted(environment), output }))
        .then(
          () => {},
          (error: unknown) => output.warn(`A run still holds erased answers: ${String(error)}`),
        );
    };
    const service = await StudyService.open(home, {
      clock: () => environment.now().getTime(),
      onErased: followErasure,
    });
    // A server that was killed may have left some.
    followErasure();
    const { getConnInfo } = await import("@hono/node-server/conninfo");
    const app = studyApp(service, {
      whoAsks: (context) => getConnInfo(context).remote.address ?? "unknown",
      clock: () => environment.now().getTime(),
      onFault: (error) => output.warn(`A request failed: ${String(error)}`),
    });
    try {
      await serveUntilInterrupted(app.fetch, {
        host: given.host,
        port: given.port,
        signal,
        onListening: async ({ url }) => {
          await noteServing(directory, url);
          const address = (given["public-url"] ?? url).replace(/\/+$/, "");
          const admin = `${address}/admin#${home.adminToken}`;
          const { moderated } = home.study.settings;
          const facilitator = `${address}/facilitator#${service.tokens.facilitator}`;
          output.resultJson({ url: address, admin, ...(moderated ? { facilitator } : {}) });
          output.result(
            `${home.study.settings.title}: participants open ${address}\n` +
              `Progress, agreement and quality: ${admin}\n` +
              (moderated ? `Facilitators lead sessions at ${facilitator}\n` : "") +
              `Answers are written to ${given.study}. Ctrl+C ends the server; nothing is lost.`,
          );
        },
      });
    } finally {
      await refreshing;
      await home.end();
      await forgetServing(directory);
    }
  },
});

const uninterrupted = (environment: Environment): Environment => ({
  ...environment,
  signal: new AbortController().signal,
});
