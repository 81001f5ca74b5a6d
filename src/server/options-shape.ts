import { checkOptions, functionOption } from '../contract/check-options.js';
import { quotaKinds } from '../contract/resources/index.js';
import { z } from '../contract/schema.js';
import { defaultLimits } from './listening/limits.js';
import type { ServerOptions } from './server-options.js';

const text = z.optional(z.string());
const texts = z.optional(z.array(z.string()));
const number = z.optional(z.number());
const callback = z.optional(functionOption);

/** What kind of value each option takes; what it may be is asked where it is used, or by `checkOptions`. */
const shape = () =>
  z.strictObject({
    host: text,
    port: number,
    data: text,
    database: text,
    http: z.optional(z.boolean()),
    tls: z.optional(z.strictObject({ cert: z.string(), key: z.string() })),
    tlsNames: texts,
    controlHosts: texts,
    console: z.optional(z.union([z.boolean(), z.strictObject({ port: number })])),
    masterKey: text,
    bootstrap: z.optional(z.strictObject({ keyId: text, secret: text })),
    quotas: z.optional(z.partialRecord(z.enum(quotaKinds), number)),
    clock: callback,
    clockOffset: number,
    maxSkew: number,
    // A seed has a check of its own, which tells every problem.
    seed: z.optional(z.unknown()),
    rateLimit: z.optional(
      z.strictObject(
        { requests: z.number(), window: z.number() },
        'expected { requests, window } with milliseconds, such as { requests: 100, window: 60000 }',
      ),
    ),
    faults: texts,
    limits: z.optional(
      z.strictObject(
        Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, z.optional(z.number())])),
      ),
    ),
    saveProfile: callback,
    onLog: callback,
    logged: z.optional(z.enum(['all', 'refused'])),
  } satisfies Record<keyof ServerOptions, z.core.$ZodType>);

/** @throws UsageError naming every option that there is not, and every one of a wrong type */
export function requireShape(options: unknown): void {
  checkOptions('startServer', shape(), options);
}
