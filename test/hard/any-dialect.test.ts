import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DialectInput, type RunningServer, startServer } from '../../src/server/index.js';
import { type Env, requestsWhile } from '../support/organization.js';
import { emptyEnvironment, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { printedSeed, rounds } from './support/budget.js';

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
const pick = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values);

const limit = fc
  .tuple(pick(1, 2, 10, 20, 50, 100), pick(50, 100, 101, 250), pick('cap', 'refuse'))
  .map(([size, max, beyond]) => ({ default: Math.min(size, max), max, beyond }));

/** Names that services have, and some that no client knows. */
const anyList = fc.record(
  {
    items: orNull(pick('data', 'items', 'results', 'records', '{kind}', 'zork')),
    meta: orNull(pick('meta', 'pagination', 'page_info', 'frob')),
    paging: pick('page', 'cursor', 'after', 'link', 'next', 'none'),
    firstPage: pick(0, 1),
    parameters: fc.record({
      limit: orNull(pick('limit', 'per_page', 'pageSize')),
      page: pick('page', 'cursor', 'starting_after', 'pageNumber', 'after', 'blorp'),
    }),
    fields: fc.record({
      total: orNull(pick('total', 'totalCount', 'count', 'many')),
      page: orNull(pick('page', 'pageNumber', 'current_page', 'where')),
      limit: orNull(pick('limit', 'per_page', 'pageSize')),
      pages: orNull(pick('pages', 'totalPages', 'sheets')),
      next: orNull(pick('next', 'next_cursor', 'nextPageToken', 'next_page', 'onward')),
      hasMore: orNull(pick('has_more', 'hasNext', 'further')),
    }),
    totalHeader: orNull(pick('X-Total-Count', 'X-Sum')),
    counts: pick('number', 'text'),
    limit,
  },
  { requiredKeys: ['items', 'paging', 'fields', 'parameters'] },
);

/** No service goes on by a field that it does not have, or that has no place beside a bare array. */
const list = anyList.filter(
  ({ paging, items, fields }) =>
    (paging !== 'cursor' && paging !== 'next') || (items !== null && fields.next !== null),
);

const item = fc.record(
  {
    in: orNull(pick('data', 'result', '{kind}', 'thing')),
    ids: pick('text', 'number'),
    case: pick('snake', 'camel'),
    names: fc.record(
      {
        secret: pick('secret', 'secret_key', 'apiSecret', 'token', 'murmur'),
        id: pick('id', 'uuid', 'key_id', 'ref'),
        created_at: pick('created', 'made_at'),
      },
      { requiredKeys: [] },
    ),
    created: fc.record({ status: pick(200, 201, 202), body: pick('item', 'none') }),
    deleted: pick(200, 202, 204),
  },
  { requiredKeys: [] },
);

const dialects: fc.Arbitrary<DialectInput> = fc.record(
  {
    dialect: fc.constant(1 as const),
    basePath: pick('', '/api', '/api/v1'),
    list,
    item,
    kinds: fc.record({ teams: fc.record({ list, item }, { requiredKeys: [] }) }, { requiredKeys: [] }),
    quotas: fc.record({ form: pick('data', 'bare', 'quotas', 'list'), counts: pick('number', 'text') }),
    errors: pick('message', 'messages', 'error', 'error.message', 'detail', 'problem', 'errors', 'text'),
  },
  { requiredKeys: ['dialect', 'list'] },
);

const counts = pick(0, 1, 2, 19, 20, 21, 50, 51, 99, 100, 101, 200, 250);

/** Pages after the last ID, in the parameter of a page's number, and without a word of whether there are more. */
const afterLastId = [null, 'has_more'].map((hasMore): [DialectInput, number] => {
  const told = { total: null, page: null, limit: null, pages: null, next: null, hasMore };
  const parameters = { limit: null, page: 'page' };
  return [{ dialect: 1, list: { paging: 'after', parameters, fields: told }, item: { ids: 'number' } }, 51];
});

/** A server of a dialect with so many teams; `undefined` where no service can be like that. */
async function serve(dialect: DialectInput, count: number): Promise<RunningServer | undefined> {
  const teams = Array.from({ length: count }, (_, at) => ({ id: `team_${at}`, name: `team-${at}` }));
  const options = { http: true, quotas: { teams: 500 }, seed: { organizations: [{ name: 'a', teams }] } };
  return startServer({ ...options, dialect }).catch((error: unknown) => {
    if (error instanceof Error && error.message.includes('dialect')) return undefined;
    throw error;
  });
}

function environments(server: RunningServer, dialect: DialectInput): readonly Env[] {
  const { url: baseUrl, keyId, secret } = server;
  const profile = { baseUrl, keyId, secret, dialect };
  const pinned = withProfileFile({ version: 1, current: 'main', profiles: { main: profile } });
  return [{ ...emptyEnvironment(), ...serviceEnvironment(server) }, pinned];
}

/** Of so many drawn dialects each list gives every row, or is said not to be proved whole, and then nothing is planned. */
async function expectEveryRow(numRuns: number, seed: number): Promise<void> {
  const outcomes = { served: 0, whole: 0, refused: 0, pinnedRefused: 0 };
  await fc.assert(
    fc.asyncProperty(dialects, counts, async (dialect, count) => {
      await using server = await serve(dialect, count);
      if (server === undefined) return;
      outcomes.served += 1;
      const wanted = Array.from({ length: count }, (_, at) => `team-${at}`);
      for (const [at, env] of environments(server, dialect).entries()) {
        const ended = await runCli(['teams', 'list', '--all', '--query', '[].name'], { env });
        expect([0, 10, 14]).toContain(ended.code);
        if (ended.code === 0) {
          expect(JSON.parse(ended.stdout).toSorted()).toEqual(wanted.toSorted());
          outcomes.whole += 1;
          continue;
        }
        outcomes[at === 0 ? 'refused' : 'pinnedRefused'] += 1;
        const path = join(temporaryDirectory(), 'teams.json');
        writeFileSync(path, JSON.stringify([{ name: `team-${count - 1}` }, { name: 'new' }]));
        const calls = await requestsWhile(server, async () => {
          const created = await runCli(['teams', 'create', '--file', path, '--skip-existing'], { env });
          expect(created.code).not.toBe(0);
        });
        expect(Object.keys(calls)).toEqual(['GET']);
      }
    }),
    { numRuns, seed, examples: afterLastId },
  );
  expect(outcomes.pinnedRefused).toBe(0);
  expect(outcomes.whole).toBeGreaterThan(outcomes.served);
  expect(outcomes.refused).toBeGreaterThan(0);
}

/** Of so many drawn dialects each answer to a new key shows its secret. */
async function expectEverySecret(numRuns: number, seed: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(dialects, async (dialect) => {
      await using server = await serve(dialect, 0);
      if (server === undefined) return;
      for (const env of environments(server, dialect)) {
        const ended = await runCli(['api-keys', 'create', '--name', 'ci', '-o', 'json'], { env });
        expect([0, 10]).toContain(ended.code);
        const secret = /"([A-Za-z0-9]{64})"/.exec(ended.stdout)?.[1];
        const id = /"(key_[0-9a-f]+)"/.exec(ended.stdout)?.[1];
        if (ended.code === 0) expect(JSON.parse(ended.stdout)).toMatchObject({ id, secret });
        const asKey = { ...env, ...serviceEnvironment(server), ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret };
        const quotas = await runCli(['quotas'], { env: asKey });
        expect({ code: quotas.code, stderr: quotas.stderr }).toMatchObject({ code: 0 });
      }
    }),
    { numRuns, seed },
  );
}

it('a list in any dialect has every row, or is reported as incomplete, and then nothing is planned', () =>
  expectEveryRow(rounds(300, 60), printedSeed('any dialect')));

it('the secret of a new key is shown in any dialect', () =>
  expectEverySecret(rounds(150, 30), printedSeed('any dialect')));
