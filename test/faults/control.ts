import type { Fault } from './fault.js';

export const controlFaults: readonly Fault[] = [
  {
    name: 'control: keys of every organization are listed for one',
    find: 'return of === undefined ? keys : keys.filter((key) => key.organization === of);',
    replace: "return of === '' ? [] : keys;",
    tests: ['test/commands/targets'],
  },
  {
    name: 'control: any prefix of the token is taken',
    find: 'return equalInConstantTime(given, token);',
    replace: 'return equalInConstantTime(given, token.slice(0, given.length));',
    tests: ['test/server/control'],
  },
  {
    name: 'control: no token is asked for',
    find: 'return equalInConstantTime(given, token);',
    replace: 'return equalInConstantTime(token, token) || given === token;',
    tests: ['test/server/control'],
  },
  {
    name: 'control: other machines are answered',
    find: "    if (!isLocalAddress(socket.remoteAddress)) {\n      throw new HttpError(403, 'Forbidden: the control API",
    replace:
      "    if (socket.remoteAddress === '') {\n      throw new HttpError(403, 'Forbidden: the control API",
    tests: ['test/server/control', 'test/server/guard'],
  },
  {
    name: 'control: any Host is taken',
    find: '    if (!isLoopback(host) && !allowed.localHosts',
    replace: "    if (host === '' && !allowed.localHosts",
    tests: ['test/server/control'],
  },
  {
    name: 'control: pages of other origins are answered',
    find: '  if (headers.origin !== undefined && hostOfOrigin(headers.origin) !== headers.host?.toLowerCase()) {',
    replace: "  if (headers.origin === '') {",
    tests: ['test/server/control'],
  },
  {
    name: 'console: the token of a link is a bearer',
    find: '    return this.#bearers.get(hashSecret(bearer)) ?? false;',
    replace: '    return this.#bearers.has(hashSecret(bearer)) || this.#links.has(hashSecret(bearer));',
    tests: ['test/server/console'],
  },
  {
    name: 'console: a link opens two sessions',
    find: '    known.delete(hash);\n    return this.#now()',
    replace: '    return this.#now()',
    tests: ['test/server/console'],
  },
  {
    name: 'console: a link is good for ever',
    find: '    return this.#now() - seen <= linkAge;',
    replace: '    return this.#now() - seen >= 0;',
    tests: ['test/server/console'],
  },
  {
    name: 'console: codes can be guessed for ever',
    find: '    if (this.#wrongCodes >= wrongCodesAllowed) this.#codes.clear();\n',
    replace: '',
    tests: ['test/server/console'],
  },
  {
    name: 'console: a proof for another origin renews a session',
    find: 'proveRenewal(hash, this.start, origin)) === given',
    replace: 'proveRenewal(hash, this.start, origin)) === given || proof.length === 64',
    tests: ['test/server/console', 'test/server/stored-sessions'],
  },
  {
    name: 'console: pages of other origins are answered',
    find: '  if (headers.origin !== origin && !(isReading && headers.origin === undefined)) {',
    replace: "  if (headers.origin === '') {",
    tests: ['test/server/console'],
  },
  {
    name: 'console: any Host is taken',
    find: '  if (headers.host !== new URL(origin).host) throw forbidden(`its address is ${origin}`);\n',
    replace: '',
    tests: ['test/server/console'],
  },
  {
    name: 'control: resources are those of the first organization',
    find: '    request.organization = organization;',
    replace: '    request.organization = control.status().organization;',
    tests: ['test/server/control', 'test/server/resources'],
  },
  {
    name: 'control: Last-Event-ID of another journal is taken',
    find: '  return name === journal.name && Number(id)',
    replace: '  return name !== undefined && Number(id)',
    tests: ['test/server/journal-stream'],
  },
  {
    name: 'control: a snapshot that is not the named one is restored',
    find: '    const found = this.#kept.get(name);',
    replace: '    const found = this.#kept.get(name) && [...this.#kept.values()].at(-1);',
    tests: ['test/commands/targets'],
  },
  {
    name: 'control: a saved profile has another key’s secret',
    find: '  if (!equalInConstantTime(secret, key.secret)) throw badRequest',
    replace: "  if (secret === '') throw badRequest",
    tests: ['test/server/control.test'],
  },
];
