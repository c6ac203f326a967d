import { parentPort } from "node:worker_threads";
import { NoAnswer, type UnscoredReason } from "touchstone-t2i/internal/core/unscored.js";
import type { WorkerCall, WorkerReply } from "touchstone-t2i/internal/runs/worker-pool.js";
import { type PaintedPrompt, type PaintingTask, paintPrompt } from "./painter.js";

/** A painted prompt, or why there is none. */
export type PaintReply =
  | PaintedPrompt
  | { readonly reason: UnscoredReason; readonly detail: string };

parentPort?.on("message", ({ id, asked }: WorkerCall<PaintingTask>) => {
  const reply = (
    said: { readonly made: PaintReply } | { readonly error: string },
  ): WorkerReply<PaintReply> => ({ id, ...said });
  paintPrompt(asked).then(
    (made) => parentPort?.postMessage(reply({ made })),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const said =
        error instanceof NoAnswer
          ? { made: { reason: error.reason, detail: message } }
          : { error: message };
      parentPort?.postMessage(reply(said));
    },
  );
});
