import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { attemptAndTell } from '../session/notices.js';
import { Form, FormField, readText } from '../ui/form.js';
import { describeRate } from './unrest.js';

interface RateLimitPanelProps {
  readonly limit: StatusAnswer['rateLimit'];
  readonly onChange: () => Promise<void>;
}

export function RateLimitPanel({ limit, onChange }: RateLimitPanelProps) {
  const clear = async () => {
    await attemptAndTell(api.rateLimit.clear, 'Rate limit removed.');
    await onChange();
  };
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Rate limit</h2>
        <button type="button" class="small" disabled={limit === null} onClick={clear}>
          Remove limit
        </button>
      </div>
      <p class={limit === null ? 'faint' : ''}>
        {limit === null ? 'No rate limit.' : `${describeRate(limit)} for each key.`}
      </p>
      <Form
        send="Set"
        isInline
        onSend={async (fields) => {
          await api.rateLimit.set(Number(readText(fields, 'requests')), readText(fields, 'window') ?? '');
          await onChange();
        }}
      >
        <div class="pair">
          <FormField
            label="Requests"
            name="requests"
            required
            inputMode="numeric"
            pattern="[0-9]+"
            placeholder="100"
          />
          <FormField label="Window" name="window" required placeholder="1m" />
        </div>
      </Form>
    </section>
  );
}
