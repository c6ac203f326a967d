-- The rights of a worker: it reads and writes rows of touchstone's tables, and makes or drops none.
-- The owner of the database makes the tables by any command with --store that writes a run, then:
--   psql -v role=worker -f deploy/worker-role.sql DATABASE
grant usage on schema touchstone to :"role";
grant select, insert, update, delete on all tables in schema touchstone to :"role";
