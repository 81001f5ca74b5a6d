import { useRef } from 'preact/hooks';
import type { FaultAnswer } from '../../api/control/control-answers.js';
import { faultEffects, faultForm } from '../../api/faults/fault-grammar.js';
import { api } from '../session/api.js';
import { attemptAndTell } from '../session/notices.js';
import { Form, FormField, readText } from '../ui/form.js';
import { RuleSelects } from './rule-selects.js';

const presets = [
  ['Slow', '* *=delay:2s'],
  ['Flaky 10%', '* *=503%10'],
  ['503 twice', '* *=503x2'],
  ['Drop one response', '* *=drop-answerx1'],
] as const;

const effects = [
  [
    'Effect',
    [
      ['503', '503'],
      ['500', '500'],
      ['429', '429'],
      ['401', '401'],
      ['delay:2s', '2 s delay'],
      ['drop', 'drop the request'],
      ['reset', 'reset the connection'],
      ['drop-answer', 'drop the response'],
      ['truncate', 'truncate the body'],
    ],
  ],
  [
    'How often',
    [
      ['', 'always'],
      ['x1', 'once'],
      ['x2', 'twice'],
      ['%10', '10%'],
      ['%50', '50%'],
    ],
  ],
] as const;

interface FaultsPanelProps {
  readonly faults: readonly FaultAnswer[];
  readonly onChange: () => Promise<void>;
}

export function FaultsPanel({ faults, onChange }: FaultsPanelProps) {
  const panelRef = useRef<HTMLElement>(null);
  const rules = faults.map(({ rule }) => rule);
  const without = async (taken: number) => {
    const rest = rules.filter((_, at) => at !== taken);
    await attemptAndTell(
      () => (rest.length === 0 ? api.faults.clear() : api.faults.set(rest)),
      'Rule removed.',
    );
    await onChange();
    panelRef.current?.querySelector('input')?.focus();
  };
  const add = async (rule: string) => {
    await api.faults.set([...rules, rule]);
    await onChange();
  };
  return (
    <section class="panel" ref={panelRef}>
      <h2>Faults</h2>
      {faults.length === 0 && <p class="faint">No fault rules. Requests are handled normally.</p>}
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
      <div class="buttons steps">
        {presets.map(([name, rule]) => (
          <button
            type="button"
            class="small"
            key={name}
            title={rule}
            onClick={() => attemptAndTell(() => add(rule), `${rule} added.`)}
          >
            {name}
          </button>
        ))}
      </div>
      <RuleSelects
        anyPath
        send="Add rule"
        effects={effects}
        onAdd={(rule) => attemptAndTell(() => add(rule), `${rule} added.`)}
      />
      <Form
        send="Add"
        isInline
        onSend={async (fields) => {
          await add(readText(fields, 'rule') ?? '');
          const input = panelRef.current?.querySelector('input');
          if (input) input.value = '';
        }}
      >
        <FormField label="Rule" name="rule" required placeholder="GET /quotas=503x2" />
        <p class="hint">
          {faultForm}; EFFECT is {faultEffects}.
        </p>
      </Form>
    </section>
  );
}
