#!/usr/bin/env node
// CommonJS (bin/package.json), because Node's loader of ES modules would take longer than `--version` takes altogether.
'use strict';
const { readFileSync } = require('node:fs');
const { endProcess, run, toSystem } = require('../dist/cli/main.cjs');

/** A prepared help page; if it is missing or unreadable, the command line makes the help. */
function readHelp(name) {
  try {
    return readFileSync(`${__dirname}/../dist/help/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

run(toSystem(process), () => require('../dist/cli/command-line.cjs'), readHelp).then((exitCode) =>
  endProcess(process, exitCode),
);
