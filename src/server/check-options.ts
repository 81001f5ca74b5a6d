import { createSecureContext } from 'node:tls';
import { limitsSchema } from '../api/control/chosen-values.js';
import { stubSchema } from '../api/control/control.js';
import { checkOptions, functionOption } from '../api/schema/check-options.js';
import { z } from '../api/schema/schema.js';
import { ConfigError, readMessage, UsageError } from '../errors/errors.js';
import { isLoopback } from '../text/base-url.js';
import { latestTime } from './control/clock.js';
import { defaultLimits } from './http/connections.js';
import type { ServerOptions } from './options.js';

/** Refuses unusable options before anything is created. @throws UsageError or ConfigError */
export function checkServerOptions(options: ServerOptions): void {
  checkOptions('startServer', shape(), options);
  const { host = '127.0.0.1', http, tls, clock = Date.now, clockOffset = 0 } = options;
  if (http && !isLoopback(host)) {
    const hint = 'use HTTPS, or listen on 127.0.0.1';
    throw new UsageError(`plain HTTP is for loopback hosts only, not for ${host}`, { hint });
  }
  if (http && tls) throw new UsageError('plain HTTP has no certificate');
  const time = clock() + clockOffset;
  if (!(time >= 0 && time <= latestTime))
    throw new UsageError(`the clock offset of ${clockOffset} ms leads out of the years 1970 to 9999`);
  try {
    if (tls) createSecureContext(tls);
  } catch (cause) {
    const hint = 'certificate and key must be PEM and belong together; the key must have no passphrase';
    throw new ConfigError(`the certificate cannot be used: ${readMessage(cause)}`, { hint, cause });
  }
}

// With empty text, as from an unset shell variable, Node would listen on every address or use the working directory.
const text = z.optional(z.string().check(z.minLength(1)));
const [secret, texts] = [z.optional(z.string()), z.optional(z.array(z.string()))];
const [number, anything] = [z.optional(z.number()), z.optional(z.unknown())];
const port = z.optional(z.int().check(z.minimum(0), z.maximum(65_535)));
const callback = z.optional(functionOption);
const rateLimit = z.strictObject(
  { requests: z.int().check(z.minimum(1)), window: z.number().check(z.positive()) },
  'must be { requests, window }, with window in ms, such as { requests: 100, window: 60000 }',
);
const limits = z.strictObject(
  Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, z.optional(z.number())])),
);

const shape = () =>
  z.strictObject({
    ...{ host: text, port, data: text, database: secret, http: z.optional(z.boolean()) },
    tls: z.optional(z.strictObject({ cert: z.string(), key: z.string() })),
    ...{ tlsNames: texts, controlHosts: texts, cors: texts },
    console: z.optional(z.union([z.boolean(), z.strictObject({ port })])),
    masterKey: secret,
    bootstrap: z.optional(z.strictObject({ keyId: secret, secret })),
    quotas: z.optional(limitsSchema),
    ...{ clock: callback, clockOffset: number },
    maxSkew: z.optional(z.number().check(z.minimum(0))),
    ...{ seed: anything, rateLimit: z.optional(rateLimit), faults: texts, dialect: anything },
    stubs: z.optional(z.array(z.union([z.string(), stubSchema]))),
    limits: z.optional(limits),
    ...{ saveProfile: callback, requestStop: callback, profile: secret, onLog: callback },
    logged: z.optional(z.enum(['all', 'refused'])),
  } satisfies Record<keyof ServerOptions, z.core.$ZodType>);
