import type { StudyService } from "../../src/studies/server/study-service.js";

/**
 * Somebody new joins a study, by an outside id or else by invitation, and answers until nothing is
 * left. Returns their session.
 */
export async function answerStudy(
  service: StudyService,
  {
    id,
    answer,
  }: {
    readonly id?: string;
    /** `look` gives the bytes of an image by the name that it is shown under. */
    readonly answer: (
      item: Readonly<Record<string, unknown>>,
      look: (name: string) => Promise<Uint8Array>,
    ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  },
): Promise<{ readonly participant: string; readonly session: string }> {
  const { participant, session } = await service.join(
    id === undefined
      ? { invite: service.tokens.newInvitation() }
      : { external: { source: "test", id } },
  );
  const { version } = service.home.study.consent;
  await service.consent(session, { version, agreed: true });
  const look = async (name: string) => (await service.image(session, name)).bytes;
  for (;;) {
    const next = await service.next(session);
    if (next === undefined) return { participant, session };
    await service.answer(session, {
      assignment: next.assignment,
      answer: await answer(next.item, look),
      milliseconds: 1500,
    });
  }
}
