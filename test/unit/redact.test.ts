import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/api/resources/index.js';
import { isContainer, isHarmlessField } from '../../src/redaction/harmless.js';
import { redactedHeader, redactedTarget } from '../../src/redaction/redact.js';
import { redactedBody, redactedJson } from '../../src/redaction/redact-json.js';
import { sentSecrets } from '../../src/redaction/sent-secrets.js';

const secret = 'hunter2';
const name = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'pwd',
    'private_key',
    'credentials',
    'apiKey',
    'dsn',
    'Name',
    'config',
    'data',
    '__proto__',
  ),
);

// Every plain value is the secret, under any name but a harmless one.
const secretive = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constant(secret),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(
          name.filter((one) => !isHarmlessField(one)),
          tie('value'),
        ),
        { maxLength: 4 },
      )
      .map((fields) => Object.fromEntries(fields)),
  ),
})).value;

describe('redacted JSON', () => {
  it('has no value that no harmless name stands before, however it is nested or spelt', () => {
    fc.assert(
      fc.property(secretive, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const escaped = text.replaceAll(secret, '\\u0068unter2');
        for (const json of [text, escaped])
          expect(JSON.stringify(JSON.parse(redactedJson(json)))).not.toContain(secret);
      }),
    );
  });

  it('is JSON, and of text that holds harmless fields alone the very text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => JSON.parse(redactedJson(JSON.stringify(value)))).not.toThrow();
      }),
    );
    const text =
      '{ "name": "a\\u00e4",\n "config": {"port": 5432.0, "ssl": true, "host": null}, "id": "conn_1" } ';
    expect(redactedJson(text)).toBe(text);
  });

  it('shows the quotas of each kind', () => {
    for (const { kind } of resources) expect(isContainer(kind), kind).toBe(true);
  });

  it('masks what is deeper than it looks', () => {
    const deep = `${'{"config":'.repeat(5000)}{"name":"a"}${'}'.repeat(5000)}`;
    expect(redactedBody(Buffer.from(deep))).toEqual({ measures: expect.stringContaining('bytes') });
    expect(redactedJson(deep)).toBe(`${'{"config":'.repeat(16)}"********"${'}'.repeat(16)}`);
  });
});

describe('a header', () => {
  it.each([
    ['X-API-Key', 'key_1', 'key_1'],
    ['X-API-Key', secret, '********'],
    ['Authorization', 'Basic abc', 'Basic ********'],
    ['Content-Type', 'application/json; charset=utf-8', 'application/json; charset=utf-8'],
    [
      'Location',
      `https://u:${secret}@h/a?limit=1&state=${secret}#${secret}`,
      'https://********@h/a?limit=1&state=********#********',
    ],
  ])('%s: %s', (header, value, shown) => {
    expect(redactedHeader(header, value)).toBe(shown);
  });
});

const url = 'https://hooks.example.com/in';

it.each([
  ['a setting', { config: { url } }, { config: { url: '********' } }],
  ['a list under a harmless name', { name: [url] }, { name: '********' }],
  ['an object of an unknown name', { token: { name: url } }, { token: '********' }],
])('%s is masked, and looked for in responses', (_what, value, expected) => {
  expect(JSON.parse(redactedJson(JSON.stringify(value)))).toEqual(expected);
  expect(sentSecrets({ target: '/webhooks', body: Buffer.from(JSON.stringify(value)) })).toEqual([url]);
});

it('masks unknown parameters and parts of a target', () => {
  const target = redactedTarget(`/a/${'0a'.repeat(32)}?limit=5&url=${secret}`);
  expect(target).toBe('/a/********?limit=5&url=********');
});
