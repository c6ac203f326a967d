import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { largestOf } from "../../core/arrays.js";
import type { Filled } from "../../core/options.js";
import { jsonOrNone } from "../../core/read-json.js";
import { shellWord } from "../../core/shell-word.js";
import { absent, failed, fileError, systemCode } from "../../files/file-error.js";
import {
  hiddenRunsName,
  jobsName,
  makeHiddenFolder,
  newJobStart,
} from "../../files/hidden-runs.js";
import { processNamed, readProcess } from "../../files/job-life.js";
import { makeFolder } from "../../files/make-folder.js";
import { hasStore } from "../../files/open-store.js";
import { outsideProblem } from "../../files/outside.js";
import { Refusal } from "../refusal.js";
import type { Job, JobDetail, JobEstimate, StartedJob, Starts } from "./job-api.js";
import {
  endOfText,
  estimateSchema,
  type JobFile,
  jobFiles,
  readJob,
  readResult,
  refusalSchema,
  refuseOutside,
  stateOf,
} from "./job-files.js";

/** Says to the process of a verb in which folder it is watched. */
export const watchedVariable = "TOUCHSTONE_JOB";
/** What a verb refused, as its JSON says it. */
const problemIn = ({ message, hint }: { message: string; hint?: string | null | undefined }) =>
  hint == null ? { message } : { message, hint };
/** Milliseconds that a forecast may take. */
const longestForecast = 120_000;
const atWork = ["starting", "running"];

/**
 * Jobs that the studio starts: each is a process of a verb by itself, in the folder that the studio was opened on, and
 * has a folder below `.touchstone/jobs` with its command line, process, log, result and exit code. So any studio on the
 * folder finds it again, and closing one harms nothing.
 */
export class Jobs {
  readonly #root: string;
  readonly #folder: string;
  readonly #starts: Starts;
  /** Jobs that have ended, which change no more. */
  readonly #ended = new Map<string, FoundJob>();
  #forecasts: Promise<unknown> = Promise.resolve();

  constructor({ root, starts }: { readonly root: string; readonly starts: Starts }) {
    this.#root = root;
    this.#folder = join(root, hiddenRunsName, jobsName);
    this.#starts = starts;
  }

  /** The newest first. */
  async list(): Promise<readonly Job[]> {
    const found = await Promise.all((await this.#ids()).map((id) => this.#find(id)));
    return found
      .flatMap((job) => job ?? [])
      .map(({ file: _, folder: __, ...job }) => job)
      .sort((a, b) => (a.started < b.started ? 1 : -1));
  }

  /** @throws Refusal where there is no such job. */
  async detail(id: string): Promise<JobDetail> {
    const { file, folder, ...job } = await this.#known(id);
    const result = await readResult(folder);
    // What stands there while it works is an earlier one's.
    const page = job.ended === undefined ? undefined : await this.pageOf(id);
    const run = result?.run == null ? undefined : this.#runId(result.run);
    const form = await this.#verb(file.verb);
    const log = await endOfText(join(folder, jobFiles.log));
    const said = refusalSchema.safeParse(jsonOrNone(log.trimEnd().split("\n").at(-1) ?? "")).data;
    return {
      ...job,
      log,
      ...(said === undefined ? {} : { problem: problemIn(said.error) }),
      filled: file.filled,
      canRetry: form !== undefined && "retry-unscored" in form.arguments,
      ...(page === undefined ? {} : { page: `/api/jobs/${id}/page` }),
      ...(run === undefined ? {} : { run }),
      ...(result?.study?.goOn == null ? {} : { goOn: result.study.goOn }),
    };
  }

  /** The page that a job wrote; undefined where it wrote none in the folder, or another job wrote it since. */
  async pageOf(id: string): Promise<string | undefined> {
    const { file, started, ended } = await this.#known(id);
    const { out } = file.filled;
    if (typeof out !== "string" || !out.endsWith(".html")) return undefined;
    const path = resolve(this.#root, out);
    if ((await outsideProblem(path, [this.#root])) !== undefined) return undefined;
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    // Times of jobs have no parts of milliseconds.
    const at = Math.floor(found.mtimeMs);
    const isOwn = at >= Date.parse(started) && (ended === undefined || at <= Date.parse(ended));
    return isOwn ? path : undefined;
  }

  /**
   * Starts a verb. On one machine the same command line is started once at a time, whoever asks and in however many
   * studios: the name of a job's folder follows from it, and only one can make it.
   *
   * @throws Refusal for what leads out of the folder; InputError for what the verb would refuse, and on a full disk.
   */
  async start(verb: string, filled: Filled): Promise<StartedJob> {
    if (await hasStore(this.#root)) {
      throw new Refusal(
        409,
        "in-run",
        "Expected a folder to work in but the studio was opened on a run",
        {
          hint: "Open it on the folder around: touchstone studio DIR",
        },
      );
    }
    await refuseOutside(filled, this.#root);
    const words = await this.#starts.wordsOf(verb, filled);
    const name = createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 12);
    const numbers = (await this.#ids()).flatMap((id) =>
      id.startsWith(`${name}-`) ? [Number(id.slice(name.length + 1))] : [],
    );
    const last = Math.max(0, largestOf(numbers));
    const alike = await Promise.all(numbers.map((number) => this.#find(`${name}-${number}`)));
    // One of another machine, or of a container that is gone, may be "running" for ever.
    const before = alike.find((job) => job?.file.host === hostname() && atWork.includes(job.state));
    if (before !== undefined) return { id: before.id, isNew: false };
    const id = `${name}-${last + 1}`;
    const file: JobFile = {
      verb,
      filled,
      words,
      command: ["touchstone", ...words].map(shellWord).join(" "),
      started: new Date().toISOString(),
      host: hostname(),
      starter: await processNamed(),
    };
    const isOurs = await this.#begin(id, file);
    return { id, isNew: isOurs };
  }

  /** Starts the command line of a job again: what it had is found again. */
  async resume(id: string, { retries = false } = {}): Promise<StartedJob> {
    const { file } = await this.#known(id);
    const more = retries ? { "retry-unscored": true } : {};
    return this.start(file.verb, { ...file.filled, ...more });
  }

  /**
   * Starts the command line that goes on with what people answered in the study of a job.
   *
   * @throws Refusal where it made none.
   */
  async goOn(id: string): Promise<StartedJob> {
    const { file, study } = await this.#known(id);
    if (study === undefined || file.verb === "study serve") {
      throw new Refusal(409, "no-study", "Expected a job that made a study but this one made none");
    }
    const { ask: _, labels = [], ...filled } = file.filled;
    return this.start(file.verb, { ...filled, labels: [labels, study].flat().map(String) });
  }

  /** Interrupts a job, which keeps what it has; once more, at once. */
  async stop(id: string): Promise<void> {
    const { file, folder, state } = await this.#known(id);
    const own = await readProcess(folder);
    if (state !== "running" || own === undefined) return;
    if (file.host !== hostname()) {
      throw new Refusal(
        409,
        "elsewhere",
        `Expected a job of this machine but it runs on ${file.host}`,
      );
    }
    try {
      process.kill(own.process, "SIGINT");
    } catch (error) {
      if (systemCode(error) !== "ESRCH") throw error;
    }
  }

  /**
   * What a verb would ask of models, by its own JSON: it is run with no calls allowed, or only checks its input. One at a
   * time.
   */
  async estimate(verb: string, filled: Filled, signal: AbortSignal): Promise<JobEstimate> {
    await refuseOutside(filled, this.#root);
    const form = await this.#verb(verb);
    const asksNone =
      form?.asks?.every((name) => [filled[name]].flat().every((one) => !one)) === true;
    if (form?.estimate === undefined || asksNone) return { steps: [] };
    const words = await this.#starts.wordsOf(verb, { ...filled, ...form.estimate });
    const forecast = this.#forecasts.then(() => this.#said(words, signal));
    this.#forecasts = forecast.catch(() => {});
    const found = estimateSchema.parse(jsonOrNone(await forecast));
    return { steps: "error" in found ? found.error.forecast : found.forecast };
  }

  async #said(words: readonly string[], signal: AbortSignal): Promise<string> {
    const child = this.#spawn([...words, "--json"], ["ignore", "pipe", "pipe"], {});
    const ending = AbortSignal.any([signal, AbortSignal.timeout(longestForecast)]);
    const kill = () => child.kill("SIGKILL");
    ending.addEventListener("abort", kill, { once: true });
    if (ending.aborted) kill();
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
      });
    }
    const [code] = await once(child, "close");
    if (code === 0) return said.stdout;
    if (code === 3) return said.stderr;
    if (ending.aborted) throw new Refusal(503, "slow", "The forecast took too long and was ended");
    const refused = refusalSchema.safeParse(jsonOrNone(said.stderr)).data?.error;
    const { message = said.stderr.trim().slice(0, 2000), hint = undefined } = refused ?? {};
    throw new Refusal(409, "refused", message, hint == null ? {} : { hint });
  }

  /** Makes a job's folder whole or not at all, and starts its process; false where another made it first. */
  async #begin(id: string, file: JobFile): Promise<boolean> {
    const folder = join(this.#folder, id);
    const beside = await this.#newFolder().catch(failed("write", relative(this.#root, folder)));
    const handles: FileHandle[] = [];
    try {
      await writeFile(join(beside, jobFiles.job), `${JSON.stringify(file)}\n`);
      for (const name of [jobFiles.result, jobFiles.log])
        handles.push(await open(join(beside, name), "a"));
      await rename(beside, folder);
    } catch (error) {
      for (const handle of handles) await handle.close();
      await rm(beside, { recursive: true, force: true });
      if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(systemCode(error) ?? "")) return false;
      throw fileError(error, "write", relative(this.#root, folder));
    }
    const [result, log] = handles;
    const words = [...file.words, "--json"];
    const child = this.#spawn(words, ["ignore", result?.fd ?? "ignore", log?.fd ?? "ignore"], {
      [watchedVariable]: folder,
    });
    const note = (code: number | null, signal: NodeJS.Signals | null) =>
      // The process says so itself where it still can.
      writeFile(
        join(folder, jobFiles.exit),
        `${JSON.stringify({ code: signal === "SIGINT" ? 130 : code, ended: new Date().toISOString() })}\n`,
        { flag: "wx" },
      ).catch(() => {});
    child.on("error", () => void note(1, null));
    child.on("exit", (code, signal) => void note(code, signal));
    child.unref();
    // It says who it is by itself, a moment later: until then nobody may take it for gone.
    if (child.pid !== undefined) {
      const name = JSON.stringify(await processNamed(child.pid));
      await writeFile(join(folder, jobFiles.process), `${name}\n`, { flag: "wx" }).catch(() => {});
    }
    for (const handle of handles) await handle.close();
    return true;
  }

  /** Makes an empty folder beside those of jobs. */
  async #newFolder(): Promise<string> {
    await makeHiddenFolder(this.#root);
    await makeFolder(this.#folder);
    return mkdtemp(join(this.#folder, newJobStart));
  }

  /** No shell reads the words, and the process outlives this one. */
  #spawn(
    words: readonly string[],
    stdio: ["ignore", number | "ignore" | "pipe", number | "ignore" | "pipe"],
    more: Readonly<Record<string, string>>,
  ): ChildProcess {
    const [program, ...before] = this.#starts.program;
    const { TOUCHSTONE_STUDIO_TOKEN: _, ...environment } = this.#starts.environment;
    return spawn(program, [...before, ...words], {
      cwd: this.#root,
      detached: true,
      stdio,
      env: { ...environment, ...more },
      windowsHide: true,
    });
  }

  async #ids(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(absent(this.#folder));
    return (names ?? []).filter((name) => /^[0-9a-f]{12}-\d+$/.test(name));
  }

  async #known(id: string) {
    const found = /^[0-9a-f]{12}-\d+$/.test(id) ? await this.#find(id) : undefined;
    if (found !== undefined) return found;
    throw new Refusal(404, "no-job", "There is no such job in the folder that is shown");
  }

  async #find(id: string): Promise<FoundJob | undefined> {
    const folder = join(this.#folder, id);
    const file = await readJob(folder);
    if (file === undefined) return undefined;
    // `run clean` may have removed it, and another may have its name.
    const known = this.#ended.get(id);
    if (known?.started === file.started) return known;
    const { state, exit } = await stateOf(folder, file);
    const { verb, command, started } = file;
    const progress = (await endOfText(join(folder, jobFiles.progress), 1000)).trim();
    const result = exit === undefined ? undefined : await readResult(folder);
    const verdict = result?.verdict;
    const study = verb === "study serve" ? file.filled.study : result?.study?.study;
    const said = Array.isArray(verdict) ? verdict.join(" ") : verdict;
    const found: FoundJob = {
      folder,
      file,
      id,
      verb,
      command,
      state,
      started,
      ...(exit === undefined ? {} : { code: exit.code, ended: exit.ended }),
      ...(progress === "" ? {} : { progress }),
      ...(said === undefined ? {} : { verdict: said }),
      // As its page names it, however it was written.
      ...(typeof study === "string"
        ? { study: relative(this.#root, resolve(this.#root, study)).replaceAll(sep, "/") || "." }
        : {}),
    };
    if (exit !== undefined) this.#ended.set(id, found);
    return found;
  }

  async #verb(name: string) {
    return (await this.#starts.forms())
      .flatMap(({ verbs }) => verbs)
      .find((verb) => verb.name === name);
  }

  /** How the studio names a run of the folder; undefined for a hidden one, which its list leaves out. */
  #runId(run: string): string | undefined {
    const name = relative(this.#root, resolve(this.#root, run));
    return name === "" || name.startsWith(".") ? undefined : name.replaceAll(/[/\\]/g, "~");
  }
}

/** A job with its folder and what started it. */
interface FoundJob extends Job {
  readonly folder: string;
  readonly file: JobFile;
}
