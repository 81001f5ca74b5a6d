import { expect, it } from 'vitest';
import type { KeptBody } from '../../src/proxy/body.js';
import type { ProxiedExchange } from '../../src/proxy/exchange.js';
import { toRecord } from '../../src/proxy/recording.js';

const secret = 'hunter2-hunter2';

function kept(value: object): KeptBody {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, length: bytes.length, isWhole: true };
}

/** An exchange that has the secret in one place, as `where` says, and nothing else. */
function exchange(
  where: Partial<Record<'target' | 'header' | 'body' | 'answered' | 'answer', string>>,
): ProxiedExchange {
  return {
    method: 'POST',
    target: Buffer.from(`/teams?limit=5&token=${where.target ?? ''}`),
    requestHeaders: ['Content-Type', 'application/json', 'X-Whatever', where.header ?? ''],
    requestBody: kept({ config: { password: where.body ?? '' } }),
    isSigned: false,
    response: {
      status: 200,
      headers: ['Content-Type', 'application/json', 'X-Whatever', where.answered ?? '', 'Via', '1.1 orgctl'],
      body: kept({ data: [{ id: 'team_1', config: { password: where.answer ?? '' } }], total: 1 }),
    },
    startedAt: 0,
    milliseconds: 2,
    outcome: 'passed',
    problem: undefined,
    fault: undefined,
  };
}

it.each(['target', 'header', 'body', 'answered', 'answer'])(
  'a record has nothing that is secret: %s',
  (place) => {
    const record = toRecord(exchange({ [place]: secret }), 'https://api.example');
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(record).toMatchObject({ method: 'POST', status: 200 });
    expect(record?.target).toContain('limit=5');
    expect(JSON.stringify(record?.body)).toContain('team_1');
  },
);

it('a record shows nowhere what was sent as a secret, not even where it looks harmless', () => {
  const sent = exchange({ header: 'team_secret1' });
  const id = kept({ data: [{ id: 'team_secret1' }], total: 1 });
  const response = sent.response && { ...sent.response, body: id };
  const record = toRecord({ ...sent, response }, 'https://api.example');
  expect(JSON.stringify(record)).not.toContain('team_secret1');
});

it('a record has no Via of the proxy, and shows where a list is and whether it ends, but no cursor', () => {
  const sent = exchange({});
  const body = kept({ items: [{ id: 'team_1' }], meta: { has_more: false }, next: null, cursor: 'hunter2' });
  const response = sent.response && { ...sent.response, body };
  const record = toRecord({ ...sent, response }, 'https://api.example');
  expect(record?.headers.map(([name]) => name)).not.toContain('Via');
  const text = '{"items":[{"id":"team_1"}],"meta":{"has_more":false},"next":null,"cursor":"********"}';
  expect(record?.body).toEqual({ text });
});
