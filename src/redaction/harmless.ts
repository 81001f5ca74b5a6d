/**
 * What is known to hold no secret: the one list of all that logs, journal, traces and dry runs show of requests and
 * answers, and of what a GET returns of a connection's settings. Whatever is not in it is masked, because a secret may
 * have any name. Names are compared exactly: another spelling is another name.
 */

/** Fields of a JSON body, and parameters of a query, whose plain values may be shown. */
const fields: ReadonlySet<string> = new Set([
  // Resources, and a connection's settings (reference, section 2).
  ...['id', 'name', 'type', 'enabled', 'created_at', 'updated_at', 'last_used_at'],
  ...['host', 'port', 'database', 'user', 'ssl'],
  // Lists and quotas (reference, section 4).
  ...['total', 'page', 'limit', 'pages', 'used', 'remaining'],
  // Errors (reference, section 7).
  ...['statusCode', 'message'],
]);

/** What a text under these names looks like; any other may be a secret in the wrong place, or have one in it. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ['user', /^[^:]*$/],
  ['port', /^\d{1,5}$/],
  // As libpq and other drivers have it.
  [
    'ssl',
    /^(?:true|false|on|off|yes|no|disable|allow|prefer|require|required|verify[-_](?:ca|full|identity))$/i,
  ],
]);

/** Fields whose objects and lists are looked into. */
const containers: ReadonlySet<string> = new Set(['config', 'data', 'api-keys', 'connections', 'teams']);

const headers: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'allow', 'cache-control', 'connection'],
  ...['content-encoding', 'content-language', 'content-length', 'content-type', 'date', 'expect'],
  ...['host', 'keep-alive', 'retry-after', 'server', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['user-agent', 'vary', 'x-api-timestamp', 'x-request-id'],
  ...['x-quota-limit', 'x-quota-used', 'x-quota-remaining'],
]);

/** Headers that hold a URL. */
const urlHeaders: ReadonlySet<string> = new Set(['content-location', 'location', 'origin', 'referer']);

/** Whether the plain value of a field or query parameter of this name may be shown. */
export function isHarmlessField(name: string): boolean {
  return fields.has(name);
}

/** Whether a text under a harmless name looks like one. */
export function hasHarmlessForm(name: string, text: string): boolean {
  return forms.get(name)?.test(text) ?? true;
}

/** Whether an object or list under this name is shown by its own fields. */
export function isContainer(name: string): boolean {
  return containers.has(name);
}

/** What a header's value is, by the header's name in lower case; `undefined` where it may be a secret. */
export function kindOfHeader(name: string): 'text' | 'url' | undefined {
  if (headers.has(name)) return 'text';
  return urlHeaders.has(name) ? 'url' : undefined;
}

const keyId = /^key_[A-Za-z0-9_-]{1,128}$/;

/** Whether a text has the form of a key ID (reference, section 2): what has not may be a secret in its place. */
export function isKeyId(text: string): boolean {
  return keyId.test(text);
}
