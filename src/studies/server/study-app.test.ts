import { expect, test } from "vitest";
import { whoAsks } from "./study-app.js";

test("behind a proxy it is whom the proxy was asked by, not what they say of themselves", () => {
  expect(whoAsks({ remote: "192.0.2.1" })).toBe("192.0.2.1");
  expect(whoAsks({ remote: "127.0.0.1", forwarded: "203.0.113.7" })).toBe("203.0.113.7");
  expect(whoAsks({ remote: "127.0.0.1", forwarded: "10.9.8.7, 203.0.113.7" })).toBe("203.0.113.7");
  expect(whoAsks({ remote: "127.0.0.1", forwarded: "" })).toBe("127.0.0.1");
  expect(whoAsks({ remote: undefined })).toBe("unknown");
});
