import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseQuotaExceeded } from '../../src/api/error-message.js';
import { parseFaultRule } from '../../src/api/faults/fault-rule.js';
import { z } from '../../src/api/schema/schema.js';
import { describeMessage, readStatements } from '../../src/client/answers/answer-message.js';
import { parseHttpDate, retryAfterSeconds } from '../../src/client/answers/time-headers.js';
import { findProxy } from '../../src/client/network/proxy.js';
import { parseFields } from '../../src/input/body.js';
import { makeInvocation } from '../../src/profiles/secret-command/secret-command-line.js';
import { redactedHeader, redactedTarget, redactedText } from '../../src/redaction/redact.js';
import { redactedBody } from '../../src/redaction/redact-json.js';
import { parseJsonBody } from '../../src/server/http/json-body.js';
import type { RunningServer } from '../../src/server/index.js';
import { explainBasicFormat } from '../../src/signing/basic/basic.js';
import {
  explainMismatch,
  hmacSignature,
  parseBasicAuthorization,
  parseTimestamp,
} from '../../src/signing/index.js';
import { explainWrongSecret } from '../../src/signing/refusals/explain-credential.js';
import { parseConnectionUrl } from '../../src/storage/postgres/connection-url.js';
import { sanitize } from '../../src/terminal/text/sanitize.js';
import { isOriginForm, parseBaseUrl } from '../../src/text/base-url.js';
import { parseDuration, parseSignedDuration } from '../../src/text/duration.js';
import { glob } from '../../src/text/glob.js';
import { shellWords } from '../../src/verbs/completion/typed-line.js';
import { parseDatabaseUrl } from '../../src/verbs/connections/database-url.js';
import { parseHeaders } from '../../src/verbs/request/headers.js';
import { useServer } from '../server/support/start.js';
import { growthComplaint } from '../support/cpu-growth.js';
import { rounds } from './support/budget.js';

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

const answer = (body: string) => ({
  status: 400,
  called: { method: 'GET', target: '/' },
  headers: {},
  body: Buffer.from(body),
});
const signed = {
  method: 'POST',
  target: '/teams',
  timestamp: '1',
  contentType: 'text/plain',
  body: Buffer.alloc(0),
};
const mismatch = { secret: 's'.repeat(64), signature: '0'.repeat(64) };

/** What hashes the whole text many times over is long enough when it is shorter. */
const shorter = new Set(['the target of a mismatch']);

const matchers: Record<string, [beginning: string, (text: string) => unknown]> = {
  redactedTarget: ['/', redactedTarget],
  redactedText: ['', redactedText],
  redactedHeader: ['', (text) => redactedHeader('location', text)],
  redactedBody: ['', (text) => redactedBody(Buffer.from(text))],
  'redactedBody of JSON': [
    '',
    (text) => redactedBody(Buffer.from(JSON.stringify({ name: text, [text]: text }))),
  ],
  'the target of a mismatch': [
    '/',
    (target) => explainMismatch({ ...mismatch, request: { ...signed, target } }),
  ],
  'the type of a mismatch': [
    '',
    (contentType) => explainMismatch({ ...mismatch, request: { ...signed, contentType } }),
  ],
  'the body of a mismatch': [
    '',
    (text) => explainMismatch({ ...mismatch, request: { ...signed, body: Buffer.from(text) } }),
  ],
  'the signature of a mismatch': [
    '',
    (signature) => explainMismatch({ ...mismatch, signature, request: signed }),
  ],
  parseBasicAuthorization: ['Basic ', parseBasicAuthorization],
  explainBasicFormat: ['Basic ', explainBasicFormat],
  explainWrongSecret: ['"', explainWrongSecret],
  parseTimestamp: ['1', parseTimestamp],
  'content type': ['application/json', (type) => parseJsonBody(type, Buffer.from('{}'), () => z.object({}))],
  'JSON body': [
    '{"name":"',
    (text) => parseJsonBody('application/json', Buffer.from(text), () => z.object({})),
  ],
  parseFaultRule: ['GET /', parseFaultRule],
  'path of a fault rule': ['/', glob('/*a*/*:*=*b')],
  'Retry-After': [
    '1',
    (header) => retryAfterSeconds({ ...answer(''), headers: { 'retry-after': header } }, 0),
  ],
  'http-date': ['Sunday, 06-Nov-94 08:49:37 GM', parseHttpDate],
  'error message': [
    '',
    (text) => [describeMessage(answer(text)), readStatements(answer(JSON.stringify({ message: text })))],
  ],
  'quota message': ['Quota exceeded: maximum 1', parseQuotaExceeded],
  duration: ['1', (text) => [parseDuration(text), parseSignedDuration(`-${text}`)]],
  target: ['/', isOriginForm],
  'base URL': ['https://a/', parseBaseUrl],
  'database URL': ['postgres://', (text) => parseDatabaseUrl(text, '--url')],
  'connection URL': ['postgres://', parseConnectionUrl],
  proxy: ['http://', (text) => findProxy(new URL('https://a'), { HTTPS_PROXY: text, NO_PROXY: text })],
  'secret command line': ['a ', (command) => makeInvocation(command, 'linux')],
  'typed field': ['k:=', (field) => parseFields([field])],
  header: ['A:', (header) => parseHeaders([header])],
  'shell words': ['orgctl ', shellWords],
  sanitize: ['', sanitize],
};

describe('a matcher takes twice as long for twice the text', () => {
  it.each(Object.entries(matchers))('%s', async (matcher, [beginning, match]) => {
    const length = shorter.has(matcher) ? 4096 : undefined;
    // The first is enough: one that is not linear takes its time.
    for (const [name, shape] of [...shapes(), ...(beginning === '' ? [] : shapes(beginning))]) {
      const complaint = await growthComplaint(match, shape, length);
      expect(complaint, name).toBeUndefined();
    }
  });
});

describe('a refusal takes twice as long for twice the text, log and journal included', () => {
  const running = useServer({ onLog: (entry) => void JSON.stringify(entry) });
  const timestamp = () => String(Math.floor(Date.now() / 1000));
  const key = () => `X-API-Key: ${running.server.keyId}\r\n`;
  const stamped = () => `${key()}X-API-Timestamp: ${timestamp()}\r\n`;
  const zeros = '0'.repeat(64);

  /** The head of a request, its body, and how long its text may be. */
  const refusals: Record<
    string,
    [length: number, (text: string) => [target: string, headers: string, body?: string]]
  > = {
    'target, no credential': [7000, (text) => [`/${text}`, '']],
    'target, wrong signature': [7000, (text) => [`/${text}`, `${stamped()}X-API-Signature: ${zeros}\r\n`]],
    'key ID': [7000, (text) => ['/quotas', `X-API-Key: ${text}\r\n`]],
    Basic: [7000, (text) => ['/quotas', `Authorization: Basic ${text}\r\n`]],
    'Basic credentials': [
      5000,
      (text) => ['/quotas', `Authorization: Basic ${btoa(`${running.server.keyId}:${text}`)}\r\n`],
    ],
    'other headers': [7000, (text) => ['/quotas', `Origin: ${text}\r\nX-Other: a\r\n`]],
    timestamp: [7000, (text) => ['/quotas', `${key()}X-API-Timestamp: ${text}\r\n`]],
    signature: [7000, (text) => ['/quotas', `${stamped()}X-API-Signature: ${text}\r\n`]],
    'content type': [7000, (text) => signedPost(`application/json${text}`, '{}')],
    'body, wrong signature': [8000, (text) => ['/teams', `${stamped()}X-API-Signature: ${zeros}\r\n`, text]],
    'body, signed': [8000, (text) => signedPost('application/json', text)],
  };

  function signedPost(type: string, body: string): [string, string, string] {
    const at = timestamp();
    const contentType = type.trim();
    const canonical = Buffer.from(`POST\n/teams\n${at}\n${contentType}\n${body}`);
    const signature = hmacSignature(running.server.secret, canonical);
    const headers = `${key()}X-API-Timestamp: ${at}\r\nX-API-Signature: ${signature}\r\nContent-Type: ${contentType}\r\n`;
    return ['/teams', headers, body];
  }

  it.each(Object.entries(refusals))('%s', async (_name, [length, refusalOf]) => {
    for (const [name, shape] of shapes()) {
      const work = async (text: string) => {
        await running.server.control.journal.clear();
        const [target, headers, body = ''] = refusalOf(
          /^[\x20-\x7e]*$/.test(text) || length === 8000 ? text : 'a',
        );
        await exchanged(running.server, target, headers, Buffer.from(body));
        await running.server.control.journal.get();
      };
      const complaint = await growthComplaint(work, shape, length);
      expect(complaint, name).toBeUndefined();
    }
  });
});

const times = 5;

/** Sends a request a few times over one connection, to the end of what comes back. */
function exchanged(server: RunningServer, target: string, headers: string, body: Buffer): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const method = body.length === 0 ? 'GET' : 'POST';
  const head = (connection: string) =>
    Buffer.from(
      `${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n${headers}Content-Length: ${body.length}\r\n\r\n`,
      'latin1',
    );
  const all = Array.from({ length: times }, (_, nth) => [
    head(nth === times - 1 ? 'close' : 'keep-alive'),
    body,
  ]);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.concat(all.flat())));
    socket.resume();
    socket.on('error', () => resolve());
    // What is told of the last one is told after its answer.
    socket.on('close', () => setImmediate(resolve));
  });
}
