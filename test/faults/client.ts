import type { Fault } from './fault.js';

export const clientFaults: readonly Fault[] = [
  {
    name: 'signedFetch: the signal of a Request is lost',
    find: '      signal: request.signal,\n',
    replace: '',
    tests: ['test/client/signing/signed-fetch'],
  },
  {
    name: 'signedFetch: X-API-Key stays beside Basic',
    find: '    const headers = new Headers([...request.headers].filter(([name]) => !isAuthenticating(name)));',
    replace: '    const headers = new Headers(request.headers);',
    tests: ['test/client/signing/signed-fetch'],
  },
  {
    name: 'signedFetch: plain HTTP goes to other machines',
    find: '    requireConfidential(url);\n',
    replace: '',
    tests: ['test/client/signing/signed-fetch'],
  },
  {
    name: 'signedFetch: redirects are followed',
    find: "request.redirect === 'error' ? 'error' : 'manual'",
    replace: 'request.redirect',
    tests: ['test/client/signing/signed-fetch'],
  },
  {
    name: 'signInterceptor: X-API-Key stays beside Basic',
    find: 'return headerPairs(headers).filter(([name]) => !isAuthenticating(name));',
    replace: "return headerPairs(headers).filter(([name]) => name !== 'none' || !isAuthenticating(name));",
    tests: ['test/client/signing/sign-interceptor'],
  },
  {
    name: 'signInterceptor: requests to other origins are signed',
    find: '    if (readOrigin(unbound) !== origin) {',
    replace: "    if (origin === '') {",
    tests: ['test/client/signing/sign-interceptor'],
  },
  {
    name: 'code cache: a file of another user is executed',
    find: '  return found.isFile() && closed && belongsTo(owner, found);\n}\n\n/** Writes',
    replace: '  return found.isFile() && closed;\n}\n\n/** Writes',
    tests: ['test/cli/start'],
  },
  {
    name: 'code cache: a file that others can write is executed',
    find: '(found.mode & 0o777) === privateMode;',
    replace: 'found.mode > 0;',
    tests: ['test/cli/start'],
  },
  {
    name: 'code cache: a directory of another user is used',
    find: '  return found.isDirectory() && closed && belongsTo(owner, found);',
    replace: '  return found.isDirectory() && closed;',
    tests: ['test/cli/start'],
  },
  {
    name: 'code cache: a link is followed',
    find: 'constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)',
    replace: 'constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)',
    tests: ['test/cli/start'],
  },
];
