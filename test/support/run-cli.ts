import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/main.js';
import type { System } from '../../src/terminal/process/system.js';
import { type MemorySystem, type MemorySystemOptions, memorySystem } from './memory-system.js';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A directory for one test. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'orgctl-test-'));
}

/** An environment without the developer's own settings. */
export function emptyEnvironment(): Record<string, string> {
  const directory = temporaryDirectory();
  return { ORGCTL_CONFIG_DIR: join(directory, 'config'), XDG_DATA_HOME: join(directory, 'data') };
}

/** An environment with a profile file: text, or JSON from a value. */
export function withProfileFile(content: unknown): Record<string, string> {
  const env = emptyEnvironment();
  const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
  mkdirSync(directory, { mode: 0o700 });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(directory, 'profiles.json'), text, { mode: 0o600 });
  return env;
}

/** The whole tool, as `bin/orgctl.js` runs it; with ORGCTL_TEST_BUILT=1 the built one. */
export function runMain(system: System): Promise<number> {
  if (process.env['ORGCTL_TEST_BUILT'] !== '1') return run(system, () => import('../../src/command-line.js'));
  const load = createRequire(join(import.meta.dirname, '../../dist/cli/main.cjs'));
  const { run: runBuilt }: typeof import('../../src/main.js') = load('./main.cjs');
  return runBuilt(system, () => load('./command-line.cjs'));
}

/** Starts a command line in this process; `system` can type, send signals and close stdout while it runs. */
export function startCli(
  args: readonly string[],
  options: Omit<MemorySystemOptions, 'argv'> = {},
): { readonly system: MemorySystem; readonly ended: Promise<Ended> } {
  const system = memorySystem({ env: emptyEnvironment(), ...options, argv: args });
  const ended = runMain(system).then((code) => ({
    code,
    stdout: system.stdoutText(),
    stderr: system.stderrText(),
  }));
  return { system, ended };
}

/** Runs a command line in this process to its end. */
export function runCli(
  args: readonly string[],
  options: Omit<MemorySystemOptions, 'argv'> = {},
): Promise<Ended> {
  return startCli(args, options).ended;
}

/** The `error` of the JSON line on stderr. */
export function errorOf({ stderr }: Ended): Record<string, unknown> {
  const line: unknown = JSON.parse(stderr);
  if (typeof line === 'object' && line !== null && 'error' in line) {
    return Object.fromEntries(Object.entries(line.error ?? {}));
  }
  throw new Error(`no error line: ${stderr}`);
}
