-- The rights of a study's server: it reads and writes rows of studies, and makes or drops no table. Runs it can't read.
-- The owner of the database makes the tables by study create or study copy with --store, then:
--   psql -v role=study -f deploy/study-role.sql DATABASE
-- Only the owner frees pages of people who were erased (study erase prints the statement).
grant usage on schema touchstone to :"role";
grant select, update on touchstone.logs to :"role";
grant select, insert, update, delete on
  touchstone.log_texts, touchstone.log_blobs, touchstone.log_entries, touchstone.log_asides to :"role";
