import { z } from "zod";
import { loadData } from "../load-data.js";

const schema = z.strictObject({ short: z.string().trim().min(1), text: z.string().trim().min(1) });

/** What a reader of an audit must be told: `short` in a terminal, `text` in a report. */
export const loadNotice = (): z.output<typeof schema> =>
  loadData("stereotypes/notice.yaml", schema);
