import { useRef } from 'preact/hooks';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { attemptAndTell } from '../session/notices.js';
import { Form, FormField, readText } from '../ui/form.js';
import { RuleSelects } from './rule-selects.js';

const answers = [
  [
    'Response',
    [
      ['200 []', '200 []'],
      ['200 {}', '200 {}'],
      ['204', '204 without a body'],
      ['404 {"statusCode":404,"message":"Not Found"}', '404 Not Found'],
      ['500 {"statusCode":500,"message":"Internal Server Error"}', '500 Internal Server Error'],
    ],
  ],
] as const;

interface StubsPanelProps {
  readonly stubs: NonNullable<StatusAnswer['stubs']>;
  readonly onChange: () => Promise<void>;
}

export function StubsPanel({ stubs, onChange }: StubsPanelProps) {
  const panelRef = useRef<HTMLElement>(null);
  const without = async (request: string) => {
    const remove = async () =>
      api.stubs.set((await api.stubs.get()).filter((stub) => stub.request !== request));
    await attemptAndTell(remove, 'Stub removed.');
    await onChange();
    panelRef.current?.querySelector('input')?.focus();
  };
  const add = async (stub: string) => {
    await api.stubs.set([...(await api.stubs.get()), stub]);
    await onChange();
  };
  return (
    <section class="panel" ref={panelRef}>
      <h2>Stubs</h2>
      {stubs.length === 0 && <p class="faint">No stubs. The server sends its own responses.</p>}
      <ul class="rules">
        {stubs.map(({ request, status, hits }) => (
          <li key={request}>
            <code>
              {request}={status}
            </code>
            <span class="number faint">
              {hits} hit{hits === 1 ? '' : 's'}
            </span>
            <button
              type="button"
              class="small"
              aria-label={`Remove ${request}`}
              onClick={() => without(request)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <RuleSelects
        anyPath={false}
        send="Add stub"
        effects={answers}
        onAdd={(stub) => attemptAndTell(() => add(stub), `${stub} added.`)}
      />
      <Form
        send="Add"
        isInline
        onSend={async (fields) => {
          await add(readText(fields, 'stub') ?? '');
          const input = panelRef.current?.querySelector('input');
          if (input) input.value = '';
        }}
      >
        <FormField label="Stub" name="stub" required placeholder="GET /teams=200 []" />
        <p class="hint">
          METHOD /path=STATUS, then the body as JSON, if any. The stub replaces the server's own response.
        </p>
      </Form>
    </section>
  );
}
