import { expect, test } from "vitest";
import { InputError, TouchstoneError } from "../core/errors.js";
import { fileError } from "./file-error.js";

const systemError = (code: string) => Object.assign(new Error(code), { code });

test("a full disk is named, with the way on, and is no fault of the input", () => {
  const error = fileError(systemError("ENOSPC"), "write", "/runs/a");
  expect(error).toBeInstanceOf(TouchstoneError);
  expect(error).not.toBeInstanceOf(InputError);
  expect(error).toMatchObject({
    code: "disk",
    message: "Could not write /runs/a: the disk is full",
    hint: expect.stringContaining("Free some space"),
  });
});

test("a path that can't be is wrong input", () => {
  const error = fileError(systemError("ENOENT"), "read", "/runs/a");
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({
    message: "Could not read /runs/a: there is no such file or folder",
  });
  expect(fileError(systemError("EACCES"), "write", "/runs/a")).toMatchObject({
    code: "input",
    message: "Could not write /runs/a: the permission is missing",
  });
});

test("an unknown system error keeps its code; any other error is left as it is", () => {
  expect(fileError(systemError("EIO"), "read", "/a")).toMatchObject({
    code: "disk",
    message: "Could not read /a: EIO",
  });
  const other = new Error("something else");
  expect(fileError(other, "read", "/a")).toBe(other);
});
