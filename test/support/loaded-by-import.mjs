// Prints, as JSON, what importing a module loads: the modules' addresses, CommonJS ones included, and
// the files that were opened by their name meanwhile; with words, what its `main` loads for them, too.
import fs from "node:fs";
import { Module, register, syncBuiltinESMExports } from "node:module";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";

const { port1, port2 } = new MessageChannel();
const hook = `let port;
export const initialize = (given) => { port = given; };
export async function load(url, context, next) { port.postMessage(url); return next(url, context); }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`, {
  data: port2,
  transferList: [port2],
});

const files = [];
for (const name of ["readFileSync", "openSync", "readFile", "open", "createReadStream"]) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    files.push(String(path));
    return original(path, ...rest);
  };
}
syncBuiltinESMExports();

process.once("exit", () => {
  const modules = [];
  for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1)) {
    modules.push(next.message);
  }
  const required = Object.keys(Module._cache).map((path) => `file://${path}`);
  console.log(JSON.stringify({ modules: [...new Set([...modules, ...required])], files }));
});
const [, , entry, ...words] = process.argv;
const { main } = await import(entry);
if (words.length > 0) await main(words);
port1.unref();
