import fs, { readdirSync, readlinkSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

export interface Synced {
  readonly path: string;
  /** What a directory held when it was synced. */
  readonly names: readonly string[];
}

/** Notes what is synced from now on, by the names that Linux has for open files. */
export function watchSyncs(): Synced[] {
  const synced: Synced[] = [];
  const note = (descriptor: number) => {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    synced.push({ path, names: statSync(path).isDirectory() ? readdirSync(path) : [] });
  };
  const { fsync, fsyncSync } = fs;
  vi.spyOn(fs, 'fsync').mockImplementation((descriptor, done) =>
    fsync(descriptor, (error) => {
      if (error === null) note(descriptor);
      done(error);
    }),
  );
  // What conf writes by; it takes the function when it is loaded.
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    fsyncSync(descriptor);
    note(descriptor);
  });
  syncBuiltinESMExports();
  return synced;
}
