import { leavesIn, referenceDialect } from '../../client/probing/leaves.js';
import type { ProbedKind } from '../../client/probing/probed-kind.js';
import type { ObservedService } from '../../client/probing/to-dialect.js';

/** Fields that no response to a GET shows. */
const writtenOnly = ['item.created.status', 'item.created.body', 'item.deleted'];

const waySettings: ReadonlySet<string> = new Set(['list.paging', 'list.firstPage', 'list.parameters.page']);

/** Notes on settings that the dialect file of a probe omits, and on lists and quotas that it could not read. */
export function describeOmitted({ kinds, forms, unreadQuotas }: ObservedService): readonly string[] {
  const read = kinds.filter(({ state }) => state === 'read');
  const fields = new Map<string, string[]>();
  for (const one of read) {
    for (const field of listOmitted(one)) fields.set(field, [...(fields.get(field) ?? []), one.kind]);
  }
  const own = leavesIn(forms);
  const common = ['quotas.form', 'headers.case', 'errors'].filter((field) => !own.has(field));
  const unclear = [...fields].map(([field, of]) =>
    of.length === read.length ? field : `${field} (${of.join(', ')})`,
  );
  const inexpressible = read.filter(({ isInexpressible }) => isInexpressible);
  const unread = kinds.filter(({ state }) => state === 'unread' || state === 'refused');
  return [
    `omitted, because probe only reads: ${[...writtenOnly, "the name of the field with a new key's secret"].join(', ')}`,
    ...(own.has('headers.rateLimit')
      ? []
      : ['omitted, because only a 429 response shows it: headers.rateLimit']),
    ...(common.length + unclear.length === 0
      ? []
      : [
          `omitted, because no response showed them, or there were too few rows to tell: ${[...unclear, ...common].join(', ')}`,
        ]),
    ...(inexpressible.length === 0
      ? []
      : [
          `omitted, because a dialect cannot express it: the paging of ${inexpressible.map(({ kind }) => kind).join(', ')}`,
        ]),
    ...unread.map(({ kind, state }) =>
      state === 'refused'
        ? `this key is not allowed to list ${kind}`
        : `orgctl does not understand the list of ${kind}`,
    ),
    ...(unreadQuotas.length === 0
      ? []
      : [`orgctl does not understand the quota of ${unreadQuotas.join(', ')}`]),
  ];
}

function listOmitted({ kind, list, item, isInexpressible }: ProbedKind): string[] {
  const observed = new Set([...leavesIn({ list, item }).keys()]);
  const all = leavesIn({ list: referenceDialect.list, item: referenceDialect.item });
  return [...all.keys()].filter(
    (field) =>
      !observed.has(field) &&
      !(isInexpressible && waySettings.has(field)) &&
      !writtenOnly.includes(field) &&
      matters(field, kind, list),
  );
}

function matters(field: string, kind: string, { items, paging, parameters }: ProbedKind['list']): boolean {
  if (field === 'item.ids') return kind !== 'api-keys';
  if (field === 'list.counts') return items !== null;
  if (field === 'list.firstPage') return paging !== 'cursor' && paging !== 'after' && paging !== 'none';
  if (paging === 'none') return !/^list\.(?:parameters|limit)\./.test(field);
  return parameters?.limit !== null || !/^list\.limit\.(?:max|beyond)$/.test(field);
}
