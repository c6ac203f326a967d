import { z } from "zod";
import { protocolNames } from "../protocols/protocols.js";
import { blockSchema, studyBaseSchema } from "./study-config.js";

/** Schema of `touchstone study create`; data/study.schema.json is made from it. */
export const studyConfigSchema = studyBaseSchema.extend({
  blocks: z.array(blockSchema.extend({ protocol: protocolNames })).min(1),
});
