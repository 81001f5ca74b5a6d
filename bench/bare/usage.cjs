// Required before a program, on Linux: its last line on stderr has its CPU time (ms) and peak memory (MB).
const { readFileSync, writeSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  // Not `maxRSS`, which includes the peak of the process that spawned this one.
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  writeSync(2, `\n${JSON.stringify({ 'ms CPU': (user + system) / 1000, 'MB peak': kilobytes / 1024 })}`);
});
