import { expect, test } from "vitest";
import { postgresPlace } from "./address.js";

test.each(["mysql://me:secret-secret@db/runs", "http://secret-secret/runs", "./runs"])(
  "%s is no store, and nothing of it is shown",
  (text) => {
    const taken = () => postgresPlace(text);
    expect(taken).toThrow("Expected postgres://user@host:port/database for a store of studies");
    expect(taken).not.toThrow("secret-secret");
  },
);

test("both names of the scheme are one database", () => {
  for (const scheme of ["postgres", "postgresql"]) {
    expect(postgresPlace(`${scheme}://me@db/t/a/b`)).toMatchObject({ name: "a/b" });
  }
});
