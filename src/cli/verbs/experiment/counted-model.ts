import type { Model } from "../../../core/models.js";

/** Members of models' contracts that ask the model. */
const asking = ["chat", "embedImage", "embedText", "probabilityOfYes"];

/** The same model, and how often it was called. */
export function counted<One extends Model>(model: One) {
  let calls = 0;
  const counting = new Proxy(model, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || !asking.includes(String(name))) return member;
      return (...asked: unknown[]) => {
        calls++;
        return Reflect.apply(member, target, asked);
      };
    },
  });
  return { model: counting, calls: () => calls };
}
