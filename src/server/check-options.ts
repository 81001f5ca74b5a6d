import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { stubSchema } from '../api/control/control.js';
import { largestLimit } from '../api/quota.js';
import { quotaKinds } from '../api/resources/index.js';
import { checkOptions, functionOption } from '../api/schema/check-options.js';
import { z } from '../api/schema/schema.js';
import { ConfigError, readMessage, UsageError } from '../errors/errors.js';
import { isLoopback } from '../text/base-url.js';
import { countNoun } from '../text/count-noun.js';
import { latestTime } from './control/clock.js';
import { defaultLimits } from './http/limits.js';
import type { ServerOptions } from './options/server-options.js';

/** Refuses unusable options before anything is created. @throws UsageError or ConfigError */
export function checkServerOptions(options: ServerOptions): void {
  requireShape(options);
  const { host = '127.0.0.1', port = 0, http, tls, quotas } = options;
  requireSome('the host', host);
  requireSome('the data directory', options.data);
  requirePort('port', port);
  if (typeof options.console === 'object') requirePort('console port', options.console.port);
  if (http && !isLoopback(host)) {
    throw new UsageError(`plain HTTP is for loopback hosts only, not for ${host}`, {
      hint: 'use HTTPS, or listen on 127.0.0.1',
    });
  }
  if (http && tls) {
    throw new UsageError('plain HTTP has no certificate', {
      hint: 'give a certificate or ask for plain HTTP, not both',
    });
  }
  for (const kind of quotaKinds) requireLimit(kind, quotas?.[kind]);
  requireTestControls(options);
  if (tls) requireIdentity(tls);
  requireHosts('certificate name', options.tlsNames);
  requireHosts('control host', options.controlHosts);
}

// With empty text, as from an unset shell variable, Node would listen on every address or use the working directory.
function requireSome(name: string, value: string | undefined): void {
  if (value !== '') return;
  throw new UsageError(`${name} must not be empty`, { hint: 'leave it out for the default' });
}

function requirePort(name: string, port = 0): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw new UsageError(`${name} ${port}: not a port`, { hint: 'use 1 to 65535, or 0 for a free port' });
}

function requireTestControls({
  clock = Date.now,
  clockOffset = 0,
  maxSkew = 0,
  rateLimit,
}: ServerOptions): void {
  const time = clock() + clockOffset;
  if (!(time >= 0 && time <= latestTime)) {
    throw new UsageError(
      `a clock offset of ${clockOffset} ms would set the clock outside the years 1970 to 9999`,
    );
  }
  if (!(maxSkew >= 0))
    throw new UsageError(`the permitted clock skew of ${maxSkew} s must be 0 or more seconds`);
  const { requests = 1, window = 1 } = rateLimit ?? {};
  if (!Number.isInteger(requests) || requests < 1 || !(window > 0)) {
    throw new UsageError(`${countNoun(requests, 'request')} in ${window} ms is not a valid rate limit`);
  }
}

function requireLimit(kind: string, limit: number | undefined): void {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 0 && limit <= largestLimit)) return;
  throw new UsageError(`${limit} is not a valid quota for ${kind}`, {
    hint: `give a whole number from 0 to ${largestLimit}`,
  });
}

const hostName =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

function requireHosts(name: string, hosts: readonly string[] = []): void {
  for (const host of hosts) {
    if (isIP(host) !== 0 || hostName.test(host)) continue;
    throw new UsageError(`${name} ${JSON.stringify(host)}: not the name or address of a machine`, {
      hint: 'for example orgctl.example.com, without a scheme or port',
    });
  }
}

function requireIdentity(tls: { cert: string; key: string }): void {
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ConfigError(`the certificate cannot be used: ${readMessage(error)}`, {
      hint: 'certificate and key must be PEM and belong together; the key must have no passphrase',
      cause: error,
    });
  }
}

const textOption = z.optional(z.string());
const texts = z.optional(z.array(z.string()));
const number = z.optional(z.number());
const callback = z.optional(functionOption);

const shape = () =>
  z.strictObject({
    host: textOption,
    port: number,
    data: textOption,
    database: textOption,
    http: z.optional(z.boolean()),
    tls: z.optional(z.strictObject({ cert: z.string(), key: z.string() })),
    tlsNames: texts,
    controlHosts: texts,
    console: z.optional(z.union([z.boolean(), z.strictObject({ port: number })])),
    masterKey: textOption,
    bootstrap: z.optional(z.strictObject({ keyId: textOption, secret: textOption })),
    quotas: z.optional(z.partialRecord(z.enum(quotaKinds), number)),
    clock: callback,
    clockOffset: number,
    maxSkew: number,
    seed: z.optional(z.unknown()),
    rateLimit: z.optional(
      z.strictObject(
        { requests: z.number(), window: z.number() },
        'must be { requests, window }, with window in milliseconds, such as { requests: 100, window: 60000 }',
      ),
    ),
    faults: texts,
    dialect: z.optional(z.unknown()),
    stubs: z.optional(z.array(z.union([z.string(), stubSchema]))),
    limits: z.optional(
      z.strictObject(
        Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, z.optional(z.number())])),
      ),
    ),
    saveProfile: callback,
    renewProfile: callback,
    requestStop: callback,
    profile: textOption,
    writeCommand: callback,
    onLog: callback,
    logged: z.optional(z.enum(['all', 'refused'])),
  } satisfies Record<keyof ServerOptions, z.core.$ZodType>);

function requireShape(options: unknown): void {
  checkOptions('startServer', shape(), options);
}
