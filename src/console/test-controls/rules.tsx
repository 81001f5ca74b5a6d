import type { ComponentChildren } from 'preact';
import { faultEffects, faultForm } from '../../api/faults/fault-grammar.js';
import { call, status } from '../session/server.js';
import { Button, Field, Form, readText } from '../ui/form.js';
import { attempt } from '../ui/notices.js';
import { Panel } from '../ui/page.js';
import { count } from '../ui/words.js';

interface LinesProps {
  readonly of: readonly (readonly [name: string, note: ComponentChildren])[];
  /** The text of the button of each line. */
  readonly action?: string;
  readonly onAct?: (at: number, name: string) => unknown;
}

/** Such as fault rules with their hits. */
export function NamedLines({ of, action, onAct }: LinesProps) {
  return (
    <ul class="rules">
      {of.map(([name, note], at) => (
        <li key={`${at} ${name}`}>
          <code>{name}</code>
          <span class="number faint">{note}</span>
          {action && <Button kind="small" text={action} of={name} onClick={() => onAct?.(at, name)} />}
        </li>
      ))}
    </ul>
  );
}

type Hits = { readonly hits: number; readonly remaining?: number | undefined };

export function describeHits({ hits, remaining }: Hits): string {
  return count(hits, 'hit') + (remaining === undefined ? '' : `, ${remaining} left`);
}

type RulesPanelProps = Parameters<typeof Field>[0] & {
  readonly title: string;
  readonly none: string;
  readonly rules: LinesProps['of'];
  readonly presets?: readonly (readonly [name: string, rule: string])[];
  readonly onAdd: (rule: string) => Promise<unknown>;
  readonly onRemove: (at: number) => Promise<unknown>;
};

function RulesPanel({ title, none, rules, presets, onAdd, onRemove, ...field }: RulesPanelProps) {
  const add = async (fields: FormData, form: HTMLFormElement) => {
    await onAdd(readText(fields, 'rule') ?? '');
    form.reset();
  };
  const remove = (at: number, rule: string) => attempt(() => onRemove(at), `${rule} removed.`);
  return (
    <Panel title={title}>
      {rules.length === 0 && <p class="faint">{none}</p>}
      <NamedLines of={rules} action="Remove" onAct={remove} />
      {presets && (
        <div class="row">
          {presets.map(([name, rule]) => {
            const addPreset = () => attempt(() => onAdd(rule), `${rule} added.`);
            return <Button kind="small" key={name} text={name} onClick={addPreset} />;
          })}
        </div>
      )}
      <Form send="Add" isInline onSend={add}>
        <Field name="rule" required {...field} />
      </Form>
    </Panel>
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
  const set = (rules: string[]) => call('faults.set', { rules });
  const rules = faults.map(({ rule }) => rule);
  return (
    <RulesPanel
      title="Faults"
      none="No fault rules. Requests are handled normally."
      rules={faults.map((fault) => [fault.rule, describeHits(fault)])}
      presets={presets}
      onAdd={(rule) => set([...rules, rule])}
      onRemove={(at) => set(rules.toSpliced(at, 1))}
      label="Rule"
      placeholder="GET /quotas=503x2"
      hint={`${faultForm}; EFFECT is ${faultEffects}.`}
    />
  );
}

/** The stubs with headers and bodies, which the status lacks. */
async function readStubs() {
  const { stubs } = await call('stubs.get');
  return stubs.map(({ request, status, headers, body }) => ({ request, status, headers, body }));
}

export function StubsPanel() {
  const { stubs = [] } = status.value ?? {};
  const remove = async (at: number) => {
    const others = (await readStubs()).filter(({ request }) => request !== stubs[at]?.request);
    return call('stubs.set', { stubs: others });
  };
  return (
    <RulesPanel
      title="Stubs"
      none="No stubs. The server sends its own responses."
      rules={stubs.map((stub) => [`${stub.request}=${stub.status}`, describeHits(stub)])}
      onAdd={async (stub) => call('stubs.set', { stubs: [...(await readStubs()), stub] })}
      onRemove={remove}
      label="Stub"
      placeholder="GET /teams=200 []"
      hint="METHOD /path=STATUS, then the body as JSON, if any. The stub replaces the server's own response."
    />
  );
}
