import { join } from "node:path";
import { type Exchange, openExchange } from "../../../files/exchange/exchange.js";
import { runPlace } from "../../../files/open-store.js";
import type { Environment } from "../../environment.js";

/** Where the tasks of a run and their results lie. */
export const exchangeArgument = {
  exchange: {
    kind: "text",
    value: "PLACE",
    description:
      "where tasks and results lie: a folder that all machines mount, or s3://bucket/prefix " +
      "(default: the folder exchange of the run)",
  },
} as const;

/** Opens the exchange of a run. */
export const exchangeOf = (
  { run, exchange }: { readonly run: string; readonly exchange: string | undefined },
  environment: Environment,
): Exchange =>
  openExchange(
    exchange ?? join(runPlace(run, environment), "exchange"),
    environment.workingDirectory,
  );
