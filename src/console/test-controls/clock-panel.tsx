import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { now } from '../session/clock.js';
import { attemptAndTell } from '../session/notices.js';
import { Form, FormField, readText } from '../ui/form.js';
import { formatSpan } from './unrest.js';

interface ClockPanelProps {
  readonly clock: StatusAnswer['clock'];
  readonly onChange: () => Promise<void>;
}

const steps = ['-1h', '-10m', '-1m', '1m', '10m', '1h'];

export function ClockPanel({ clock: { offset }, onChange }: ClockPanelProps) {
  const advance = async (by: string | number) => {
    await attemptAndTell(() => api.clock.advance(by), 'Clock changed.');
    await onChange();
  };
  return (
    <section class="panel">
      <h2>Clock</h2>
      <p class="big number">
        {new Date(now.value).toISOString().slice(0, 19).replace('T', ' ')} <span class="faint">UTC</span>
      </p>
      <p class="faint">
        {offset === 0
          ? 'Matches this machine.'
          : `${formatSpan(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} this machine.`}
      </p>
      <div class="buttons steps">
        {steps.map((by) => (
          <button
            type="button"
            class="small"
            key={by}
            aria-label={`Move the clock by ${by}`}
            onClick={() => advance(by)}
          >
            {by.startsWith('-') ? by.replace('-', '−') : `+${by}`}
          </button>
        ))}
        <button type="button" class="small" disabled={offset === 0} onClick={() => advance(-offset)}>
          Reset clock
        </button>
      </div>
      <Form
        send="Set"
        isInline
        onSend={async (fields) => {
          await api.clock.set(readText(fields, 'time') ?? '');
          await onChange();
        }}
      >
        <FormField
          label="Set an exact time (ISO 8601)"
          name="time"
          required
          placeholder="2030-01-01T00:00:00Z"
        />
      </Form>
    </section>
  );
}
