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
import {
  chooseForms,
  type Forms,
  knownForms,
  type ListForms,
  listPageParameters,
} from '../../client/reading/forms.js';
import type { AskedPage } from '../../client/reading/next-page.js';
import { readPage } from '../../client/reading/read-page.js';
import type { Transport } from '../../client/transport/transport.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import type { Printer } from '../../terminal/output/printer.js';
import { type FetchResources, takeAllPages } from '../resource/pages.js';

/** @throws UsageError for a call whose pages cannot be followed */
export function assertPageable(call: ApiRequest, include: boolean): void {
  if (call.method !== 'GET') throw new UsageError(`--paginate works with GET, not with ${call.method}`);
  if (include) throw new UsageError('--paginate and --include cannot be combined');
}

/** @throws UsageError for a target that chooses a page: the list would not be whole, and have the parameter twice */
function assertFirstPage(target: string, list: ListForms): void {
  const asked = [...new URLSearchParams(target.split('?').slice(1).join('?')).keys()];
  const parameters = listPageParameters(list);
  const chosen = asked.find((name) => parameters.has(name));
  if (chosen === undefined) return;
  throw new UsageError('--paginate begins at the first page', {
    hint: `leave ${chosen}=… out of the target`,
  });
}

/** Prints the items of all pages as one list. */
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
  assertFirstPage(call.target, list);
  const fetch: FetchResources = async ({ page, next, deadline }, left) => {
    const target = pageTarget(call.target, { page, next }, list);
    const answer = await transport.send({ ...call, target, deadline }, left);
    return pageIn(answer, { ...transport, target }, names, transport.forms);
  };
  const request = { limit: limitIn(call.target), deadline: transport.deadline };
  await takeAllPages({ fetch, request, what }, context, (items) => printer.documents(oneByOne(items)));
}

/** The limit in the target; `Infinity` if it has none, because the length of a page is then unknown. */
function limitIn(target: string): number {
  return Number(/[?&]limit=(\d+)/.exec(target)?.[1] ?? Number.POSITIVE_INFINITY);
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
