import { z } from "zod";
import { loadData } from "../load-data.js";

const schema = z.strictObject({ short: z.string().trim().min(1), text: z.string().trim().min(1) });

/** Reads the notice that every reader of an audit is given: `short` in a terminal, `text` in a report. */
export const loadNotice = (): z.output<typeof schema> =>
  loadData("stereotypes/notice.yaml", schema);
