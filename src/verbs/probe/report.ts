import { parseHttpDate } from '../../client/answers/time-headers.js';
import { compareSettings, type DialectDifference } from '../../client/probing/compare-dialect.js';
import { listLimitHeaders } from '../../client/probing/find-service.js';
import { referenceDialect } from '../../client/probing/leaves.js';
import type { TimedCall } from '../../client/probing/watch-calls.js';
import type { TypedView } from '../../terminal/output/printer.js';
import type { ProbedService } from './probe-service.js';

/** Whether the service accepts each authentication scheme; `null` if not tried. */
export interface TakenSchemes {
  readonly hmac: boolean | null;
  readonly basic: boolean | null;
}

export interface ProbeRow {
  /** The kind, `all` for every kind, or empty for the service itself. */
  readonly kind: string;
  readonly field: string;
  readonly found: string;
  readonly differs: string;
  readonly serve: string;
}

export const probeView: TypedView<ProbeRow> = {
  columns: [
    { header: 'KIND', value: 'kind' },
    { header: 'FIELD', value: 'field', id: true },
    { header: 'FOUND', value: 'found' },
    { header: 'DIFFERS', value: 'differs', style: (text, _, chalk) => chalk.yellow(text) },
    { header: 'SERVE', value: 'serve', style: (text, _, chalk) => chalk.dim(text) },
  ],
};

export const differenceView: TypedView<DialectDifference> = {
  columns: [
    { header: 'KIND', value: ({ kind = '' }) => kind },
    { header: 'FIELD', value: 'field', id: true },
    { header: 'EXPECTED', value: ({ expected }) => showSetting(expected) },
    { header: 'FOUND', value: ({ found }) => showSetting(found) },
  ],
};

function showSetting(value: DialectDifference['found']): string {
  return value === null || value === '' ? 'none' : String(value);
}

export function describeProbe(
  { observed, wholeness }: ProbedService,
  calls: readonly TimedCall[],
  auth: TakenSchemes,
) {
  const { kinds, dialect } = observed;
  return {
    dialect,
    kinds: Object.fromEntries(
      kinds.map(({ kind, state, missing, fields }) => [
        kind,
        { state, missing: missing ?? null, whole: wholeness.get(kind) ?? null, fields },
      ]),
    ),
    service: {
      http: '1.1',
      latency: medianLatency(calls),
      skew: measureProbedSkew(calls),
      limitHeaders: listLimitHeaders(calls),
      auth,
    },
    differences: compareSettings(observed, referenceDialect).filter(
      ({ expected, found }) => expected !== found,
    ),
    calls: calls.length,
  };
}

type DescribedProbe = ReturnType<typeof describeProbe>;

function medianLatency(calls: readonly TimedCall[]): number {
  const sorted = calls.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

/** Seconds that the service's clock is ahead; `null` without a `Date`. */
function measureProbedSkew(calls: readonly TimedCall[]): number | null {
  for (const { headers, arrived } of calls) {
    const date = parseHttpDate(headers.find(([name]) => name.toLowerCase() === 'date')?.[1]);
    if (date !== undefined) return Math.round((date + 500 - arrived) / 1000);
  }
  return null;
}

export function probeRows(
  { observed }: ProbedService,
  { kinds, service }: DescribedProbe,
): readonly ProbeRow[] {
  const settings = compareSettings(observed).map(({ kind = '', field, expected, found }) => ({
    kind,
    field,
    found: field === 'missing' && found === null ? 'no' : showSetting(found),
    ...(expected === found
      ? { differs: '', serve: '' }
      : { differs: '*', serve: field === 'missing' ? 'no' : showSetting(expected) }),
  }));
  const read = observed.kinds.filter(({ state }) => state === 'read').map(({ kind }) => kind);
  const facts = Object.entries(kinds).flatMap(([kind, { state, whole, fields }]) => [
    fact(kind, 'list', state === 'read' ? showWholeness(whole) : state),
    ...(state === 'read' ? [fact(kind, 'fields', showFields(fields))] : []),
  ]);
  return [...gatherKinds(settings, read), ...facts, ...serviceFacts(service)];
}

function fact(kind: string, field: string, found: string): ProbeRow {
  return { kind, field, found, differs: '', serve: '' };
}

function serviceFacts({ http, latency, skew, limitHeaders, auth }: DescribedProbe['service']): ProbeRow[] {
  const schemes = Object.entries(auth).map(
    ([name, taken]) => `${name}: ${taken === null ? 'not tried' : taken ? 'yes' : 'no'}`,
  );
  return [
    fact('', 'limit headers', limitHeaders.join(', ') || 'none'),
    fact('', 'authentication', schemes.join(', ')),
    fact('', 'clock', skew === null ? 'no Date' : describeSkew(skew)),
    fact('', 'HTTP', http),
    fact('', 'latency', `${latency} ms`),
  ];
}

function describeSkew(seconds: number): string {
  if (seconds === 0) return 'in sync with this machine';
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`;
}

function showWholeness(whole: boolean | null): string {
  if (whole === null) return 'not read to the end';
  return whole ? 'proved complete' : 'not proved complete';
}

function showFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, type]) => `${name}: ${type}`)
    .join(', ');
}

function gatherKinds(rows: readonly ProbeRow[], read: readonly string[]): ProbeRow[] {
  const same = (one: ProbeRow, other: ProbeRow) =>
    one.field === other.field && one.found === other.found && one.serve === other.serve;
  return rows.flatMap((row, at) => {
    const alike = rows.filter((other) => other.kind !== '' && same(row, other));
    if (row.kind === '' || read.length < 2 || alike.length < read.length) return [row];
    return rows.findIndex((other) => other.kind !== '' && same(row, other)) === at
      ? [{ ...row, kind: 'all' }]
      : [];
  });
}
