import { barSeconds, journal, listBars, type Tally } from './session/journal.js';
import { labelField, toHref } from './session/route.js';
import { now, organization, status } from './session/server.js';
import { Facts, Head, Panel } from './ui/page.js';
import { Age, Copyable, count, describeOffset, describeRate, Outcome } from './ui/words.js';

export function Overview() {
  return (
    <>
      <Head title="Overview" />
      <Unusual />
      <Traffic />
      <div class="columns">
        <Refusals />
        <div class="stack">
          <Quotas />
          <Server />
        </div>
      </div>
    </>
  );
}

function Unusual() {
  const { faults = [], stubs = [], clock, rateLimit } = status.value ?? {};
  const active = faults.filter(({ remaining }) => remaining !== 0).length;
  const offset = clock?.offset ?? 0;
  const said = [
    active > 0 && `${count(active, 'fault rule')} active.`,
    stubs.length > 0 && `${count(stubs.length, 'stub')} active.`,
    offset !== 0 && `The clock is ${describeOffset(offset)} ${offset > 0 ? 'ahead' : 'behind'}.`,
    rateLimit && `Each key may send ${describeRate(rateLimit)}.`,
  ].filter(Boolean);
  if (said.length === 0) return null;
  return (
    <div class="state warn">
      <p>
        {said.join(' ')} <a href={toHref('test-controls')}>Open test controls</a>
      </p>
    </div>
  );
}

const outcomes = [
  ['good', 'accepted'],
  ['warn', 'refused (4xx)'],
  ['bad', 'failed (5xx, dropped)'],
] as const;

function Traffic() {
  const bars = listBars(now.value);
  const rates = bars.map(({ good, warn, bad }) => (good + warn + bad) / barSeconds);
  const peak = Math.max(...rates);
  // The newest bar is not full yet.
  const current = rates.at(-2) ?? 0;
  return (
    <section class="panel traffic" aria-label="Traffic">
      <h2>
        {formatRate(current)} requests/s now{' '}
        <span class="faint">· peak {formatRate(peak)}/s in the last 5 minutes</span>
      </h2>
      <svg viewBox={`0 0 ${bars.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((tally, at) => drawBar(tally, at, Math.max(peak * barSeconds, 1)))}
      </svg>
      <ul class="row number">
        {outcomes.map(([tone, name]) => (
          <li key={tone}>
            <span class={`dot ${tone}`} aria-hidden="true">
              ●
            </span>{' '}
            <strong>{bars.reduce((total, tally) => total + tally[tone], 0).toLocaleString()}</strong> {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

function drawBar(tally: Tally, at: number, max: number) {
  let top = 1;
  return outcomes.map(([tone]) => {
    const height = tally[tone] / max;
    top -= height;
    return height > 0 && <rect key={tone} class={tone} x={at + 0.1} y={top} width={0.8} height={height} />;
  });
}

function formatRate(rate: number): string {
  return rate < 10 && !Number.isInteger(rate) ? rate.toFixed(1) : Math.round(rate).toLocaleString();
}

const shownRefusals = 6;

function Refusals() {
  const refused = (journal.value ?? []).filter(({ refusal }) => refusal !== undefined);
  const newest = refused.slice(-shownRefusals).toReversed();
  return (
    <Panel title="Recent refusals and failures">
      {newest.length === 0 && <p class="faint">No stored request was refused.</p>}
      <ul class="refusals">
        {newest.map((entry) => (
          <li key={entry.id}>
            <a href={toHref('requests', { entry: String(entry.id) })}>
              <Outcome of={entry} />
            </a>
            <span class="faint">
              <Age at={entry.time} />
            </span>
            <p class="hint">{entry.refusal?.reason}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Server() {
  if (status.value === undefined) return null;
  const { url, keyId, caFile, data, database, pid, startedAt, requests, profile } = status.value;
  const link = (number: number, query: Readonly<Record<string, string>>) => (
    <a href={toHref('requests', query)}>{number.toLocaleString()}</a>
  );
  const copy = (text: string | undefined, what: string) => text && <Copyable text={text} what={what} />;
  return (
    <Panel title="Server">
      <Facts
        of={[
          ['Address', copy(url, 'the address')],
          ['CA', copy(caFile, "the CA's path")],
          ['First key', copy(keyId, "the key's ID")],
          ['Try it', copy(profile && `orgctl quotas -p ${profile}`, 'the command')],
          ['Data', data ?? database ?? 'in memory, lost when the server stops'],
          ['Process', pid],
          ['Started', new Date(startedAt).toLocaleString()],
          ['Requests', link(requests.total, {})],
          ['Refused', link(requests.refused, { refused: 'true' })],
        ]}
      />
    </Panel>
  );
}

function Quotas() {
  return (
    <Panel title="Quotas" note={organization.value?.name}>
      <div class="stack">
        {Object.entries(organization.value?.quotas ?? {}).map(([kind, { limit, used, remaining }]) => {
          // A quota with limit 0 counts as full.
          const share = limit === 0 ? 1 : Math.min(used / limit, 1);
          return (
            <div class="quota" key={kind}>
              <span>{labelField(kind)}</span>
              <div class="bar">
                <div
                  class={share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : ''}
                  style={{ width: `${share * 100}%` }}
                />
              </div>
              <span class="number">
                <strong>{used}</strong> of {limit}
              </span>
              <span class="number faint">{remaining > 0 ? `${remaining} left` : 'full'}</span>
            </div>
          );
        })}
      </div>
    </Panel>
  );
}
