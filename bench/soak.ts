/**
 * Shows whether a server's memory grows during an hour of load. Creates connections and reads quotas; prints, for each
 * minute, the rates, the memory and the size of the database files, which grow with the stored connections.
 *
 *   npm run bench:soak -- [--minutes N] [--json]
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readNumbers } from './command-line.js';
import { type Service, withService } from './service.js';
import { createConnection, readQuotas, residentMegabytes, serviceUnderLoad } from './under-load.js';

interface Minute {
  readonly minute: number;
  readonly created: number;
  readonly postsPerSecond: number;
  readonly getsPerSecond: number;
  /** In megabytes (2^20 bytes), as `files`. */
  readonly memory: number;
  readonly files: number;
}

const { numbers, json } = readNumbers({ minutes: 60 });

await withService(['--quota', 'connections=1000000000'], async (service) => {
  let created = 0;
  const minutes: Minute[] = [];
  for (let minute = 1; minute <= numbers.minutes; minute += 1) {
    const posts = await serviceUnderLoad(service, createConnection, 10, 8);
    const gets = await serviceUnderLoad(service, readQuotas, 45, 8);
    created += posts.requests;
    const now: Minute = {
      minute,
      created,
      postsPerSecond: posts.rate,
      getsPerSecond: gets.rate,
      memory: residentMegabytes(service.pid),
      files: await megabytesOfFiles(service),
    };
    minutes.push(now);
    if (!json) console.log(toText(now));
  }
  if (json) console.log(JSON.stringify({ node: process.version, minutes }, null, 2));
  else console.log(growth(minutes));
});

async function megabytesOfFiles({ data }: Service): Promise<number> {
  const names = (await readdir(data)).filter((name) => name.startsWith('orgctl.db'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(data, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
}

function toText({ minute, created, postsPerSecond, getsPerSecond, memory, files }: Minute): string {
  const rates = `${postsPerSecond.toFixed(0)} POSTs/s, ${getsPerSecond.toFixed(0)} GETs/s`;
  return `${minute} min: ${created} created, ${rates}, memory ${memory.toFixed(1)} MB, files ${files.toFixed(1)} MB`;
}

/** Growth after the first minute, which includes warming up. */
function growth(minutes: readonly Minute[]): string {
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (first === undefined || last === undefined || first === last) return '';
  const bytes = ((last.files - first.files) * 2 ** 20) / (last.created - first.created);
  return `memory grew by ${(last.memory - first.memory).toFixed(1)} MB, the files by ${bytes.toFixed(0)} bytes per connection`;
}
