import type { Fault } from './fault.js';

export const proxyFaults: readonly Fault[] = [
  {
    name: 'proxy console: whoever asks reads the journal',
    find: "  app.addHook('onRequest', async ({ raw }) => authorize(raw));\n  takeBodies(app, held);\n  const refuse",
    replace: '  void authorize;\n  takeBodies(app, held);\n  const refuse',
    tests: ['test/commands/proxy-console'],
  },
  {
    name: 'recordings: headers of requests are not masked',
    find: 'requestHeaders: redactPairs(sent),',
    replace: 'requestHeaders: sent,',
    tests: ['test/proxy/record'],
  },
  {
    name: 'recordings: headers of responses are not masked',
    find: 'headers: redactPairs(toPairs(response.headers)),',
    replace: 'headers: toPairs(response.headers),',
    tests: ['test/proxy/record'],
  },
  {
    name: 'recordings: parameters are not masked',
    find: '    target: redactFormTarget(target),\n    requestHeaders',
    replace: '    target,\n    requestHeaders',
    tests: ['test/proxy/record'],
  },
  {
    name: 'recordings: what was sent as a secret is shown where it comes back',
    find: 'const hide = (text: string) => withoutSecrets(text, secrets);',
    replace: 'const hide = (text: string) => withoutSecrets(text, secrets.slice(0, 0));',
    tests: ['test/proxy/record'],
  },
  {
    name: 'requests.send: a key of another organization signs',
    find: 'organization === owner && enabled)',
    replace: 'organization !== owner && enabled)',
    tests: ['test/server/send-request'],
  },
  {
    name: 'requests.send: a target outside of the service is sent',
    find: '  if (!isServiceTarget(path)) throw badRequest(`${path} is not a path of the service`);\n',
    replace: '',
    tests: ['test/server/send-request'],
  },
  {
    name: 'serve --detach: data that nobody finds again is taken',
    find: '  if (ephemeral || database !== undefined ||',
    replace: '  if (database !== undefined ||',
    tests: ['test/e2e/serve-detach'],
  },
  {
    name: 'serve --detach: a server that fails is a success',
    find: 'if (ready === undefined) return endAs(exitCode, messages, context);',
    replace: 'if (ready === undefined) return endAs(0, messages, context);',
    tests: ['test/e2e/serve-detach'],
  },
  {
    name: 'apply --prune=KIND: another kind is pruned, too',
    find: 'const named = everyKind.filter((kind) => words.includes(kind));',
    replace: "const named = everyKind.filter((kind) => words.includes(kind) || kind === 'connections');",
    tests: ['test/organization/apply'],
  },
  {
    name: 'OpenAPI: both ways to authenticate are wanted at once',
    find: '  Object.fromEntries(Object.values(schemeNames).map((name) => [name, []])),\n  { basic: [] },\n',
    replace: "  Object.fromEntries([...Object.values(schemeNames), 'basic'].map((name) => [name, []])),\n",
    tests: ['test/api-description/document'],
  },
  {
    name: 'OpenAPI: bodies are optional',
    find: '        required: true,\n        description: bodyInWords,',
    replace: '        required: false,\n        description: bodyInWords,',
    tests: ['test/api-description/document'],
  },
  {
    name: '--query: && and || are swapped',
    find: '() => compile(expression));',
    replace: "() => compile(expression.replaceAll('&&', '||')));",
    tests: ['test/terminal/output/query'],
  },
  {
    name: 'tables: the first column is left out first',
    find: '? { ...name, narrowest, rank: 0 }',
    replace: '? { ...name, narrowest, rank: 99 }',
    tests: ['test/terminal/table'],
  },
  {
    name: 'control: pending uses land in restored data',
    find: '      await usage.flush();\n      await store.contents.replace(taken);',
    replace: '      await store.contents.replace(taken);',
    tests: ['test/server/control.test'],
  },
];
