import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/api/dialect/dialect.js';
import type { ObservedCall } from '../../../src/client/probing/observed-call.js';
import { toDialect } from '../../../src/client/probing/to-dialect.js';

const place = { origin: 'https://api.example.com', basePath: '' };

function call(target: string, body: unknown, changes: Partial<ObservedCall> = {}): ObservedCall {
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    request: { method: 'GET', target },
    status: 200,
    headers: [],
    body: Buffer.from(json),
    ...changes,
  };
}

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ id: `team_${from + at}`, name: 'a' }));

describe('the dialect of calls that somebody made', () => {
  it('is told by a program’s own pages, in any order of kinds, among calls of other things', () => {
    const { dialect, kinds } = toDialect(
      [
        call('/connections', [], { request: { method: 'POST', target: '/connections' } }),
        call('/teams?limit=2', { items: rows(0, 2), next_cursor: 'Q', has_more: true }),
        call('/elsewhere', 'hello'),
        call('/teams?limit=2&cursor=Q', { items: rows(2, 4), next_cursor: null, has_more: false }),
        call('/teams?limit=3', { items: rows(0, 3), next_cursor: 'R', has_more: true }),
      ],
      place,
    );
    expect(dialect).toEqual({
      dialect: 1,
      list: {
        items: 'items',
        fields: {
          total: null,
          page: null,
          limit: null,
          pages: null,
          next: 'next_cursor',
          hasMore: 'has_more',
        },
        paging: 'cursor',
        parameters: { page: 'cursor' },
      },
    });
    expect(kinds.map(({ state }) => state)).toEqual(['unasked', 'unasked', 'read']);
  });

  it.each([
    ['offsets', '&offset=2', { offset: 0 }, true],
    ['a cursor in a field that may be that of this page', '&cursor=Q', { cursor: 'Q' }, true],
    ['a filter', '&name=b', {}, undefined],
  ])('has no paging by %s, which a dialect cannot express', (_what, query, shown, isInexpressible) => {
    const { dialect, kinds } = toDialect(
      [
        call('/teams?limit=2', { data: rows(0, 2), limit: 2, ...shown }),
        call(`/teams?limit=2${query}`, { data: rows(2, 4), limit: 2, ...shown }),
      ],
      place,
    );
    expect(dialect.list?.paging).toBeUndefined();
    expect(dialect.list?.parameters).toBeUndefined();
    expect(kinds.at(-1)?.isInexpressible).toBe(isInexpressible);
  });

  it('has the header that a 429 came with', () => {
    const refused = (headers: ObservedCall['headers']) =>
      toDialect([call('/teams', { error: 'slow' }, { status: 429, headers })], place).dialect.headers;
    expect(refused([['RateLimit', 'r=0;t=3']])).toEqual({ rateLimit: 'ratelimit' });
    expect(refused([['X-RateLimit-Reset', '9']])).toEqual({ rateLimit: 'x-ratelimit-reset' });
    expect(refused([])).toEqual({ rateLimit: 'none' });
    expect(refused([['Retry-After', '3']])).toBeUndefined();
  });

  it('has the form of the errors that are the service’s own, and no name that may be one of two', () => {
    const refused = call('/teams', { error: 'x' }, { status: 400 });
    const failed = call('/teams', { message: 'x' }, { status: 502 });
    const errorsOf = (...calls: ObservedCall[]) => toDialect(calls, place).dialect.errors;
    expect([errorsOf(refused, failed), errorsOf(failed)]).toEqual(['error', undefined]);
    const namesOf = (row: object) =>
      toDialect([call('/teams', { data: [{ id: 'team_0', ...row }] })], place).dialect.item?.names;
    expect(namesOf({ title: 'a' })).toEqual({ name: 'title' });
    expect(namesOf({ title: 'a', label: 'b' })).toBeUndefined();
  });

  it.each([
    ['no calls', []],
    ['no JSON', [call('/teams', '<html>'), call('/quotas', '{')]],
    ['no list', [call('/teams', { a: [1], b: [2] }), call('/teams', null), call('/teams', 7)]],
    [
      'errors that disagree',
      [1, 2].map((at) => call('/teams', at === 1 ? { error: 'x' } : { detail: 'x' }, { status: 400 })),
    ],
    ['a page that says it has none', [call('/teams', { data: [], total: 0, page: 0, limit: 0, pages: 0 })]],
    ['names that objects have of themselves', [call('/teams', '{"__proto__":[{"id":"a"}],"constructor":1}')]],
  ])('says nothing that %s does not show', (_what, calls) => {
    const { dialect } = toDialect(calls, place);
    expect(dialect.errors).toBeUndefined();
    expect(Object.keys(dialect.list?.limit ?? {})).toEqual([]);
    expect(dialect.kinds).toBeUndefined();
  });

  it('is a file that the schema takes, without names that may be values', () => {
    const link = (query: string): ObservedCall['headers'] => [['Link', `</teams?${query}>; rel="next"`]];
    const told = (query: string) =>
      toDialect(
        [
          call('/teams', rows(0, 2), { headers: link(query) }),
          call('/teams/team_0', { org_123: { id: 'team_0' } }),
        ],
        place,
      ).dialect;
    for (const query of ['page[number]=2', '=2', `${'x'.repeat(99)}=2`, 'acme+corp=2', '__proto__=2']) {
      const dialect = told(query);
      expect(dialectSchema.safeParse(dialect).success).toBe(true);
      expect(JSON.stringify(dialect)).not.toMatch(/org_123|number|xx|acme/);
    }
    expect(told('tenant=a&pageNumber=2').list?.parameters).toEqual({ page: 'pageNumber' });
  });

  it('has a default page that is no larger than the largest, whichever was told', () => {
    const page = { data: rows(0, 2), total: 300, limit: 250 };
    const { list } = toDialect([call('/teams', page)], place).dialect;
    expect(list?.limit).toEqual({ default: 250, max: 250 });
  });

  it('keeps to the base path, and takes no other for it', () => {
    const below = { ...place, basePath: '/v2' };
    const calls = [call('/teams', { items: [] }), call('/v2/teams', { results: [] })];
    expect(toDialect(calls, below).dialect).toMatchObject({ basePath: '/v2', list: { items: 'results' } });
  });
});
