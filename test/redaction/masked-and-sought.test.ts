import { describe, expect, it } from 'vitest';
import { isHarmless, redactedTarget } from '../../src/redaction/redact.js';
import { redactedJson } from '../../src/redaction/redact-json.js';
import { sentSecrets } from '../../src/redaction/sent-secrets.js';

const url = 'https://hooks.example.com/in';
const masked = '********';

function shown(value: unknown): unknown {
  return JSON.parse(redactedJson(JSON.stringify(value)));
}

function hidden(value: unknown): readonly string[] {
  return sentSecrets({ target: '/webhooks', body: Buffer.from(JSON.stringify(value)) });
}

it('looks in responses for numbers that were sent, of four digits or more, unless they are harmless', () => {
  expect(hidden({ config: { port: 5432, pin: 4711, digits: 471 } })).toEqual(['4711']);
});

it.each([
  ['a harmless field', { name: 'a', id: 'hook_1' }],
  ['a list of resources', { data: [{ id: 'hook_1' }], total: 1 }],
  ['the quota of a kind', { teams: { limit: 1000, used: 0 } }],
  ['a setting that is known', { config: { host: 'db.example.com', port: 5432 } }],
])('shows %s, and does not look for it in responses', (_what, value) => {
  expect(shown(value)).toEqual(value);
  expect(hidden(value)).toEqual([]);
});

describe('a value that is not known to be harmless is masked, and looked for in responses', () => {
  it.each([
    ['in a resource', { name: 'a', url }, { name: 'a', url: masked }],
    ['as a setting', { config: { url } }, { config: { url: masked } }],
    ['within a setting', { config: { data: { url } } }, { config: { data: { url: masked } } }],
    ['in a list', { events: [url] }, { events: masked }],
    ['in a list of rows', { data: [url] }, { data: [masked] }],
    ['as a list under a harmless name', { name: [url] }, { name: masked }],
    ['in an object under a harmless name', { name: { name: url } }, { name: masked }],
    ['in an object of an unknown name', { token: { name: url } }, { token: masked }],
  ])('%s', (_what, value, expected) => {
    expect(shown(value)).toEqual(expected);
    expect(hidden(value)).toEqual([url]);
  });
});

it('masks the part of a harmless value that looks like a secret', () => {
  const name = 'key=hunter2';
  expect(shown({ host: 'https://me:hunter2@h/', name, id: 'a'.repeat(64) })).toEqual({
    host: `https://${masked}@h/`,
    name: `key=${masked}`,
    id: masked,
  });
  expect(isHarmless('name', name)).toBe(false);
  expect(hidden({ name })).toEqual([name]);
});

it('masks a parameter of an unknown name', () => {
  expect(redactedTarget('/connections?url=hunter2')).toBe(`/connections?url=${masked}`);
});
