import { afterEach, expect, test, vi } from "vitest";
import {
  dropAnswer,
  keepAnswer,
  keepSession,
  keptAnswer,
  keptSession,
} from "../../web/src/study/session-store.js";

const browsers = {
  "a browser that keeps": () => {
    const kept: Record<string, string> = {};
    vi.stubGlobal(
      "localStorage",
      new Proxy(kept, {
        get: (_, name) =>
          ({
            getItem: (key: string) => kept[key] ?? null,
            setItem: (key: string, value: string) => {
              kept[key] = value;
            },
            removeItem: (key: string) => delete kept[key],
          })[String(name)],
      }),
    );
  },
  "a browser that keeps nothing": () => {
    const refuse = () => {
      throw new Error("SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  },
};

afterEach(() => vi.unstubAllGlobals());

test.each(Object.entries(browsers))("%s: an answer stays until it is dropped", (name, browser) => {
  browser();
  const session = `session of ${name}`;
  const answer = { assignment: "one", answer: { value: 1 } };
  keepAnswer(session, answer);
  // Another tab's answer to another item, and somebody else's, take nothing away.
  const other = { assignment: "two", answer: { value: 2 } };
  keepAnswer(session, other);
  expect(keptAnswer("somebody else's")).toBeUndefined();
  expect(keptAnswer(session)).toEqual(answer);
  // A later answer to the same item is not dropped with the one before.
  const later = { ...answer, answer: { value: 3 } };
  keepAnswer(session, later);
  dropAnswer(session, answer);
  dropAnswer(session, other);
  expect(keptAnswer(session)).toEqual(later);
  dropAnswer(session, later);
  expect(keptAnswer(session)).toBeUndefined();
});

test.each(Object.entries(browsers))("%s: two who share it have a session each", (_, browser) => {
  browser();
  const [anna, ben] = [{ invite: "a" }, { invite: "b" }];
  keepSession("of anna", anna);
  expect(keptSession(ben)).toBeUndefined();
  keepSession("of ben", ben);
  expect([keptSession(anna), keptSession(ben), keptSession()]).toEqual([
    "of anna",
    "of ben",
    "of ben",
  ]);
});
