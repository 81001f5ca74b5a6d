#!/usr/bin/env node
// CommonJS, as bin/package.json says: Node's loader of ES modules would take longer than all of `--version`.
'use strict';
const { endProcess, run, systemOf } = require('../dist/cli/main.cjs');

let build;

function load() {
  const { openBuild } = require('../dist/cli/build.cjs');
  build = openBuild({ directory: `${__dirname}/../dist/cli`, system: process, require });
  return build.load('command-line.cjs');
}

run(systemOf(process), load).then((exitCode) => {
  build?.remember();
  endProcess(process, exitCode);
});
