import { PassThrough } from 'node:stream';
import { ResolvedSettings } from '../../../src/profiles/resolve.js';
import type { Flags, SettingsEnvironment } from '../../../src/profiles/settings/settings.js';
import { configPlace } from './config-place.js';

/** Where settings come from in a test; the profiles are written to a file of its own. */
export interface SettingsPlace {
  readonly flags?: Flags;
  readonly env?: SettingsEnvironment;
  /** The profile file's content; a string is written as it is. */
  readonly file?: unknown;
  readonly stderr?: PassThrough;
}

export async function settingsOf({
  flags = {},
  env = {},
  file,
  stderr,
}: SettingsPlace): Promise<ResolvedSettings> {
  const { store } = await configPlace(file);
  return new ResolvedSettings({
    flags,
    store,
    system: { env, stderr: stderr ?? new PassThrough() },
  });
}

/** What a promise is rejected with; fails the test when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
