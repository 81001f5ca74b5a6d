import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeConfigDirectory } from './write-profile-file.js';

/**
 * Keeps what must not be lost in a new file of mode 0600 beside the profiles, durably; returns its path.
 *
 * @throws what the file system says when it cannot
 */
export async function writeRecoveryFile(
  profilesPath: string,
  keyId: string,
  content: string,
): Promise<string> {
  const directory = dirname(profilesPath);
  await makeConfigDirectory(directory);
  const id = keyId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80);
  const path = join(directory, `recovered-${id}.json`);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}
