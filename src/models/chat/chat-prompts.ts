import { z } from "zod";
import { once } from "../../core/cache.js";
import { packagedYaml } from "../../files/yaml.js";

const schema = z.strictObject({
  yesOrNo: z.string().min(1),
  verbalizedProbability: z.string().min(1),
  schema: z.string().includes("{schema}"),
  repair: z.string().includes("{problem}").includes("{schema}"),
});

/** The wording of data/chat-prompts.yaml, read when it is first needed. */
export const chatPrompts = once(() => schema.parse(packagedYaml("chat-prompts.yaml")));
