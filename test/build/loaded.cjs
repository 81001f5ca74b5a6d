// Loaded before the tool by `--require`: at its end it writes what was read of the build, and which of Node's own
// modules were loaded, to the file that ORGCTL_TEST_LOADED names.
const fs = require('node:fs');
const { basename, dirname, join } = require('node:path');

const build = join(__dirname, '..', '..', 'dist', 'cli');
const before = new Set(process.moduleLoadList);
const read = fs.readFileSync;
const files = [];

fs.readFileSync = (path, ...rest) => {
  if (dirname(String(path)) === build) files.push(basename(String(path)));
  return read(path, ...rest);
};

process.on('exit', () => {
  const modules = process.moduleLoadList.filter((name) => !before.has(name));
  fs.writeFileSync(process.env.ORGCTL_TEST_LOADED, JSON.stringify({ files, modules }));
});
