import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ScriptLoader } from '../../src/cli/start/script-loader.js';
import { toSystem } from '../../src/terminal/process/process-system.js';

// The executable's Node.js must run this, because V8 accepts only code that the same version compiled. Compiled code has
// the functions that ran. Therefore this runs the command line as a server, which starts this file again as a client.

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

// Each command line adds listeners to the streams of this process.
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
    // After an unnoticed failure, the executable would compile missing code at each start.
    if (role === 'server' && exitCode !== 0) throw new Error(`${way} ended with ${exitCode}`);
  }
  // Loads the other files, too, so that V8 compiles at least the code that runs when they are loaded.
  if (role === 'server')
    for (const name of readdirSync(directory)) if (name.endsWith('.cjs')) loader.load(name);
  for (const [name, { code }] of loader.compiled()) keepLarger(join(output, `${name}.code`), code);
}

/** Server and client load some of the same files; keeps the code of the process that ran more of a file. */
function keepLarger(path: string, code: Buffer): void {
  if (!existsSync(path) || statSync(path).size < code.length) writeFileSync(path, code);
}

main().catch((error: unknown) => {
  process.exitCode = 1;
  throw error;
});
