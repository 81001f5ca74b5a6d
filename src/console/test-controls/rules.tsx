import { faultEffects, faultForm } from '../../api/faults/fault-grammar.js';
import { call } from '../session/control.js';
import { status } from '../session/status.js';
import { Button, Field, Form, readText } from '../ui/form.js';
import { attempt } from '../ui/notices.js';
import { Panel } from '../ui/page.js';
import { count } from '../ui/words.js';

interface Rule {
  readonly rule: string;
  readonly hits: number;
  readonly remaining?: number | undefined;
}

interface RuleListProps {
  readonly rules: readonly Rule[];
  readonly onRemove?: (at: number, rule: string) => Promise<unknown>;
}

export function RuleList({ rules, onRemove }: RuleListProps) {
  return (
    <ul class="rules">
      {rules.map(({ rule, hits, remaining }, at) => (
        <li key={`${at} ${rule}`}>
          <code>{rule}</code>
          <span class="number faint">
            {count(hits, 'hit')}
            {remaining !== undefined && `, ${remaining} left`}
          </span>
          {onRemove && <Button kind="small" text="Remove" of={rule} onClick={() => onRemove(at, rule)} />}
        </li>
      ))}
    </ul>
  );
}

type AddRuleProps = Parameters<typeof Field>[0] & { readonly onAdd: (rule: string) => Promise<unknown> };

function AddRule({ onAdd, ...field }: AddRuleProps) {
  const add = async (fields: FormData, form: HTMLFormElement) => {
    await onAdd(readText(fields, 'rule') ?? '');
    form.reset();
  };
  return (
    <Form send="Add" isInline onSend={add}>
      <Field name="rule" required {...field} />
    </Form>
  );
}

const presets = [
  ['Slow', '* *=delay:2s'],
  ['Flaky 10%', '* *=503%10'],
  ['503 twice', '* *=503x2'],
  ['Drop one response', '* *=drop-answerx1'],
] as const;

export function FaultsPanel() {
  const { faults = [] } = status.value ?? {};
  const rules = faults.map(({ rule }) => rule);
  const add = (rule: string) => call('faults.set', { rules: [...rules, rule] });
  const remove = (at: number, rule: string) => {
    const rest = rules.toSpliced(at, 1);
    const set = () => (rest.length === 0 ? call('faults.clear') : call('faults.set', { rules: rest }));
    return attempt(set, `${rule} removed.`);
  };
  return (
    <Panel title="Faults">
      {faults.length === 0 && <p class="faint">No fault rules. Requests are handled normally.</p>}
      <RuleList rules={faults} onRemove={remove} />
      <div class="row">
        {presets.map(([name, rule]) => (
          <Button
            kind="small"
            key={name}
            text={name}
            onClick={() => attempt(() => add(rule), `${rule} added.`)}
          />
        ))}
      </div>
      <AddRule
        label="Rule"
        placeholder="GET /quotas=503x2"
        hint={`${faultForm}; EFFECT is ${faultEffects}.`}
        onAdd={add}
      />
    </Panel>
  );
}

/** The stubs with headers and bodies, which the status lacks. */
async function readStubs() {
  const { stubs } = await call('stubs.get');
  return stubs.map(({ request, status, headers, body }) => ({ request, status, headers, body }));
}

export function StubsPanel() {
  const { stubs = [] } = status.value ?? {};
  const remove = (at: number, rule: string) => {
    const set = async () => {
      const others = (await readStubs()).filter(({ request }) => request !== stubs[at]?.request);
      await call('stubs.set', { stubs: others });
    };
    return attempt(set, `${rule} removed.`);
  };
  return (
    <Panel title="Stubs">
      {stubs.length === 0 && <p class="faint">No stubs. The server sends its own responses.</p>}
      <RuleList
        rules={stubs.map(({ request, status, hits }) => ({ rule: `${request}=${status}`, hits }))}
        onRemove={remove}
      />
      <AddRule
        label="Stub"
        placeholder="GET /teams=200 []"
        hint="METHOD /path=STATUS, then the body as JSON, if any. The stub replaces the server's own response."
        onAdd={async (stub) => call('stubs.set', { stubs: [...(await readStubs()), stub] })}
      />
    </Panel>
  );
}
