import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { attempt } from '../session/notices.js';
import { Field, Form, textOf } from '../ui/form.js';
import { durationOf } from './unrest.js';

interface RateLimitPanelProps {
  readonly limit: StatusAnswer['rateLimit'];
  readonly onChange: () => Promise<void>;
}

export function RateLimitPanel({ limit, onChange }: RateLimitPanelProps) {
  const clear = async () => {
    await attempt(api.rateLimit.clear, 'There is no limit any more.');
    await onChange();
  };
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Rate limit</h2>
        <button type="button" class="small" disabled={limit === null} onClick={clear}>
          Lift
        </button>
      </div>
      <p class={limit === null ? 'faint' : ''}>
        {limit === null
          ? 'None: keys may ask as often as they like.'
          : `${limit.requests} requests in ${durationOf(limit.window)}, of each key.`}
      </p>
      <Form
        send="Set"
        isInline
        onSend={async (fields) => {
          await api.rateLimit.set(Number(textOf(fields, 'requests')), textOf(fields, 'window') ?? '');
          await onChange();
        }}
      >
        <div class="pair">
          <Field
            label="Requests"
            name="requests"
            required
            inputMode="numeric"
            pattern="[0-9]+"
            placeholder="100"
          />
          <Field label="Window" name="window" required placeholder="1m" />
        </div>
      </Form>
    </section>
  );
}
