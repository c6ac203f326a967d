import "../shell/tokens.js";
import "../shell/shell.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "../shell/api.js";
import { studioRouter } from "./router.js";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      // What the server refuses it refuses again; a server that is away may come back.
      retry: (count, error) => !(error instanceof ApiError) && count < 2,
      refetchOnWindowFocus: false,
    },
  },
});

const place = document.getElementById("page");
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={studioRouter} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
