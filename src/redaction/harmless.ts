/**
 * The one list of what may be shown of requests and responses; anything else may be a secret and is masked.
 * Names are compared exactly: another spelling is another name.
 */

/** Fields of a JSON body, settings, and parameters of a query, whose plain values may be shown. */
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

/** The field with a connection's settings, in which nothing that resources declare is harmless. */
const settings = 'config';

/** Fields whose objects and lists are looked into. */
const containers = new Set([settings, 'data']);

/** Fields that resources declare to be harmless, beside those above. */
const declaredFields = new Set<string>();

/**
 * Takes in what the declared resources add: their kinds, by which quotas are looked into, and fields that hold no secret.
 * All of that is masked where nobody has declared it.
 */
export function showDeclared(kinds: readonly string[], harmless: readonly string[]): void {
  for (const kind of kinds) containers.add(kind);
  for (const field of harmless) declaredFields.add(field);
}

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

/** Whether a resource declares that a field of this name holds no secret. A setting of the same name may. */
export function isDeclaredHarmless(name: string): boolean {
  return declaredFields.has(name);
}

/** Whether a text under a harmless name looks like one. */
export function hasHarmlessForm(name: string, text: string): boolean {
  return forms.get(name)?.test(text) ?? true;
}

export function isContainer(name: string): boolean {
  return containers.has(name);
}

/** Whether what is under this name are a connection's settings. */
export function holdsSettings(name: string): boolean {
  return name === settings;
}

/** What a header's value is, by the header's name in lower case; `undefined` where it may be a secret. */
export function kindOfHeader(name: string): 'text' | 'url' | undefined {
  if (harmlessHeaders.has(name)) return 'text';
  return urlHeaders.has(name) ? 'url' : undefined;
}

const keyId = /^key_[A-Za-z0-9_-]{1,128}$/;

/** Whether a text has the form of a key ID (reference, section 2); anything else may be a misplaced secret. */
export function isKeyId(text: string): boolean {
  return keyId.test(text);
}
