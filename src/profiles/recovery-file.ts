import { dirname, join } from 'node:path';
import { replacePrivately } from '../files/durable-file.js';
import { makeConfigDirectory } from './write-profile-file.js';

/**
 * Keeps what must not be lost in a file of mode 0600 beside the profiles, durably; returns its path.
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
  await replacePrivately(path, content);
  return path;
}
