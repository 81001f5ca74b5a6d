import { ConfigError, describeFileError } from '../../errors/errors.js';
import { readIfThere } from './private-file.js';

export interface KnownKey {
  readonly key: Buffer;
  readonly source: string;
}

export const keyMakingHint = 'make one with: node -p "crypto.randomBytes(32).toString(\'hex\')"';

const usedKeyHint = `set it to the key that encrypted the data; for new data, ${keyMakingHint}`;

/** @throws ConfigError, naming only the source, unless the text is 64 hexadecimal characters */
export function decodeMasterKey(text: string, source: string, hint = usedKeyHint): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  throw new ConfigError(`${source} is not 64 hexadecimal characters`, { hint });
}

/** `undefined` if there is no file. @throws ConfigError if it is unreadable or malformed */
export function readMasterKey(path: string): Buffer | undefined {
  const stored = readStored(path);
  // A new key would not open the data.
  const hint = 'restore the file from a backup, or copy it from another server of the same database';
  return stored === undefined ? undefined : decodeMasterKey(stored.trim(), path, hint);
}

function readStored(path: string): string | undefined {
  try {
    return readIfThere(path, 'secret');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path} cannot be read: ${describeFileError(error)}`, { cause: error });
  }
}

export function masterKeyText(key: Uint8Array): string {
  return `${Buffer.from(key).toString('hex')}\n`;
}
