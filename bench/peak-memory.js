// Loaded before a program by `--import`: when that ends, it writes the most memory it had, in kilobytes, to a file.
import { readFileSync, writeFileSync } from 'node:fs';

/** Linux counts in `maxRSS` what the process that spawned this one had; the kernel's own note starts at zero. */
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}

process.on('exit', () => writeFileSync(process.env.ORGCTL_BENCH_PEAK, String(peak())));
