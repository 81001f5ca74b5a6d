#!/usr/bin/env node
// CommonJS, as bin/package.json says: Node's loader of ES modules would take longer than all of `--version`.
'use strict';
const { readFileSync } = require('node:fs');
const { endProcess, run, toSystem } = require('../dist/cli/main.cjs');

let build;

function load() {
  const { openBuild } = require('../dist/cli/build.cjs');
  build = openBuild({ directory: `${__dirname}/../dist/cli`, system: process, require });
  return build.load('command-line.cjs');
}

/** What is not there, or cannot be read, is made by the command line. */
function readHelp(name) {
  try {
    return readFileSync(`${__dirname}/../dist/help/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

run(toSystem(process), load, readHelp).then((exitCode) => {
  build?.remember();
  endProcess(process, exitCode);
});
