import { type RawBuilder, sql } from 'kysely';
import { shownConfig } from '../../api/resources/connection.js';
import { resourceSchema } from '../../api/resources/resource.js';
import { parseJson, printJson } from '../../text/exact-json.js';
import type { Cipher } from '../database/cipher.js';
import type { StoredBytes } from '../database/tables.js';

type Config = Readonly<Record<string, unknown>>;

/** Bytes at the start of sealed settings that no other sealed value has: its nonce and its tag. */
const markLength = 28;

/** The mark of a row's settings, as a query has it. */
export const markOfConfig: RawBuilder<StoredBytes> = sql`substr(config, 1, ${sql.lit(markLength)})`;

/** The mark of sealed settings. */
export function computeMark(sealed: StoredBytes): Buffer {
  return toBuffer(sealed).subarray(0, markLength);
}

/**
 * Seals what is shown of settings. It is bound to the settings as they are sealed: a server of an older version, which
 * changes them and knows nothing of this copy, makes it unreadable by that instead of wrong.
 */
export function sealShown(cipher: Cipher, id: string, config: Config, sealed: StoredBytes): Buffer {
  return cipher.seal(printJson(shownConfig(config)), shownData(id, computeMark(sealed)));
}

/** What is shown of settings; `undefined` where it is none of the settings with this mark, so that these have to be read. */
export function openShown(
  cipher: Cipher,
  id: string,
  shown: StoredBytes,
  mark: StoredBytes,
): Config | undefined {
  try {
    // An older version may have shown more.
    return shownConfig(resourceSchema.parse(parseJson(cipher.open(shown, shownData(id, toBuffer(mark))))));
  } catch {
    return undefined;
  }
}

function shownData(id: string, mark: Buffer): string {
  return `connections.shown ${id} ${mark.toString('hex')}`;
}

function toBuffer(bytes: StoredBytes): Buffer {
  return bytes instanceof ArrayBuffer
    ? Buffer.from(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
