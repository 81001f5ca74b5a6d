import { useEffect, useMemo } from 'preact/hooks';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import { nameFailure } from '../requests/failure-names.js';
import { chooseTone } from '../requests/tone.js';
import { now } from '../session/clock.js';
import { loadOrganizations } from '../session/organizations.js';
import { toHref } from '../session/router.js';
import { subscribeToJournal } from '../session/stream.js';
import { Age } from '../ui/age.js';
import { Method } from '../ui/method.js';
import { barSeconds, type Tally, Traffic } from './traffic.js';

export function TrafficPanels({ status: { requests } }: { readonly status: StatusAnswer }) {
  const traffic = useMemo(() => new Traffic(), []);
  useEffect(
    () =>
      subscribeToJournal({}, (news) => {
        traffic.take(news);
        if (news.entries.some(({ method }) => method !== 'GET'))
          void loadOrganizations().catch(() => undefined);
      }),
    [],
  );
  const bars = traffic.bars(now.value);
  const keys = traffic.keys(now.value);
  return (
    <>
      <section class="panel traffic" aria-label="Traffic">
        <Chart bars={bars} />
        <Mix bars={bars} />
        {requests.total > requests.kept && (
          <p class="hint">
            Covers the requests that the server still stored when this view was opened, and later ones.
          </p>
        )}
      </section>
      <div class="columns">
        <Refusals of={traffic} />
        <section class="panel">
          <h2>Requests by key ID</h2>
          {keys.length === 0 && <p class="faint">No requests with a key ID in the last 5 minutes.</p>}
          <ul class="rules used-keys">
            {keys.slice(0, 5).map(([id, requests]) => (
              <li key={id}>
                <code>{id}</code>
                <a class="number" href={toHref('requests', { search: id })}>
                  {requests.toLocaleString()} request{requests === 1 ? '' : 's'}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function sum({ good, warn, bad }: Tally): number {
  return good + warn + bad;
}

const chart = { bar: 10, height: 60 };

function Chart({ bars }: { readonly bars: readonly Tally[] }) {
  const max = Math.max(...bars.map(sum), 1);
  const current = sum(bars.at(-2) ?? { good: 0, warn: 0, bad: 0 }) / barSeconds;
  const peak = Math.max(...bars.map(sum)) / barSeconds;
  return (
    <div>
      <h2>
        {formatRate(current)} requests/s now{' '}
        <span class="faint">· peak {formatRate(peak)}/s in the last 5 minutes</span>
      </h2>
      <svg
        class="chart"
        viewBox={`0 0 ${bars.length * chart.bar} ${chart.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Requests per second in the last 5 minutes: now ${formatRate(current)}, at most ${formatRate(peak)}`}
      >
        {bars.map((tally, at) => (
          <Bar key={at} tally={tally} at={at} max={max} />
        ))}
      </svg>
    </div>
  );
}

function Bar({ tally, at, max }: { readonly tally: Tally; readonly at: number; readonly max: number }) {
  let top = chart.height;
  return (
    <>
      {(['good', 'warn', 'bad'] as const).map((tone) => {
        const height = (tally[tone] / max) * chart.height;
        top -= height;
        return (
          height > 0 && (
            <rect
              key={tone}
              class={tone}
              x={at * chart.bar + 1}
              y={top}
              width={chart.bar - 2}
              height={height}
            />
          )
        );
      })}
    </>
  );
}

function formatRate(rate: number): string {
  return rate < 10 && !Number.isInteger(rate) ? rate.toFixed(1) : Math.round(rate).toLocaleString();
}

const outcomes = [
  ['good', 'accepted'],
  ['warn', 'refused (4xx)'],
  ['bad', 'failed (5xx, dropped)'],
] as const;

function Mix({ bars }: { readonly bars: readonly Tally[] }) {
  const count = (tone: keyof Tally) => bars.reduce((total, tally) => total + tally[tone], 0);
  return (
    <ul class="mix">
      {outcomes.map(([tone, name]) => (
        <li key={tone}>
          <span class={`dot ${tone}`} aria-hidden="true" /> <strong>{count(tone).toLocaleString()}</strong>{' '}
          {name}
        </li>
      ))}
    </ul>
  );
}

function Refusals({ of }: { readonly of: Traffic }) {
  return (
    <section class="panel">
      <h2>Recent refusals and failures</h2>
      {of.refusals.length === 0 && <p class="faint">No stored request was refused.</p>}
      <ul class="refusals">
        {of.refusals.map(({ id, time, method, target, status, refusal }) => (
          <li key={id}>
            <a href={toHref('requests', { entry: String(id) })}>
              <span class={`status ${chooseTone(status)}`}>{status ?? 'dropped'}</span>{' '}
              <Method name={method} /> {target}
            </a>{' '}
            <span class="faint">
              <Age at={time} />
            </span>
            <p class="hint">{refusal?.reason ?? nameFailure(refusal?.check ?? '')}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
