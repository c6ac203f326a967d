import { taskForm } from "../how-joined.js";
import type { Finished, StudyIntroduction } from "../study-client.js";
import { useWords } from "../words/words.js";
import { EraseAnswers } from "./erase-answers.js";
import { KeepCopy } from "./keep-copy.js";
import { Paragraphs } from "./paragraphs.js";

export type EndKind = "finished" | "declined" | "left" | "erased" | "refused";

/** Where it ends, however that came: thanks, what was withheld, the code or the way back, and erasure. */
export function End({
  kind,
  study,
  participant,
  finished = {},
  message,
  isInFile,
  onErase,
}: {
  readonly kind: EndKind;
  /** Not known of who could not join. */
  readonly study: StudyIntroduction | undefined;
  readonly participant: string | undefined;
  readonly finished?: Finished | undefined;
  readonly message?: string | undefined;
  readonly isInFile: boolean;
  readonly onErase: () => void;
}) {
  const words = useWords();
  const { code, redirect, debrief, generated, canErase } = finished;
  const task = code === undefined ? undefined : taskForm(location, code);
  const sentence = {
    finished: words.finished,
    declined: words.declined,
    left: `${words.left} ${words.leaveKept}`,
    erased: `${words.left} ${words.leaveErased}`,
    refused: message ?? "",
  }[kind];
  return (
    <main>
      <p className="lead" role="status">
        {sentence}
      </p>
      {code !== undefined && (
        <p>
          {words.code}: <b className="code">{code}</b>
        </p>
      )}
      {task !== undefined && (
        <form method="post" action={task.action}>
          {Object.entries(task.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button className="main" type="submit">
            {words.redirect}
          </button>
        </form>
      )}
      {redirect !== undefined && (
        <p>
          <a className="main" href={redirect}>
            {words.redirect}
          </a>
        </p>
      )}
      {generated === true && debrief !== words.generated && <p>{words.generated}</p>}
      {typeof debrief === "string" && (
        <section className="prose">
          <h2>{words.debrief}</h2>
          <Paragraphs text={debrief} />
        </section>
      )}
      {canErase === true && (
        <>
          {study !== undefined && <KeepCopy study={study} participant={participant} />}
          <p>
            <EraseAnswers isInFile={isInFile} erase={onErase} />
          </p>
        </>
      )}
    </main>
  );
}
