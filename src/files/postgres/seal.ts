import type { Database } from "./database.js";

/** Who asks: a database, or a client within a transaction. */
interface Asked {
  rows<Answer extends object>(text: string, values: number[]): Promise<Answer[]>;
}

/**
 * The seal of a step that was put in order: the SHA-256 of the SHA-256 of each line, in order. The
 * database makes it, so no line leaves it; it holds 32 bytes a record while it does.
 */
export async function sealOf(
  asked: Asked | Database,
  step: number,
): Promise<{ readonly seal: string; readonly records: number }> {
  const [found] = await asked.rows<{ seal: string | null; records: number }>(
    `select count(*) as records,
       encode(sha256(string_agg(sha256(convert_to(r.line, 'UTF8')), ''::bytea order by p.place)), 'hex') as seal
     from touchstone.places p cross join lateral
       (select line from touchstone.records where step = p.step and seq = p.seq offset 0) r
     where p.step = $1`,
    [step],
  );
  return { seal: found?.seal ?? "", records: found?.records ?? 0 };
}
