/** Everything that touchstone keeps lies in this schema of the database. */
export const schemaName = "touchstone";

/** The newest addition to the tables: where it is there, all of them are. */
export const newestColumn = { table: "runs", column: "blobs" } as const;

/** Tells the advisory locks of living workers from anybody else's: the class of `pg_locks`. */
export const workerLocks = 0x746f7563;

/**
 * The tables of runs. `records.line` is the very text of a line of JSON; `places` has the order of
 * each finished step, so that putting one in order writes no record anew. `steps.last` counts what
 * was ever appended and hands out `seq`: its row is locked by whoever appends, so that whoever has
 * read up to a `seq` has read all below it. `runs.blobs` says where the run's images lie; null: in `blobs`.
 * `records` and `places` refer to their step without a constraint, which is checked row by row and took a third
 * of the time of an append; who appends holds the step's row anyhow. A step that goes takes them along.
 */
export const schemaText = `
create schema if not exists touchstone;
create table if not exists touchstone.runs (
  id int generated always as identity primary key,
  name text not null unique,
  recipe text not null,
  seal text not null,
  changed timestamptz not null default now(),
  blobs text
);
alter table touchstone.runs add column if not exists blobs text;
create table if not exists touchstone.steps (
  id int generated always as identity primary key,
  run int not null references touchstone.runs on delete cascade,
  name text not null,
  last bigint not null default 0,
  ordered bigint not null default 0,
  version int not null default 0,
  seal text,
  changed timestamptz not null default now(),
  unique (run, name)
);
create table if not exists touchstone.workers (
  id int generated always as identity primary key,
  run int not null references touchstone.runs on delete cascade,
  who text not null,
  command text,
  began timestamptz not null default now(),
  ended timestamptz,
  appended bigint not null default 0,
  traced bigint not null default 0
);
create index if not exists workers_at_work on touchstone.workers (run) where ended is null;
create table if not exists touchstone.records (
  step int not null,
  seq bigint not null,
  worker int not null,
  key uuid not null,
  attempt int not null,
  reason text,
  retryable boolean not null,
  forgotten boolean not null default false,
  line text not null,
  primary key (step, seq)
);
create table if not exists touchstone.places (
  step int not null,
  place int not null,
  seq bigint not null,
  primary key (step, place)
);
create or replace function touchstone.remove_lines_of_step() returns trigger language plpgsql as $$
begin
  delete from touchstone.records where step = old.id;
  delete from touchstone.places where step = old.id;
  return null;
end $$;
create or replace trigger remove_lines after delete on touchstone.steps
  for each row execute function touchstone.remove_lines_of_step();
create table if not exists touchstone.claims (
  step int not null references touchstone.steps on delete cascade,
  batch int not null,
  worker int not null,
  primary key (step, batch)
);
create table if not exists touchstone.traces (
  run int not null references touchstone.runs on delete cascade,
  worker int not null,
  seq bigint not null,
  entry text not null,
  primary key (run, worker, seq)
);
create table if not exists touchstone.blobs (
  run int not null references touchstone.runs on delete cascade,
  hash text not null,
  media_type text not null,
  bytes bytea,
  file text,
  primary key (run, hash)
);
create table if not exists touchstone.truths (
  run int not null references touchstone.runs on delete cascade,
  key uuid not null,
  truth text not null,
  primary key (run, key)
);
create table if not exists touchstone.paces (
  name text primary key,
  next timestamptz not null
);
create table if not exists touchstone.documents (
  place text not null,
  name text not null,
  text text not null,
  primary key (place, name)
);
`;
