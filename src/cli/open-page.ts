import { spawn } from "node:child_process";

/** Commands that open an address in a browser, by system. */
const openers: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address or a file in the browser. Where there is none, what was printed is enough. */
export function openPage(address: string): void {
  const [program, ...words] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
