import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { exported } from "../../shell/api.js";

/** Asks anew for what is shown of a run whenever its server tells that it has grown. */
export function useLiveRun(run: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (exported.source !== undefined) return;
    const source = new EventSource(`/api/runs/${encodeURIComponent(run)}/events`);
    let isFirst = true;
    source.addEventListener("run", () => {
      // The first tells how it stands, which the page has asked for itself.
      if (!isFirst) {
        void client.invalidateQueries({ queryKey: ["run", run] });
        void client.invalidateQueries({ queryKey: ["items", run] });
      }
      isFirst = false;
    });
    return () => source.close();
  }, [client, run]);
}
