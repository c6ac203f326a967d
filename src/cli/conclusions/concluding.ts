import type { Conclusion } from "../../conclusions/conclusion.js";

/** How a list of verbs loads one that concludes from a table. */
export const concluding = (load: () => Promise<{ readonly default: Conclusion }>) => async () => {
  const { conclusionCommand } = await import("./conclusion-command.js");
  return { default: conclusionCommand((await load()).default) };
};
