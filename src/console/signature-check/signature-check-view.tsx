import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SignatureCheckAnswer } from '../../api/control/control-answers.js';
import { CanonicalString } from '../requests/canonical-string.js';
import { AcceptedCurl, RefusalExplanation } from '../requests/explanation.js';
import { api } from '../session/api.js';
import { now } from '../session/clock.js';
import { useLoaded } from '../session/loaded.js';
import { currentOrganization } from '../session/organizations.js';
import { Form, FormField, readText } from '../ui/form.js';
import { Head } from '../ui/states.js';

/** Checks a signature that a client made, with the secret that the server has. */
export function Bench() {
  const keys = useLoaded(() => api.keys.list(currentOrganization.value?.id), [currentOrganization.value?.id]);
  const checked = useSignal<SignatureCheckAnswer | undefined>(undefined);
  const check = async (fields: FormData) => {
    const text = (name: string) => readText(fields, name) ?? '';
    checked.value = await api.checkSignature({
      keyId: text('key'),
      method: text('method'),
      target: text('target'),
      timestamp: text('timestamp'),
      contentType: text('contentType'),
      // A form has its line ends as CR LF, and what is typed as LF.
      body: text('body').replaceAll('\r\n', '\n'),
      signature: text('signature'),
    });
  };
  return (
    <>
      <Head title="Signature check" />
      <p class="lead">
        Paste what your client signed and the signature it produced. The secret never leaves the server.
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
            <FormField label="Content-Type" name="contentType" hint="As it is sent; empty without a body." />
            <label class="field">
              <span>Body</span>
              <textarea name="body" rows={4} spellcheck={false} />
            </label>
            <FormField label="Signature" name="signature" required hint="The value of X-API-Signature." />
          </Form>
        </section>
        <section class="panel" aria-live="polite" aria-label="Result">
          {checked.value ? <Result of={checked.value} /> : <p class="faint">The result appears here.</p>}
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

function Result({ of }: { readonly of: SignatureCheckAnswer }) {
  const { matches, refusals, canonical, curl } = of;
  const isShown = refusals.some((refusal) => refusal.canonical !== undefined);
  return (
    <>
      <h2>
        <span class={matches ? 'badge good' : 'badge bad'}>{matches ? 'matches' : 'does not match'}</span>{' '}
        {refusals.length === 0 ? 'The service would accept it.' : 'The service would refuse it.'}
      </h2>
      {refusals.map((refusal) => (
        <RefusalExplanation key={refusal.check} of={refusal} />
      ))}
      {!isShown && <CanonicalString title="To be signed" text={canonical} isNamed />}
      <AcceptedCurl title="The request" curl={curl} />
    </>
  );
}
