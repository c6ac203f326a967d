import { z } from "zod";
import { labYaml } from "../../package-file.js";
import { describe } from "../../world/english.js";
import type { Description } from "../../world/scene.js";

const schema = z.strictObject({
  lab: z
    .array(
      z.strictObject({
        name: z.string(),
        order: z.enum(["as-said", "turned-round"]),
        form: z.string().regex(/\{(sentence|words)\}/),
      }),
    )
    .min(2),
});

/** A sentence in other words, with what data/paraphrases.yaml calls the way. */
export interface Paraphrase {
  readonly name: string;
  readonly text: string;
}

/** All the ways to say in the lab's English what a description says; the first is the usual one. */
export function paraphrasesOf(description: Description): Paraphrase[] {
  return schema.parse(labYaml("paraphrases.yaml")).lab.map(({ name, order, form }) => {
    const extras = order === "as-said" ? description.extras : description.extras.toReversed();
    const sentence = describe({ ...description, extras });
    const words = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");
    return { name, text: form.replace("{sentence}", sentence).replace("{words}", words) };
  });
}
