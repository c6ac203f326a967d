import { commandGroup } from "touchstone-t2i/internal/cli/command-line/command.js";

export default commandGroup({
  description:
    "The lab: a built-in world of clip art, with a generator that knows what it painted and " +
    "models trained on its pictures. It is no evidence about real text-to-image metrics.",
  examples: ["touchstone lab evaluate", "touchstone lab serve --port 8123"],
  verbs: [
    {
      name: "evaluate",
      summary: "measure the lab's models on pictures they were not trained on",
      load: () => import("./lab-evaluate.js"),
    },
    {
      name: "serve",
      summary:
        "serve the lab's models through an OpenAI-compatible API, to try hosted models offline",
      load: () => import("./lab-serve.js"),
    },
    {
      name: "experiment",
      summary: "repeat the papers' experiments on your own answers",
      load: () => import("../experiment/experiment.js"),
    },
  ],
});
