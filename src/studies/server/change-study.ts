import type { StudyHome } from "../home/study-home.js";
import type { Served } from "./served-study.js";

/**
 * Changes a study: by asking the process that serves it, or `here` where none does. No server begins while this
 * process is at work `here`.
 *
 * @throws InputError where another process holds the study and can't be asked yet.
 */
export async function changeStudy<Result>(
  home: StudyHome,
  { asked, here }: { asked(served: Served): Promise<Result>; readonly here: () => Promise<Result> },
): Promise<Result> {
  const served = await home.soleServer();
  if (served !== undefined) return asked(served);
  await home.beginServing();
  try {
    return await here();
  } finally {
    await home.endServing();
  }
}
