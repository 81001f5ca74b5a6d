import {
  controlBodies,
  controlQueries,
  journalQuerySchema,
  signatureCheckSchema,
} from '../../api/control/control.js';
import { readArguments } from '../../api/schema/check-options.js';
import { z } from '../../api/schema/schema.js';
import type { Control } from './control.js';

const { shape: clockShape } = controlBodies['clock.set'];
const organization = controlQueries['keys.list'].shape;
const keyId = { keyId: z.string() };

const signed = z.extend(signatureCheckSchema, {
  body: z.optional(z.union([z.string(), z.instanceof(Uint8Array)])),
});

/** The control API takes a query as text. */
function queryOf(schema: z.ZodMiniObject) {
  return z.optional(z.pipe(z.transform(writeQuery), schema));
}

function writeQuery(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const isWritten = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  const members = Object.entries(query).map(([name, value]: [string, unknown]) => [
    name,
    isWritten(value) ? String(value) : value,
  ]);
  return Object.fromEntries(members);
}

/** Arguments by their names, in order. Absent calls have none, or check them themselves. */
const argumentsOf: Readonly<Record<string, Readonly<Record<string, z.ZodMiniType>>>> = {
  'control.restore': controlBodies['data.restore'].shape,
  'control.clock.set': { time: z.union([clockShape.time, z.date()]) },
  'control.clock.advance': controlBodies['clock.advance'].shape,
  'control.faults.set': controlBodies['faults.set'].shape,
  'control.stubs.set': controlBodies['stubs.set'].shape,
  'control.rateLimit.set': { limit: controlBodies['rateLimit.set'] },
  'control.quotas.get': organization,
  'control.quotas.set': { limits: z.unknown(), ...organization },
  'control.keys.list': organization,
  'control.keys.disable': keyId,
  'control.keys.enable': keyId,
  'control.keys.revoke': keyId,
  'control.journal.get': { query: queryOf(z.omit(journalQuerySchema, { count: true })) },
  'control.journal.count': { filter: queryOf(z.omit(journalQuerySchema, { count: true, limit: true })) },
  'control.requests.send': { request: controlBodies['requests.send'] },
  'control.signatures.check': { signed },
};

/** Makes calls with wrong arguments reject with a UsageError. The control API has checked those of its callers. */
export function checkArguments<Calls extends object = Control>(calls: Calls, name = 'control'): Calls {
  return new Proxy(calls, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      const place = `${name}.${String(key)}`;
      if (typeof found === 'object' && found !== null) return checkArguments(found, place);
      const schemas = argumentsOf[place];
      if (schemas === undefined || typeof found !== 'function') return found;
      return async (...given: unknown[]) =>
        Reflect.apply(found, target, readArguments(place, z.strictObject(schemas), given));
    },
  });
}
