export const controlPath = '/_control';

/** Methods that `requests.send` can send. */
export const sentMethods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'] as const;

export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly status: 200 | 201 | 204;
}

/**
 * The calls of the control API, except the journal's stream and those of every kind of resource. Each takes at most one
 * of these: a body, a query (GET and DELETE), an ID in the path. Their input is in `control.ts` and their answers in
 * `control-answers.ts`, by the same names; here are no schemas, because browsers load this file.
 */
export const controlCalls = {
  'console.link': { method: 'POST', path: '/console/links', status: 201 },
  'data.reset': { method: 'POST', path: '/reset', status: 200 },
  'data.snapshot': { method: 'POST', path: '/snapshot', status: 201 },
  'data.snapshots': { method: 'GET', path: '/snapshots', status: 200 },
  'data.restore': { method: 'POST', path: '/restore', status: 200 },
  'data.copy': { method: 'POST', path: '/copies', status: 201 },
  'clock.get': { method: 'GET', path: '/clock', status: 200 },
  'clock.set': { method: 'PUT', path: '/clock', status: 200 },
  'clock.advance': { method: 'POST', path: '/clock/advance', status: 200 },
  'faults.get': { method: 'GET', path: '/faults', status: 200 },
  'faults.set': { method: 'PUT', path: '/faults', status: 200 },
  'faults.clear': { method: 'DELETE', path: '/faults', status: 204 },
  'stubs.get': { method: 'GET', path: '/stubs', status: 200 },
  'stubs.set': { method: 'PUT', path: '/stubs', status: 200 },
  'stubs.clear': { method: 'DELETE', path: '/stubs', status: 204 },
  'rateLimit.get': { method: 'GET', path: '/rate-limit', status: 200 },
  'rateLimit.set': { method: 'PUT', path: '/rate-limit', status: 200 },
  'rateLimit.clear': { method: 'DELETE', path: '/rate-limit', status: 204 },
  'organizations.create': { method: 'POST', path: '/organizations', status: 201 },
  'organizations.list': { method: 'GET', path: '/organizations', status: 200 },
  'quotas.get': { method: 'GET', path: '/quotas', status: 200 },
  'quotas.set': { method: 'PUT', path: '/quotas', status: 200 },
  'keys.first': { method: 'GET', path: '/first-key', status: 200 },
  'keys.list': { method: 'GET', path: '/keys', status: 200 },
  'keys.issue': { method: 'POST', path: '/keys', status: 201 },
  'keys.disable': { method: 'POST', path: '/keys/{id}/disable', status: 200 },
  'keys.enable': { method: 'POST', path: '/keys/{id}/enable', status: 200 },
  'keys.rename': { method: 'POST', path: '/keys/rename', status: 200 },
  'keys.revoke': { method: 'DELETE', path: '/keys/{id}', status: 204 },
  'profiles.save': { method: 'POST', path: '/profiles', status: 201 },
  'server.stop': { method: 'POST', path: '/stop', status: 204 },
  'status.get': { method: 'GET', path: '/status', status: 200 },
  'journal.list': { method: 'GET', path: '/journal', status: 200 },
  'journal.get': { method: 'GET', path: '/journal/{id}', status: 200 },
  'journal.clear': { method: 'DELETE', path: '/journal', status: 204 },
  'requests.send': { method: 'POST', path: '/requests', status: 200 },
} as const satisfies Record<string, ControlCall>;

/** Answers with server-sent events. */
export const journalStreamPath = '/journal/stream';

export type CallName = keyof typeof controlCalls;

export interface WrittenCall {
  readonly method: ControlCall['method'];
  /** Below `controlPath`, such as `/keys?organization=org_1`. */
  readonly target: string;
  readonly body?: object;
}

export function writeCall(name: CallName, input?: object): WrittenCall {
  const { method, path } = controlCalls[name];
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const target = path.replace(/\{(\w+)\}/, (_match, field) =>
    encodeURIComponent(String(fields[field] ?? '')),
  );
  if (target !== path || input === undefined) return { method, target };
  return method === 'GET' || method === 'DELETE'
    ? { method, target: addQuery(path, fields) }
    : { method, target, body: input };
}

/** Adds a query with the fields that have a value. */
export function addQuery(path: string, fields: object): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) given.append(name, String(value));
  return given.size === 0 ? path : `${path}?${given}`;
}

/** Maximum requests per window. */
export const maxRateRequests = 999_999_999;
