import { join } from 'node:path';
import { z } from '../../api/schema/schema.js';
import { readIfThere, writePrivately } from './private-file.js';

/** The file of the data directory with what lets a page reconnect after a restart. */
export const sessionsName = 'console-sessions.json';

const renewalSchema = z.strictObject({
  /** SHA-256 of the page's renewal token, in hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Until when it is valid: milliseconds since the epoch, by the machine's clock. */
  until: z.number(),
});
const renewalsSchema = z.array(renewalSchema).check(z.maxLength(1000));
export type Renewal = z.infer<typeof renewalSchema>;

/** Where renewals outlive the server. */
export interface StoredSessions {
  read(): Promise<readonly Renewal[]>;
  write(renewals: readonly Renewal[]): Promise<void>;
}

/** Those of a data directory. A damaged file counts as none: its pages need a fresh link. */
export function storeSessions(directory: string): StoredSessions {
  const path = join(directory, sessionsName);
  return {
    async read() {
      const text = await readIfThere(path, 'secret');
      try {
        return renewalsSchema.parse(JSON.parse(text ?? '[]'));
      } catch {
        return [];
      }
    },
    write: (renewals) => writePrivately(path, `${JSON.stringify(renewals)}\n`),
  };
}
