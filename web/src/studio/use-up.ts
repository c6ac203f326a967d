import { type NavigateOptions, useNavigate } from "@tanstack/react-router";
import { useKeys } from "../shell/keys.js";

/** Declares the key that goes to the page above, all runs where it is not said. */
export function useUp(what = "all runs", where: NavigateOptions = { to: "/" }): void {
  const navigate = useNavigate();
  useKeys([{ key: "u", does: `up: ${what}`, run: () => void navigate(where) }]);
}
