/** Everything that touchstone keeps lies in this schema of the database. */
export const schemaName = "touchstone";

/**
 * The tables of shared logs, such as studies. `logs.last` hands out `seq`: its row is locked by whoever has the turn, so that
 * whoever has read up to a `seq` has read all below it.
 */
export const logSchemaText = `
create schema if not exists touchstone;
create table if not exists touchstone.logs (
  id int generated always as identity primary key,
  name text not null unique,
  last bigint not null default 0
);
create table if not exists touchstone.log_texts (
  log int not null references touchstone.logs on delete cascade,
  name text not null,
  text text not null,
  primary key (log, name)
);
create table if not exists touchstone.log_blobs (
  log int not null references touchstone.logs on delete cascade,
  hash text not null,
  media_type text not null,
  bytes bytea not null,
  primary key (log, hash)
);
create table if not exists touchstone.log_entries (
  log int not null references touchstone.logs on delete cascade,
  seq bigint not null,
  owner text,
  text text not null,
  primary key (log, seq)
);
create index if not exists log_owners on touchstone.log_entries (log, owner);
create table if not exists touchstone.log_asides (
  log int not null,
  seq bigint not null,
  text text not null,
  primary key (log, seq),
  foreign key (log, seq) references touchstone.log_entries on delete cascade
);
`;

/** Where entries lie that may be removed. */
export const logTables = ["touchstone.log_entries", "touchstone.log_asides"] as const;
