import { expect, it } from 'vitest';
import type { KeptBody, ProxiedExchange } from '../../src/proxy/exchange.js';
import { toRecord } from '../../src/proxy/record/record-exchange.js';
import { MaskedCursors } from '../../src/proxy/record/record-forms.js';

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
      reason: 'OK',
      headers: ['Content-Type', 'application/json', 'X-Whatever', where.answered ?? ''],
      body: kept({ data: [{ id: 'team_1', config: { password: where.answer ?? '' } }], total: 1 }),
    },
    startedAt: 0,
    headAfter: 1,
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

it('a record has no Via of the proxy, and of a Link header what pages are asked by, with placeholders for cursors, and no credential or unknown parameter', () => {
  const sent = exchange({});
  const links =
    '<https://u:hunter2@api.example/teams?page=2&cursor=aHVudGVyMg==&token=hunter2>; rel="next", </teams?after=hunter2>; rel=prev';
  const response = sent.response && { ...sent.response, headers: ['Link', links, 'Via', '1.1 orgctl'] };
  const record = toRecord({ ...sent, response }, 'https://api.example');
  expect(record?.headers).toEqual([
    [
      'Link',
      '<https://********@api.example/teams?page=2&cursor=cursor-1&token=********>; rel="next", </teams?after=cursor-2>; rel="prev"',
    ],
  ]);
});

it('a cursor has one placeholder in a whole recording, in bodies, links and targets, however it is written', () => {
  const cursors = new MaskedCursors();
  const placesOf = (target: string, next: unknown) => {
    const sent = exchange({});
    const response = sent.response && { ...sent.response, body: kept({ data: [], next_cursor: next }) };
    const paged = { ...sent, target: Buffer.from(target), response };
    const { target: recorded, body } = toRecord(paged, 'https://api.example', cursors) ?? {};
    return [recorded, body && 'text' in body && JSON.parse(body.text).next_cursor];
  };
  expect(placesOf('/teams?limit=2', 'a/b+c=')).toEqual(['/teams?limit=2', 'cursor-1']);
  expect(placesOf('/teams?cursor=a%2Fb%2Bc%3D', 4_111_111_111_111_111)).toEqual([
    '/teams?cursor=cursor-1',
    'cursor-2',
  ]);
  const third = placesOf('/teams?cursor=4111111111111111', '/teams?after=a/b%2Bc=');
  expect(third).toEqual(['/teams?cursor=cursor-2', '/teams?after=cursor-1']);
  expect(placesOf('/teams?cursor=', 'team_1')).toEqual(['/teams?cursor=********', 'team_1']);
});
