#!/usr/bin/env node
// CommonJS, as bin/package.json says: Node's loader of ES modules would take longer than all of `--version`.
'use strict';
const { join } = require('node:path');
const { openBuild, run, systemOf } = require('../dist/cli/main.cjs');

const build = openBuild({ directory: join(__dirname, '..', 'dist', 'cli'), system: process, require });
run(systemOf(process), () => build.load('command-line.cjs')).then((exitCode) => {
  process.exitCode = exitCode;
  build.remember();
});
