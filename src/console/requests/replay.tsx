import { useSignal } from '@preact/signals';
import { sentMethods } from '../../api/control/calls.js';
import type { JournalDetailAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { useLoaded } from '../session/loaded.js';
import { Form, FormField, readText } from '../ui/form.js';
import { FixButton } from './fix-button.js';
import { type RequestToAsk, useSending } from './sending.js';
import { printBody, SentResult } from './sent-result.js';

export function Replay({ of }: { readonly of: JournalDetailAnswer }) {
  const { sent, send } = useSending();
  const isEditing = useSignal(false);
  return (
    <div class="replay">
      <FixButton of={of} onSend={send} />
      <div class="buttons">
        <button type="button" onClick={() => send({ replay: of.id })}>
          Send again
        </button>
        <button
          type="button"
          aria-expanded={isEditing.value}
          onClick={() => {
            isEditing.value = !isEditing.value;
          }}
        >
          Edit and send
        </button>
      </div>
      {isEditing.value && <Editor of={of} onSend={send} />}
      <SentResult of={sent.value} onSend={send} />
    </div>
  );
}

interface EditorProps {
  readonly of: JournalDetailAnswer;
  readonly onSend: (request: RequestToAsk) => Promise<boolean>;
}

function Editor({ of, onSend }: EditorProps) {
  const keys = useLoaded(() => api.keys.list(), []);
  const body = of.body === undefined ? '' : printBody(of.body);
  const send = async (fields: FormData) => {
    const method = sentMethods.find((one) => one === readText(fields, 'method'));
    const target = readText(fields, 'target');
    const text = readText(fields, 'body') ?? '';
    await onSend({
      replay: of.id,
      keyId: readText(fields, 'key'),
      // Unchanged parts are not sent, because they may be masked; the server has the originals.
      ...(method !== of.method && { method }),
      ...(target !== of.target && { target }),
      ...(text !== body && { body: text }),
    });
  };
  return (
    <Form send="Send" onSend={send}>
      <div class="pair narrow">
        <label class="field">
          <span>Method</span>
          <select name="method" defaultValue={of.method}>
            {sentMethods.map((method) => (
              <option key={method} selected={method === of.method}>
                {method}
              </option>
            ))}
          </select>
        </label>
        <FormField label="Target" name="target" required defaultValue={of.target} />
      </div>
      <label class="field">
        <span>Sign with</span>
        <select name="key">
          <option value="">the same key if it is enabled, otherwise another one</option>
          {(keys.value.value ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name} ({id})
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Body</span>
        <textarea name="body" rows={Math.min(body.split('\n').length + 1, 12)} spellcheck={false}>
          {body}
        </textarea>
      </label>
      <p class="hint">
        Parts that you do not edit are sent as the server first received them, without masks.
      </p>
    </Form>
  );
}
