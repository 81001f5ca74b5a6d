// Lists data that may be shown. Other data is masked: it may be secret. Names are compared exactly.

/** JSON fields, settings and query parameters whose plain values may be shown. */
const fields: ReadonlySet<string> = new Set([
  ...['id', 'name', 'type', 'enabled', 'created_at', 'updated_at', 'last_used_at'],
  ...['host', 'port', 'database', 'user', 'ssl'],
  ...['total', 'page', 'limit', 'pages', 'has_more', 'used', 'remaining'],
  ...['statusCode', 'message'],
]);

/** Expected forms, by field; any other text may be a misplaced secret. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ['user', /^[^:]*$/],
  ['port', /^\d{1,5}$/],
  [
    'ssl',
    /^(?:true|false|on|off|yes|no|disable|allow|prefer|require|required|verify[-_](?:ca|full|identity))$/i,
  ],
]);

/** Fields whose objects and lists are shown, with only harmless values. */
const containers: ReadonlySet<string> = new Set([
  ...['config', 'data', 'items', 'results', 'meta', 'pagination'],
  ...['connections', 'teams', 'api-keys'],
]);

const harmlessHeaders: ReadonlySet<string> = new Set([
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

/** How to show a header, by its name in lower case; `undefined` if its value may be secret. */
export function kindOfHeader(name: string): 'text' | 'url' | undefined {
  if (harmlessHeaders.has(name)) return 'text';
  return urlHeaders.has(name) ? 'url' : undefined;
}

/** Key IDs begin so, and secrets are so long, in the API reference. */
export const keyIdPrefix = 'key_';
export const secretLength = 64;

export function isKeyId(text: string): boolean {
  return /^key_[A-Za-z0-9_-]{1,128}$/.test(text);
}

/** The text if it looks like a key ID; other text may be a misplaced secret. */
export function claimedKeyId(text: string | undefined): string | undefined {
  return text !== undefined && isKeyId(text) ? text : undefined;
}
