import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { z } from '../contract/schema.js';
import { ConfigError } from '../errors.js';
import type { Environment } from './settings.js';

/** What the process is asked, once. */
export type KeyringCall = { readonly service: string; readonly account: string } & (
  | { readonly call: 'read' | 'remove' }
  | { readonly call: 'write'; readonly secret: string }
);

/** What it answers: the secret that is in the keyring then, or what went wrong. */
export const keyringAnswerSchema = z.union([
  z.object({ value: z.nullable(z.string()) }),
  z.object({ error: z.string(), isMissing: z.boolean() }),
]);

const packageName = '@napi-rs/keyring';

// Without the store, the package falls back on Linux to one that is lost at the next start. A locked keyring reports
// no entry, but refuses to be written to: hence the writing before a removal. A second entry reads what the keyring
// has, whatever the first remembers.
const program = `
process.once('message', ({ service, account, call, secret }) => {
  let Entry;
  try {
    ({ Entry } = require(process.argv[1]));
  } catch (error) {
    return process.send({ error: error.message, isMissing: true });
  }
  const open = () => new Entry(service, account, { linux: { store: 'secret-service' } });
  try {
    const entry = open();
    if (call === 'write') entry.setPassword(secret);
    if (call === 'remove') {
      entry.setPassword('removed');
      entry.deletePassword();
    }
    process.send({ value: open().getPassword() });
  } catch (error) {
    process.send({ error: error.message, isMissing: false });
  }
});`;

/**
 * Starts a process that answers one `KeyringCall` by one `KeyringAnswer`; the secret goes through their channel only.
 *
 * @throws ConfigError when the package is not installed
 */
export function startKeyringProcess(env: Environment): ChildProcess {
  return fork(installed(), [], {
    env: { ...env },
    execArgv: ['-e', program],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** The error when the package, or its binary for this machine, cannot be loaded. */
export function missingPackage(cause: unknown): ConfigError {
  return new ConfigError(
    `the keyring cannot be used: the package ${packageName} is missing or does not fit this machine`,
    {
      hint: `install it: npm install ${packageName}, or orgctl again with its optional packages`,
      cause,
    },
  );
}

function installed(): string {
  try {
    return createRequire(import.meta.url).resolve(packageName);
  } catch (cause) {
    throw missingPackage(cause);
  }
}
