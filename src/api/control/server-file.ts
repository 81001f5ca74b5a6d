import { z } from '../schema/schema.js';

/** File with the control API's address and token, in a data directory that only one server uses. */
export const serverFileName = 'server.json';

export const serverLogName = 'serve.log';

/** Directory of files like `serverFileName`, one for each server of a shared database. */
export const sharedServersName = 'servers';

/** Directory of files like `serverFileName`, one for each proxy, named after its port. */
export const proxiesName = 'proxies';

/** Contents of the file `serverFileName`, and of files in `sharedServersName` and `proxiesName`. */
export const serverFileSchema = z.object({
  url: z.url(),
  control: z.url(),
  token: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  /** The shared database; absent for a server with an embedded database. */
  database: z.optional(z.string()),
  /** Absent with plain HTTP or a custom certificate. */
  caFile: z.optional(z.string()),
  console: z.optional(z.string()),
  /** Only of a proxy: the URL of the service behind it. */
  upstream: z.optional(z.string()),
});
export type ServerFile = z.infer<typeof serverFileSchema>;
