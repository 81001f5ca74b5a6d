import { type RunningServer, startServer } from '../../../src/server/index.js';
import { Caller } from '../../server/support/caller.js';

const lists = ['connections', 'teams', 'api-keys'];
const targets = [
  ...lists.flatMap((kind) => [1, 2].map((page) => `/${kind}?limit=100&page=${page}`)),
  '/quotas',
];

/** What a server on some data answers, or why there is none: one line of JSON for each directory that is named. */
async function read(data: string): Promise<unknown> {
  const log: string[] = [];
  let server: RunningServer | undefined;
  try {
    server = await startServer({
      data,
      http: true,
      logged: 'refused',
      onLog: (entry) => void (entry.event === 'error' && log.push(entry.message)),
    });
    const caller = new Caller(server);
    const answers: Record<string, unknown> = {};
    for (const target of targets) {
      // One that breaks off in the middle was begun before the damage was seen.
      const { status, json } = await caller.send('GET', target).catch(() => ({ status: 503, json: null }));
      answers[target] = { status, json };
    }
    return { answers, log };
  } catch (error) {
    return { refused: error instanceof Error ? error.name : '', message: String(error) };
  } finally {
    await server?.close();
  }
}

for (const data of process.argv.slice(2)) process.stdout.write(`${JSON.stringify(await read(data))}\n`);
