import { expect, test } from "vitest";
import { howJoined, taskForm } from "../web/src/study/how-joined.js";

const page = (search: string) => ({ search, hash: "" });

test("a finished task goes back to MTurk, to no other address", () => {
  const at = (to: string) => `?assignmentId=A1&workerId=W&turkSubmitTo=${encodeURIComponent(to)}`;
  expect(taskForm(page(at("https://workersandbox.mturk.com/x")), "C0DE")).toEqual({
    action: "https://workersandbox.mturk.com/mturk/externalSubmit",
    fields: { assignmentId: "A1", code: "C0DE" },
  });
  for (const to of ["https://mturk.com.evil.org", "http://www.mturk.com", "javascript:1", "x"]) {
    expect(taskForm(page(at(to)), "C0DE")).toBeUndefined();
  }
  const looking = at("https://www.mturk.com").replace("A1", "ASSIGNMENT_ID_NOT_AVAILABLE");
  expect(taskForm(page(looking), "C0DE")).toBeUndefined();
});

test("a panel of the study's own is known by its own parameters", () => {
  const panel = { source: "ours", id: "who", session: "visit" };
  expect(howJoined(page("?who=7&visit=3&PROLIFIC_PID=no"), panel)).toEqual({
    external: { source: "ours", id: "7", session: "3" },
  });
  expect(howJoined(page("?who=7"))).toBeUndefined();
});
