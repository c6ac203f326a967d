import type { ChatReply } from "../../core/models.js";
import { namedModel } from "../../core/named-model.js";

/** Who answered, where the reply names another model or a snapshot of the one that was asked. */
export function answerer(
  model: string,
  named: string | null | undefined,
): Pick<ChatReply, "answeredBy" | "snapshot"> {
  const relation = named ? namedModel(model, named) : "same";
  if (!named || relation === "same") return {};
  return relation === "other" ? { answeredBy: named } : { snapshot: named };
}
