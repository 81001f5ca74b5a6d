import { beforeAll, describe, expect, it } from 'vitest';
import { isHarmlessField, showDeclared } from '../../src/redaction/harmless.js';
import { isHarmless, isHarmlessInResource, redactedTarget } from '../../src/redaction/redact.js';
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

it('looks in answers for numbers that were sent, of four digits or more, unless they are harmless', () => {
  expect(hidden({ config: { port: 5432, pin: 4711, digits: 471 } })).toEqual(['4711']);
});

describe('what resources declare', () => {
  it('is masked before they do', () => {
    expect(shown({ name: 'a', url, events: ['created'] })).toEqual({
      name: 'a',
      url: masked,
      events: masked,
    });
    expect(shown({ webhooks: { limit: 1 } })).toEqual({ webhooks: masked });
    expect(hidden({ name: 'a', url, events: ['created'] }).toSorted()).toEqual(['created', url]);
  });
});

describe('a field that a resource declares to be harmless', () => {
  beforeAll(() => showDeclared(['webhooks'], ['url', 'events']));

  it.each([
    ['is shown', { name: 'a', url }],
    ['is shown in a list of resources', { data: [{ id: 'hook_1', url }], total: 1 }],
    ['is shown where it is a list of plain values', { url, events: ['created', 1, true, null] }],
    ['is looked into by its kind, as quotas are', { webhooks: { limit: 1, used: 0 } }],
  ])('%s', (_what, value) => {
    expect(shown(value)).toEqual(value);
    expect(hidden(value)).toEqual([]);
  });

  it.each([
    ['as a setting', { config: { url } }, { config: { url: masked } }],
    ['within a setting', { config: { data: { url } } }, { config: { data: { url: masked } } }],
    ['as a list in a setting', { config: { events: [url] } }, { config: { events: masked } }],
    ['where it is an object', { url: { at: url } }, { url: masked }],
    ['in a list in its list', { events: [[url]] }, { events: [[masked]] }],
    ['in an object in its list', { events: [{ token: url }] }, { events: [{ token: masked }] }],
  ])('is masked %s, and looked for in answers', (_what, value, expected) => {
    expect(shown(value)).toEqual(expected);
    expect(hidden(value)).toEqual([url]);
  });

  it('is masked where its text looks like a secret', () => {
    expect(shown({ url: 'https://me:hunter2@h/', events: ['a'.repeat(64), 'key=hunter2'] })).toEqual({
      url: `https://${masked}@h/`,
      events: [masked, `key=${masked}`],
    });
    expect(isHarmlessInResource('url', 'https://me:hunter2@h/')).toBe(false);
    expect(isHarmlessInResource('events', ['ok', 'key=hunter2'])).toBe(false);
    expect(isHarmlessInResource('events', [{ a: 1 }])).toBe(false);
  });

  it('is no harmless setting or parameter', () => {
    expect(isHarmlessField('url')).toBe(false);
    expect(isHarmless('url', url)).toBe(false);
    expect(isHarmlessInResource('url', url)).toBe(true);
    expect(redactedTarget('/connections?url=hunter2')).toBe(`/connections?url=${masked}`);
  });
});
