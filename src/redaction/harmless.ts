/**
 * The one list of what may be shown of requests and responses; anything else may be a secret and is masked.
 * Names are compared exactly: another spelling is another name.
 */

const fields: ReadonlySet<string> = new Set([
  ...['id', 'name', 'type', 'enabled', 'created_at', 'updated_at', 'last_used_at'],
  ...['host', 'port', 'database', 'user', 'ssl'],
  ...['total', 'page', 'limit', 'pages', 'used', 'remaining'],
  ...['statusCode', 'message'],
]);

/** Forms of texts under these names; any other may be a secret in the wrong place. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ['user', /^[^:]*$/],
  ['port', /^\d{1,5}$/],
  [
    'ssl',
    /^(?:true|false|on|off|yes|no|disable|allow|prefer|require|required|verify[-_](?:ca|full|identity))$/i,
  ],
]);

const containers: ReadonlySet<string> = new Set(['config', 'data', 'api-keys', 'connections', 'teams']);

const headers: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'allow', 'cache-control', 'connection'],
  ...['content-encoding', 'content-language', 'content-length', 'content-type', 'date', 'expect'],
  ...['host', 'keep-alive', 'retry-after', 'server', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['user-agent', 'vary', 'x-api-timestamp', 'x-request-id'],
  ...['x-quota-limit', 'x-quota-used', 'x-quota-remaining'],
]);

const urlHeaders: ReadonlySet<string> = new Set(['content-location', 'location', 'origin', 'referer']);

export function isHarmlessField(name: string): boolean {
  return fields.has(name);
}

export function hasHarmlessForm(name: string, text: string): boolean {
  return forms.get(name)?.test(text) ?? true;
}

export function isContainer(name: string): boolean {
  return containers.has(name);
}

/** `undefined` where the header may be a secret; `name` is in lower case. */
export function kindOfHeader(name: string): 'text' | 'url' | undefined {
  if (headers.has(name)) return 'text';
  return urlHeaders.has(name) ? 'url' : undefined;
}

const keyId = /^key_[A-Za-z0-9_-]{1,128}$/;

/** Whether a text has the form of a key ID (reference, section 2); anything else may be a misplaced secret. */
export function isKeyId(text: string): boolean {
  return keyId.test(text);
}
