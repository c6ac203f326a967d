-- The rights of a worker: it reads and writes rows of runs, and makes or drops no table. Studies it can't read.
-- The owner of the database makes the tables by any command with --store that writes a run, then:
--   psql -v role=worker -f deploy/worker-role.sql DATABASE
grant usage on schema touchstone to :"role";
grant select, insert, update, delete on
  touchstone.runs, touchstone.steps, touchstone.workers, touchstone.records, touchstone.places,
  touchstone.claims, touchstone.traces, touchstone.blobs, touchstone.truths, touchstone.paces,
  touchstone.documents to :"role";
