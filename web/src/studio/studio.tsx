import { notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type RouterHistory, RouterProvider } from "@tanstack/react-router";
import { StrictMode, useState } from "react";
import { ApiError } from "../shell/api.js";
import { studioRouter } from "./router.js";

// An answer is drawn when it is there: a timer would wait behind all pictures that came meanwhile.
notifyManager.setScheduler(queueMicrotask);

/** All pages of the studio. */
export function Studio({ history }: { readonly history?: RouterHistory }) {
  const [router] = useState(() => studioRouter(history));
  const [client] = useState(newClient);
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
}

const newClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        // What the server refuses it refuses again; a server that is away may come back.
        retry: (count, error) => !(error instanceof ApiError) && count < 2,
        refetchOnWindowFocus: false,
        // What is exported is here even where the network is not.
        networkMode: "always",
      },
    },
  });
