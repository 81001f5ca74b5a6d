import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { createPrivately, followLinks, syncParentDirectory } from '../../platform/durable-file.js';
import { showPath } from '../../platform/home-directory.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { readPrivate } from '../../platform/own-file.js';
import { ownNames } from './permissions.js';
import type { ProfileFile } from './profile-file.js';

export async function makeConfigDirectory(path: string): Promise<void> {
  try {
    makeDirectory(path);
  } catch (error) {
    throw profileWriteError(path, error);
  }
}

/** Saves irreplaceable data durably in a private file; returns its path. @throws ConfigError or a file system error */
export async function writeRecoveryFile(
  profilesPath: string,
  { name, extension = 'json' }: { readonly name: string; readonly extension?: string },
  content: string | Buffer,
): Promise<string> {
  const directory = dirname(profilesPath);
  await makeConfigDirectory(directory);
  const base = join(directory, `${ownNames.recovery}${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)}`);
  const path = `${base}.${extension}`;
  const other = `${base}-${randomBytes(4).toString('hex')}.${extension}`;
  // Never replaces a file that an earlier run wrote.
  const taken = await createPrivately(path, content).then(
    () => path,
    async (error: unknown) => {
      if (readSystemCode(error) !== 'EEXIST') throw error;
      if (await hasPrivateContent(path, content)) return path;
      await createPrivately(other, content);
      return other;
    },
  );
  await syncParentDirectory(taken);
  return taken;
}

/** More than a recovery file usually has. */
const trialBytes = 4096;
const trialName = new RegExp(`^${ownNames.recovery}[0-9a-f]{16}\\.trial$`);

/** Checks that `writeRecoveryFile` can write, by writing a file and removing it. @throws as `writeRecoveryFile` */
export async function assertRecoverable(profilesPath: string): Promise<void> {
  const directory = dirname(profilesPath);
  await makeConfigDirectory(directory);
  const path = join(directory, `${ownNames.recovery}${randomBytes(8).toString('hex')}.trial`);
  try {
    await createPrivately(path, Buffer.alloc(trialBytes));
  } finally {
    await rm(path, { force: true });
    await removeTrials(directory).catch(() => undefined);
  }
}

/** Removes what killed processes left. Does not disturb other processes, which need only the open file. */
async function removeTrials(directory: string): Promise<void> {
  const found = await readdir(directory, { withFileTypes: true });
  const trials = found.filter((each) => each.isFile() && trialName.test(each.name));
  await Promise.all(trials.map(({ name }) => rm(join(directory, name), { force: true })));
}

async function hasPrivateContent(path: string, content: string | Buffer): Promise<boolean> {
  const found = await readPrivate(path, Buffer.byteLength(content)).catch(() => undefined);
  return found?.problem === undefined && found?.text === content.toString();
}

export type WriteProfileFile = (path: string, file: ProfileFile) => Promise<void>;

/**
 * Slow, because it loads a library: call it before taking the lock. The returned function replaces the file atomically
 * and durably with a private one (0600). @throws ConfigError
 */
export async function openProfileWriter(): Promise<WriteProfileFile> {
  const { default: Conf } = await import('conf');
  return async (path, file) => {
    const target = await followLinks(path)
      .then(async (found) => {
        await replace(Conf, found, `${found}.new`, file);
        return found;
      })
      .catch((error: unknown) => {
        throw profileWriteError(path, error);
      });
    await syncParentDirectory(target).catch((error: unknown) => {
      throw unsyncedError(path, error);
    });
  };
}

// If SNAP is set, conf writes in place with the old mode. Therefore conf gets a private directory (0700) to write to.
async function replace(
  Conf: typeof import('conf').default,
  target: string,
  beside: string,
  file: ProfileFile,
): Promise<void> {
  await removeAll(beside);
  const own = await mkdtemp(`${beside}${temporaryEnding}`);
  const written = join(own, basename(target));
  try {
    const conf = new Conf<ProfileFile>({
      cwd: own,
      configName: basename(written),
      fileExtension: '',
      configFileMode: 0o600,
      serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
    });
    conf.store = file;
    const { problem } = await readPrivate(written, Number.POSITIVE_INFINITY);
    if (problem !== undefined) throw new Error(`secrets cannot be stored on this file system: ${problem}`);
    await rename(written, target);
  } finally {
    // The next write tries again.
    await rm(own, { recursive: true, force: true }).catch(() => undefined);
  }
}

const temporaryEnding = '.tmp-';

/** Removes temporary files that killed processes left, because they contain secrets. */
async function removeAll(beside: string): Promise<void> {
  const directory = dirname(beside);
  const own = `${basename(beside)}${temporaryEnding}`;
  const left = (await readdir(directory)).filter((name) => name.startsWith(own));
  await rm(beside, { force: true });
  await Promise.all(left.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}

function profileWriteError(path: string, cause: unknown): ConfigError {
  const otherwise = 'check the directory and its permissions, or set ORGCTL_CONFIG_DIR to another one';
  return new ConfigError(`${showPath(path)} cannot be written: ${describeFileError(cause)}`, {
    hint: `${adviseWriting(cause, otherwise).hint}; the profiles are unchanged`,
    cause,
  });
}

function unsyncedError(path: string, cause: unknown): ConfigError {
  return new ConfigError(
    `${path} was changed, but may be lost in a power failure: ${describeFileError(cause)}`,
    {
      hint: 'check the disk; to see what is stored',
      next: ['orgctl', 'profile', 'list'],
      cause,
    },
  );
}
