import { expect, it } from 'vitest';
import { pinForms } from '../../src/client/reading/pinned-forms.js';
import { type DialectInput, startServer } from '../../src/server/index.js';
import { type ForeignAnswer, foreignRows, type PageAsked } from '../support/foreign-service.js';
import { openClient } from './support/open-client.js';
import { readAll, readNames } from './support/read-all.js';

type List = (asked: PageAsked) => ForeignAnswer;

function formsOf(dialect: DialectInput | string) {
  const pinned = pinForms(dialect);
  if ('misfit' in pinned) throw new Error(pinned.misfit);
  return pinned.forms;
}

const rows = foreignRows(100);

it.each([
  [{ total: 250 }, 'showing 100 of 250; the service refuses further pages'],
  [{}, 'showing 100; the service refuses further pages'],
  [{ page: 1, pages: 3 }, 'showing 100; the service refuses further pages'],
])('a service that refuses page numbers is told from a list that ends: %j', async (figures, why) => {
  const list: List = ({ query }) =>
    query.has('page')
      ? { status: 400, body: { error: 'unknown parameter: page' } }
      : { body: { data: rows, ...figures } };
  const { names, doubts } = await readAll({ list });
  expect([names.length, doubts]).toEqual([100, [`the list of rows may be incomplete: ${why}`]]);
});

it.each(['reference', 'bare', 'cursor', 'camel'] as const)(
  'a list of orgctl serve --dialect %s takes as many requests as it has pages',
  async (dialect) => {
    const count = 100;
    const teams = foreignRows(count).map(({ name }) => ({ name }));
    const seed = { organizations: [{ name: 'a', teams }] };
    await using server = await startServer({ http: true, dialect, quotas: { teams: 500 }, seed });
    const { origin, pathname } = new URL(server.url);
    const credential = { keyId: server.keyId, secret: server.secret };
    const prefix = pathname.replace(/\/$/, '');
    for (const forms of [undefined, formsOf(dialect)]) {
      // Only a pinned dialect names the parameter of camel's page size.
      const size = dialect === 'cursor' ? 50 : dialect === 'camel' && forms === undefined ? 20 : 100;
      await server.control.journal.clear();
      const { api } = openClient({ origin }, { credential, prefix, clock: Date.now, forms });
      const { names, doubts } = await readNames(api.teams.list);
      expect([names.length, doubts]).toEqual([count, []]);
      expect(await server.control.journal.get()).toHaveLength(Math.ceil(count / size));
    }
  },
);
