import { type RawBuilder, sql } from 'kysely';
import { shownConfig } from '../../api/resources/connection.js';
import { resourceSchema } from '../../api/resources/resource.js';
import { parseJson, printJson } from '../../text/exact-json.js';
import type { Cipher } from '../database/cipher.js';
import type { StoredBytes } from '../database/tables.js';

type Config = Readonly<Record<string, unknown>>;

/** Bytes of nonce and tag, which together identify a sealed value. */
const markLength = 28;

export const markOfConfig: RawBuilder<StoredBytes> = sql`substr(config, 1, ${sql.lit(markLength)})`;

export function computeMark(sealed: StoredBytes): Buffer {
  return toBuffer(sealed).subarray(0, markLength);
}

/** Seals a copy that opens only with its sealed `config`: if an older server changes `config`, no outdated copy is shown. */
export function sealShown(cipher: Cipher, id: string, config: Config, sealed: StoredBytes): Buffer {
  return cipher.seal(printJson(shownConfig(config)), shownData(id, computeMark(sealed)));
}

/** Opens a copy of `sealShown`; `undefined` if it is unreadable, usually because `config` has changed since. */
export function openShown(
  cipher: Cipher,
  id: string,
  shown: StoredBytes,
  mark: StoredBytes,
): Config | undefined {
  try {
    // An older version may have shown more fields.
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
