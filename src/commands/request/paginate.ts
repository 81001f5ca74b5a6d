import { resources } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { decodeAny } from '../../client/answers/decode.js';
import { assertListed } from '../../client/answers/outcome.js';
import type { Page } from '../../client/api.js';
import type { Answer } from '../../client/exchange/exchange.js';
import type { ApiRequest } from '../../client/exchange/request.js';
import { pageTarget } from '../../client/page-request.js';
import type { ResourceNames } from '../../client/reading/fields.js';
import { chooseForms, type Forms, knownForms, listPageParameters } from '../../client/reading/forms.js';
import type { AskedPage } from '../../client/reading/next-page.js';
import { readPage } from '../../client/reading/read-page.js';
import type { Transport } from '../../client/transport/transport.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import type { Printer } from '../../terminal/output/printer.js';
import { type FetchResources, takeAllPages } from '../resource/pages.js';

/** Prints the items of all pages as one list. @throws UsageError for a target that chooses a page */
export async function printPages(
  call: ApiRequest,
  transport: Transport,
  printer: Printer,
  context: Context,
): Promise<void> {
  const kind = /([^/?]*)\/?(?:\?|$)/.exec(call.target)?.[1] ?? '';
  const known = resources.find((one) => one.kind === kind);
  const names = known ?? { kind };
  const what = known?.plural ?? (kind || 'items');
  const { list } = chooseForms(transport.forms, kind);
  // The list would not be whole, and have the parameter twice.
  const parameters = listPageParameters(list);
  const query = new URLSearchParams(call.target.split('?').slice(1).join('?'));
  const chosen = [...query.keys()].find((name) => parameters.has(name));
  if (chosen !== undefined) {
    const hint = `leave ${chosen}=… out of the target`;
    throw new UsageError('--paginate begins at the first page', { hint });
  }
  const fetch: FetchResources = async ({ page, next, deadline }, left) => {
    const target = pageTarget(call.target, { page, next }, list);
    const answer = await transport.send({ ...call, target, deadline }, left);
    return pageIn(answer, { ...transport, target }, names, transport.forms);
  };
  // Without a limit in the target, the length of a page is unknown.
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
  const request = { limit, deadline: transport.deadline };
  await takeAllPages({ fetch, request, what }, context, (items) => printer.documents(oneByOne(items)));
}

function pageIn(answer: Answer, asked: AskedPage, names: ResourceNames, forms: Forms): Page {
  const { called, status, headers } = answer;
  const value = decodeAny(answer);
  assertListed(answer, value, forms !== knownForms);
  const found = readPage({ value, headers, asked }, names, chooseForms(forms, names.kind), isResource);
  if (found !== undefined) return found.page;
  throw new ServiceError('server', `${called.method} ${called.target} did not return a list`, {
    status,
    method: called.method,
    path: called.target,
    retryable: false,
    hint: 'without --paginate orgctl prints the response as received',
  });
}

async function* oneByOne<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  for await (const item of items) yield [item];
}
