import { afterAll, afterEach } from "vitest";
import { forgetPrinted, newlyPrinted } from "./printed.js";

// Over every test of the suite: whatever any verb prints as the next command is one.
afterEach(async () => {
  for (const text of newlyPrinted()) {
    if (!text.includes("Next")) continue;
    const { nextCommandsIn, parsedNext } = await import("./next-commands.js");
    for (const line of nextCommandsIn(text)) {
      await parsedNext(line).catch((cause: unknown) => {
        throw new Error(`Expected a command line that works after Next: but received ${line}`, {
          cause,
        });
      });
    }
  }
});

afterAll(forgetPrinted);
