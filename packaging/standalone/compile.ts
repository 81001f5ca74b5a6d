import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ScriptLoader } from '../../src/cli/start/script-loader.js';
import { toSystem } from '../../src/terminal/process/process-system.js';

// Run by the Node.js that goes into the executable, whose V8 alone takes what it compiled. Compiled code has the functions
// that ran: so this runs the command line, as a server and, started by that one as its command, as a client.

const ways: Readonly<Record<string, readonly string[]>> = {
  client: [
    '--help',
    'quotas',
    'quotas --help',
    'quotas -o json --query connections.remaining',
    'connections list -o csv',
    'api-keys list -o json',
    'teams create --name one',
    'teams list',
    'request GET /quotas',
    'sign GET /quotas',
    'whoami',
    'profile list',
    'teams get none',
    'quotas --nothing',
  ],
  server: ['serve -q --'],
};

// Each command line listens to the streams of the one process that all of them run in.
process.stderr.setMaxListeners(0);
process.stdout.setMaxListeners(0);

const [role = '', directory = '', output = ''] = process.argv.slice(2);
const loader = new ScriptLoader(directory, createRequire(__filename), () => undefined);

async function main(): Promise<void> {
  const { runCommandLine } = loader.load('command-line.cjs') as typeof import('../../src/command-line.js');
  const command = role === 'server' ? [process.execPath, __filename, 'client', directory, output] : [];
  for (const way of ways[role] ?? []) {
    const args = [...way.split(' '), ...command];
    const system = { ...toSystem(process), argv: [process.execPath, __filename, ...args] };
    const exitCode = await runCommandLine(system, args);
    // What fails here would be compiled at every start, and nobody would notice.
    if (role === 'server' && exitCode !== 0) throw new Error(`${way} ended with ${exitCode}`);
  }
  // What no way leads through is compiled all the same, as far as V8 does without running it.
  if (role === 'server')
    for (const name of readdirSync(directory)) if (name.endsWith('.cjs')) loader.load(name);
  for (const [name, { code }] of loader.compiled()) keepLarger(join(output, `${name}.code`), code);
}

/** Both processes load some of the files; the one that ran more of them has more. */
function keepLarger(path: string, code: Buffer): void {
  if (!existsSync(path) || statSync(path).size < code.length) writeFileSync(path, code);
}

main().catch((error: unknown) => {
  process.exitCode = 1;
  throw error;
});
