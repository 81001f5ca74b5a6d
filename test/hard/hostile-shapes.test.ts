import { describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { describeMessage } from '../../src/client/answers/answer-error.js';
import { findProxy } from '../../src/client/network/proxy.js';
import { readStatements } from '../../src/client/reading/error-texts.js';
import { shellWords } from '../../src/commands/completion/line.js';
import { parseDatabaseUrl } from '../../src/commands/connections/database-url.js';
import { parseHeaders } from '../../src/commands/request/index.js';
import { parseFields } from '../../src/input/body.js';
import { redactedHeader, redactedTarget, redactedText } from '../../src/redaction/redact.js';
import { redactedBody } from '../../src/redaction/redact-json.js';
import { parseJsonBody } from '../../src/server/http/body.js';
import { explainBasicFormat } from '../../src/signing/basic/basic.js';
import { explainMismatch, parseBasicAuthorization } from '../../src/signing/index.js';
import { explainWrongSecret } from '../../src/signing/refusals/explain-credential.js';
import { readDatabaseUrl } from '../../src/storage/postgres/connection-url.js';
import { sanitize } from '../../src/terminal/text/sanitize.js';
import { parseBaseUrl } from '../../src/text/base-url.js';
import { glob } from '../../src/text/glob.js';
import { growthComplaint } from '../support/cpu-growth.js';
import { print } from '../terminal/print.js';
import { rounds } from './support/budget.js';

// Single regular expressions are regular-expressions.test.ts's.
// What a matcher may begin to match again and again; each with an end that it may stumble over.
const units = [
  ...'?/&=:@%;,.*#"\'\\ \t-+<[{(a0fAé',
  ...'\u{1f468}\u200d ?= ?a= &a=b :// ://a: :a@ a:b@ %41 %zz \\" "a": {"a": [" ../ /* ==" password= \'a\' $('.split(
    ' ',
  ),
  ...['a b', 'Basic ', '; charset=', '\n ', '\r\n'],
];
const ends = ['!', '', ' ', '"'].slice(0, rounds(4, 1));

function shapes(beginning = ''): [name: string, shape: (length: number) => string][] {
  return units.flatMap((unit) =>
    ends.map((end): [string, (length: number) => string] => [
      JSON.stringify(`${beginning}${unit}…${end}`),
      (length) => `${beginning}${unit.repeat((length - beginning.length) / unit.length)}${end}`,
    ]),
  );
}

const called = { method: 'GET', target: '/' };
const answer = (body: string) => ({ status: 400, called, headers: {}, body: Buffer.from(body) });
const typed = { contentType: 'text/plain', body: Buffer.alloc(0) };
const signed = { method: 'POST', target: '/teams', timestamp: '1', ...typed };
const schema = () => z.object({});
const toJson = (value: unknown) => Buffer.from(JSON.stringify(value));

function explainSigned(other: Partial<typeof signed>, signature = '0'.repeat(64)) {
  return explainMismatch({ secret: 's'.repeat(64), signature, request: { ...signed, ...other } });
}

/** What hashes the whole text many times over is long enough when it is shorter. */
const shorter = new Set(['the target of a mismatch']);

const matchers: Record<string, [beginning: string, (text: string) => unknown]> = {
  redactedTarget: ['/', redactedTarget],
  redactedText: ['', redactedText],
  redactedHeader: ['', (text) => redactedHeader('location', text)],
  redactedBody: ['', (text) => redactedBody(Buffer.from(text))],
  'redactedBody of JSON': ['', (text) => redactedBody(toJson({ name: text, [text]: text }))],
  'the target of a mismatch': ['/', (target) => explainSigned({ target })],
  'the type of a mismatch': ['', (contentType) => explainSigned({ contentType })],
  'the body of a mismatch': ['', (text) => explainSigned({ body: Buffer.from(text) })],
  'the signature of a mismatch': ['', (signature) => explainSigned({}, signature)],
  parseBasicAuthorization: ['Basic ', parseBasicAuthorization],
  explainBasicFormat: ['Basic ', explainBasicFormat],
  explainWrongSecret: ['"', explainWrongSecret],
  'content type': [
    'application/json',
    (type) => parseJsonBody({ 'content-type': type }, Buffer.from('{}'), schema),
  ],
  'JSON body': [
    '{"name":"',
    (text) => parseJsonBody({ 'content-type': 'application/json' }, Buffer.from(text), schema),
  ],
  'path of a fault rule': ['/', glob('/*a*/*:*=*b')],
  'error message': [
    '',
    (text) => [describeMessage(answer(text)), readStatements(answer(JSON.stringify({ message: text })))],
  ],
  'base URL': ['https://a/', parseBaseUrl],
  'database URL': ['postgres://', (text) => parseDatabaseUrl(text, '--url')],
  'connection URL': ['postgres://', readDatabaseUrl],
  proxy: ['http://', (text) => findProxy(new URL('https://a'), { HTTPS_PROXY: text, NO_PROXY: text })],
  'typed field': ['k:=', (field) => parseFields([field])],
  header: ['A:', (header) => parseHeaders([header])],
  'shell words': ['orgctl ', shellWords],
  sanitize: ['', sanitize],
};

describe('the time that a matcher takes grows as the text does', () => {
  it.each(Object.entries(matchers))('%s', async (matcher, [beginning, match]) => {
    const length = shorter.has(matcher) ? 8192 : undefined;
    // The first is enough: one that is not linear takes its time.
    for (const [name, shape] of [...shapes(), ...(beginning === '' ? [] : shapes(beginning))]) {
      const complaint = await growthComplaint(match, shape, length);
      expect(complaint, name).toBeUndefined();
    }
  });
});

const longName = rounds(32_000, 8_000);

it.each([
  ['joined emoji', '\u{1F469}\u200D'],
  ['wide characters', '\u6771'],
  ['flags', '\u{1F1E9}'],
  ['combining marks', '\u0301'],
  ['conjuncts', '\u0915\u094D'],
])(`lays a name of ${longName} %s out in time that grows as the name does`, async (_name, character) => {
  const lay = async (row: string) => {
    const view = { columns: [{ header: 'NAME', value: (text: string) => text }] };
    for (const width of [80, undefined]) {
      await print({ format: 'table', ...(width && { width }) }, (printer) => printer.list([row], view));
    }
  };
  expect(await growthComplaint(lay, (length) => character.repeat(length), longName)).toBeUndefined();
});
