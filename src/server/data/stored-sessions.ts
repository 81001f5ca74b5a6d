import { join } from 'node:path';
import { z } from '../../api/schema/schema.js';
import { readIfThere, writePrivately } from './private-file.js';

/** A file in the data directory; lets the console's pages reconnect after a restart. */
const sessionsName = 'console-sessions.json';

const renewalSchema = z.strictObject({
  /** SHA-256 of the page's renewal token, in hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Milliseconds since the epoch, by the machine's clock. */
  until: z.number(),
});
const renewalsSchema = z.array(renewalSchema).check(z.maxLength(1000));
export type Renewal = z.infer<typeof renewalSchema>;

export interface StoredSessions {
  read(): Promise<readonly Renewal[]>;
  write(renewals: readonly Renewal[]): Promise<void>;
}

/** Stores renewals in a data directory. Ignores a damaged file: pages then need a new link. */
export function storeSessions(directory: string): StoredSessions {
  const path = join(directory, sessionsName);
  return {
    async read() {
      const text = readIfThere(path, 'secret');
      try {
        return renewalsSchema.parse(JSON.parse(text ?? '[]'));
      } catch {
        return [];
      }
    },
    write: (renewals) => writePrivately(path, `${JSON.stringify(renewals)}\n`),
  };
}
