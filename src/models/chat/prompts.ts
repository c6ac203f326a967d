import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const schema = z.strictObject({
  yesOrNo: z.string().min(1),
  verbalizedProbability: z.string().min(1),
  repair: z.string().includes("{problem}").includes("{schema}"),
});

let loaded: z.output<typeof schema> | undefined;

/** The wording of data/chat-prompts.yaml, read when it is first needed. */
export function chatPrompts(): z.output<typeof schema> {
  loaded ??= schema.parse(
    parse(readFileSync(new URL("../../../data/chat-prompts.yaml", import.meta.url), "utf8")),
  );
  return loaded;
}
