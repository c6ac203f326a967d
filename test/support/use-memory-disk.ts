const folder = process.env.TOUCHSTONE_TESTS_FOLDER;
if (folder !== undefined) process.env.TMPDIR = folder;
