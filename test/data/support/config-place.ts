import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ProfileStore, profileStore } from '../../../src/profiles/file/store.js';

/** A configuration directory of its own for one test, and the store that keeps profiles in it. */
export interface ConfigPlace {
  readonly directory: string;
  /** The profile file; it is there once something was stored. */
  readonly file: string;
  readonly store: ProfileStore;
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'orgctl-profiles-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** @param content what the profile file holds at first: bytes as they are, else as JSON */
export async function configPlace(content?: unknown): Promise<ConfigPlace> {
  const directory = await temporaryDirectory();
  const file = join(directory, 'profiles.json');
  if (content !== undefined) {
    const raw = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(file, raw ? content : JSON.stringify(content), { mode: 0o600 });
  }
  return { directory, file, store: storeAt(directory) };
}

export function storeAt(directory: string): ProfileStore {
  return profileStore({
    env: { ORGCTL_CONFIG_DIR: directory },
    platform: process.platform,
    homedir: '/nowhere',
  });
}
