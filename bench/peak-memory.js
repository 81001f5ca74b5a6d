// Loaded before a program with `--import`. When the program exits, writes its peak memory in kilobytes to a file.
import { readFileSync, writeFileSync } from 'node:fs';

/** On Linux, `maxRSS` includes the peak of the process that spawned this one; VmHWM starts at zero. */
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}

process.on('exit', () => writeFileSync(process.env.ORGCTL_BENCH_PEAK, String(peak())));
