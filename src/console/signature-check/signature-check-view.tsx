import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SignatureCheckAnswer, StatusAnswer } from '../../api/control/control-answers.js';
import { CanonicalDiff } from '../requests/canonical-diff.js';
import { RefusalExplanation } from '../requests/explanation.js';
import { api } from '../session/api.js';
import { now } from '../session/clock.js';
import { useLoaded } from '../session/loaded.js';
import { currentOrganization } from '../session/organizations.js';
import type { ViewProps } from '../session/status.js';
import { Copies } from '../snippets/copies.js';
import type { Call } from '../snippets/request-lines.js';
import { Form, FormField, readText } from '../ui/form.js';
import { Head } from '../ui/states.js';

export function SignatureCheckView({ status }: ViewProps) {
  const keys = useLoaded(() => api.keys.list(currentOrganization.value?.id), [currentOrganization.value?.id]);
  const checked = useSignal<CheckedCall | undefined>(undefined);
  const check = async (fields: FormData) => {
    const text = (name: string) => readText(fields, name) ?? '';
    const keyId = text('key');
    const body = text('body');
    const answer = await api.checkSignature({
      keyId,
      method: text('method'),
      target: text('target'),
      timestamp: text('timestamp'),
      contentType: text('contentType'),
      body,
      signature: text('signature'),
    });
    const call = { method: text('method').toUpperCase(), target: text('target'), body };
    checked.value = { answer, call, keyId };
  };
  return (
    <>
      <Head title="Signature check" />
      <p class="lead">
        Enter the request as your client sends it, and the signature that it computed. The secret never leaves
        the server.
      </p>
      <div class="columns">
        <section class="panel">
          <Form send="Check" onSend={check}>
            <label class="field">
              <span>Key</span>
              <select name="key" required>
                {(keys.value.value ?? []).map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name} ({id})
                  </option>
                ))}
              </select>
            </label>
            <div class="pair narrow">
              <FormField label="Method" name="method" required defaultValue="GET" />
              <FormField label="Target" name="target" required defaultValue="/quotas" />
            </div>
            <Timestamp />
            <FormField
              label="Content-Type"
              name="contentType"
              hint="As sent. Leave empty if there is no body."
            />
            <label class="field">
              <span>Body</span>
              <textarea name="body" rows={4} spellcheck={false} />
            </label>
            <FormField label="Signature" name="signature" required hint="The value of X-API-Signature." />
          </Form>
        </section>
        <section class="panel" aria-live="polite" aria-label="Result">
          {checked.value && status.value.value ? (
            <Result {...checked.value} status={status.value.value} />
          ) : (
            <p class="faint">The result appears here.</p>
          )}
        </section>
      </div>
    </>
  );
}

function Timestamp() {
  const input = useRef<HTMLDivElement>(null);
  const fill = () => {
    const field = input.current?.querySelector('input');
    if (field) field.value = String(Math.floor(now.peek() / 1000));
  };
  return (
    <div class="with-button" ref={input}>
      <FormField
        label="Timestamp"
        name="timestamp"
        required
        inputMode="numeric"
        defaultValue={String(Math.floor(now.peek() / 1000))}
      />
      <button type="button" onClick={fill}>
        Now
      </button>
    </div>
  );
}

interface CheckedCall {
  readonly answer: SignatureCheckAnswer;
  readonly call: Call;
  readonly keyId: string;
}

function Result({ answer, call, keyId, status }: CheckedCall & { readonly status: StatusAnswer }) {
  const { matches, refusals, canonical } = answer;
  const isShown = refusals.some((refusal) => refusal.canonical !== undefined);
  return (
    <>
      <h2>
        <span class={matches ? 'badge good' : 'badge bad'}>{matches ? 'matches' : 'does not match'}</span>{' '}
        {refusals.length === 0
          ? 'The service would accept this signature.'
          : 'The service would refuse this request.'}
      </h2>
      {refusals.map((refusal) => (
        <RefusalExplanation key={refusal.check} of={refusal} />
      ))}
      {!isShown && <CanonicalDiff expected={canonical} />}
      <h3>Correctly signed request</h3>
      <Copies call={call} origin={{ url: status.url, caFile: status.caFile, keyId, profile: undefined }} />
    </>
  );
}
