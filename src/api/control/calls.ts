export const controlPath = '/_control';

/** Methods that `requests.send` can send. */
export const sentMethods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'] as const;

export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly status: 200 | 201 | 204;
}

/** Calls that respond with JSON or nothing, and take at most one of these: a body, a query, an ID in the path. */
export const jsonCalls = {
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
  'signatures.check': { method: 'POST', path: '/signatures/check', status: 200 },
} as const satisfies Record<string, ControlCall>;

/** Calls of every declared resource except API keys; the server derives them from `resources`. */
const itemCalls = {
  'items.list': { method: 'GET', path: '/{kind}', status: 200 },
  'items.create': { method: 'POST', path: '/{kind}', status: 201 },
  'items.get': { method: 'GET', path: '/{kind}/{id}', status: 200 },
  'items.update': { method: 'PATCH', path: '/{kind}/{id}', status: 200 },
  'items.delete': { method: 'DELETE', path: '/{kind}/{id}', status: 204 },
} as const satisfies Record<string, ControlCall>;

const streamCalls = {
  'journal.follow': { method: 'GET', path: '/journal/stream', status: 200 },
} as const satisfies Record<string, ControlCall>;

/**
 * The calls of the control API, except the console's `/session` calls, which need no bearer token. `control.ts` and
 * `control-answers.ts` have schemas by these names, and `call-types.ts` has types. This file has no schemas, because
 * browsers load it.
 */
export const controlCalls = { ...jsonCalls, ...itemCalls, ...streamCalls };

export interface TargetParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** The target below `controlPath`, such as `/keys?organization=org_1`. */
export function writeTarget({ path }: ControlCall, { params = {}, query = {} }: TargetParts = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter((part): part is [string, string] => part[1] !== undefined);
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`;
}
