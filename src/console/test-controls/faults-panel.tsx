import { useRef } from 'preact/hooks';
import type { FaultAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { attemptAndTell } from '../session/notices.js';
import { Form, FormField, readText } from '../ui/form.js';

const examples = [
  'GET /quotas=503x2',
  'POST /connections=429:30s',
  '* *=delay:2s%10',
  'POST *=drop-answerx1',
  '* *=drop',
];

interface FaultsPanelProps {
  readonly faults: readonly FaultAnswer[];
  readonly onChange: () => Promise<void>;
}

export function FaultsPanel({ faults, onChange }: FaultsPanelProps) {
  const place = useRef<HTMLElement>(null);
  const rules = faults.map(({ rule }) => rule);
  const without = async (taken: number) => {
    const rest = rules.filter((_, at) => at !== taken);
    await attemptAndTell(
      () => (rest.length === 0 ? api.faults.clear() : api.faults.set(rest)),
      'The rule is gone.',
    );
    await onChange();
    place.current?.querySelector('input')?.focus();
  };
  return (
    <section class="panel" ref={place}>
      <h2>Faults</h2>
      {faults.length === 0 && <p class="faint">No rule: nothing goes wrong by itself.</p>}
      <ul class="rules">
        {faults.map(({ rule, hits, remaining }, at) => (
          <li key={`${at} ${rule}`}>
            <code>{rule}</code>
            <span class="number faint">
              {hits} hit{hits === 1 ? '' : 's'}
              {remaining !== undefined && `, ${remaining} left`}
            </span>
            <button type="button" class="small" aria-label={`Remove ${rule}`} onClick={() => without(at)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <Form
        send="Add"
        isInline
        onSend={async (fields) => {
          await api.faults.set([...rules, readText(fields, 'rule') ?? '']);
          const input = place.current?.querySelector('input');
          if (input) input.value = '';
          await onChange();
        }}
      >
        <FormField label="Rule" name="rule" required list="fault-examples" placeholder="GET /quotas=503x2" />
        <p class="hint">
          METHOD PATH=EFFECT, where EFFECT is 400 to 599, delay:2s, drop, drop-answer or truncate; after it
          xTIMES or %PERCENT.
        </p>
        <datalist id="fault-examples">
          {examples.map((rule) => (
            <option key={rule} value={rule} />
          ))}
        </datalist>
      </Form>
    </section>
  );
}
