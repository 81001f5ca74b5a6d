import { labelField } from '../session/route.js';
import { call, now, organization, status } from '../session/server.js';
import { Button, Field, Form, readText } from '../ui/form.js';
import { attempt, say } from '../ui/notices.js';
import { Head, Panel } from '../ui/page.js';
import { describeOffset, describeRate } from '../ui/words.js';
import { FaultsPanel, StubsPanel } from './rules.js';
import { SnapshotsPanel } from './snapshots.js';

export function TestControls() {
  return (
    <>
      <Head title="Test controls" />
      <div class="columns">
        <div class="stack">
          <FaultsPanel />
          <StubsPanel />
          <SnapshotsPanel />
        </div>
        <div class="stack">
          <ClockPanel />
          <RateLimitPanel />
          <QuotasPanel />
        </div>
      </div>
    </>
  );
}

const steps = ['-1h', '-10m', '-1m', '1m', '10m', '1h'];

function ClockPanel() {
  const offset = status.value?.clock.offset ?? 0;
  const span = describeOffset(offset);
  const advance = (by: string | number) => attempt(() => call('clock.advance', { by }), 'Clock changed.');
  const set = (fields: FormData) => call('clock.set', { time: readText(fields, 'time') ?? '' });
  return (
    <Panel title="Clock">
      <p class="big number">
        {new Date(now.value).toISOString().slice(0, 19).replace('T', ' ')} <span class="faint">UTC</span>
      </p>
      <p class="faint">
        {offset === 0 ? 'Matches' : offset > 0 ? `${span} ahead of` : `${span} behind`} this machine.
      </p>
      <div class="row">
        {steps.map((by) => (
          <Button
            kind="small"
            key={by}
            text={by.startsWith('-') ? by.replace('-', '−') : `+${by}`}
            of="on the clock"
            onClick={() => advance(by)}
          />
        ))}
        <Button kind="small" text="Reset clock" isDisabled={offset === 0} onClick={() => advance(-offset)} />
      </div>
      <Form send="Set" isInline onSend={set}>
        <Field label="Exact time (ISO 8601)" name="time" required placeholder="2030-01-01T00:00:00Z" />
      </Form>
    </Panel>
  );
}

const whole = { required: true, inputMode: 'numeric', pattern: '[0-9]+' } as const;

function RateLimitPanel() {
  const limit = status.value?.rateLimit ?? null;
  const remove = () => attempt(() => call('rateLimit.clear'), 'Rate limit removed.');
  const set = (fields: FormData) =>
    call('rateLimit.set', {
      requests: Number(readText(fields, 'requests')),
      window: readText(fields, 'window') ?? '',
    });
  return (
    <Panel
      title="Rate limit"
      actions={<Button kind="small" text="Remove limit" isDisabled={limit === null} onClick={remove} />}
    >
      <p class="faint">{limit === null ? 'No rate limit.' : `${describeRate(limit)} for each key.`}</p>
      <Form send="Set" isInline onSend={set}>
        <div class="pair">
          <Field label="Requests" name="requests" placeholder="100" {...whole} />
          <Field label="Window" name="window" required placeholder="1m" />
        </div>
      </Form>
    </Panel>
  );
}

function QuotasPanel() {
  const of = organization.value;
  const quotas = Object.entries(of?.quotas ?? {});
  const set = async (fields: FormData) => {
    const limits = quotas.map(([kind]) => [kind, Number(readText(fields, kind))] as const);
    await call('quotas.set', { limits: Object.fromEntries(limits), organization: of?.id });
    say('Limits saved. Existing resources above a limit are kept.');
  };
  return (
    <Panel title="Quotas" note={of?.name}>
      <Form key={of?.id} send="Set" isInline onSend={set}>
        <div class="pair">
          {quotas.map(([name, { limit, used }]) => {
            const field = { name, defaultValue: String(limit), hint: `${used} used` };
            return <Field key={name} label={labelField(name)} {...field} {...whole} />;
          })}
        </div>
      </Form>
    </Panel>
  );
}
