import { useEffect, useRef, useState } from 'preact/hooks';
import { sentMethods } from '../../api/control/calls.js';
import type { CallInput, JournalDetailAnswer, RefusalAnswer } from '../../api/control/control-answers.js';
import { toHref } from '../session/route.js';
import { call, status, useLoaded } from '../session/server.js';
import { Area, Button, Choice, Field, Form, readText } from '../ui/form.js';
import { sayError } from '../ui/notices.js';
import { Lines, Outcome } from '../ui/words.js';
import { RefusalExplanation } from './explanation.js';
import { printBody } from './orgctl-command.js';

type Send = (request: CallInput<'requests.send'>) => Promise<void>;

type SendingProps = { readonly of: JournalDetailAnswer | undefined; readonly onSend: Send };

/** Sends a request of the journal again, corrected, unchanged, or edited, and always newly signed; or a new request. */
export function Replay({ of }: { readonly of?: JournalDetailAnswer }) {
  const [sent, setSent] = useState<JournalDetailAnswer>();
  const send: Send = (request) => call('requests.send', request).then(setSent, sayError);
  const [isEditing, setEditing] = useState(of === undefined);
  return (
    <div class="replay">
      {of && <Fix of={of} onSend={send} />}
      {of && (
        <div class="row">
          <Button text="Send again" onClick={() => send({ replay: of.id })} />
          <button type="button" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
            Edit and send
          </button>
        </div>
      )}
      {isEditing && <Editor of={of} onSend={send} />}
      <Sent of={sent} onSend={send} />
    </div>
  );
}

/** Hidden if the server knows no remedy. */
function Fix({ of, onSend }: { readonly of: JournalDetailAnswer; readonly onSend: Send }) {
  const { id, refusal, keyId } = of;
  if (refusal?.remedy === undefined) return null;
  return (
    <p class="row">
      <Button kind="primary" text="Fix and replay" onClick={() => onSend({ replay: id, fix: true })} />{' '}
      <span class="hint">{describeRemedy(refusal.remedy, keyId)}</span>
    </p>
  );
}

/** How the server makes the request work. */
function describeRemedy(
  { step, path, method, kind, limit }: NonNullable<RefusalAnswer['remedy']>,
  keyId = 'the key',
): string {
  if (step === 'sign') return 'Signs the request with the server’s clock and a working key, then sends it.';
  if (step === 'enable-key') return `Enables ${keyId}, then sends the request again.`;
  if (step === 'raise-limit') return `Raises the limit to ${limit} ${kind}, then sends the request again.`;
  return `Changes the request to ${[method, path].filter(Boolean).join(' ')}, then sends it.`;
}

function Editor({ of, onSend }: SendingProps) {
  const keys = useLoaded(async () => (await call('keys.list')).keys, []);
  const base = new URL(status.value?.url ?? location.href).pathname.replace(/\/$/, '');
  const shown = {
    method: of?.method ?? 'GET',
    target: of?.target ?? `${base}/quotas`,
    body: of?.body === undefined ? '' : printBody(of.body),
  };
  const send = async (fields: FormData) => {
    const method = sentMethods.find((one) => one === readText(fields, 'method'));
    const target = readText(fields, 'target');
    const body = readText(fields, 'body') ?? '';
    await onSend({
      replay: of?.id,
      keyId: readText(fields, 'key'),
      // Unchanged parts are not sent, because they may be masked; the server has the originals.
      ...((of === undefined || method !== shown.method) && { method }),
      ...((of === undefined || target !== shown.target) && { target }),
      ...(body !== shown.body && { body }),
    });
  };
  return (
    <Form send="Send" onSend={send}>
      <div class="pair">
        <Choice
          label="Method"
          name="method"
          defaultValue={shown.method}
          options={sentMethods.map((method) => [method, method])}
        />
        <Field label="Target" name="target" required defaultValue={shown.target} />
      </div>
      <Choice
        label="Sign with"
        name="key"
        options={[
          ['', of ? 'the same key if it is enabled, otherwise another one' : 'any enabled key'],
          ...(keys.value ?? []).map(({ id, name }) => [id, `${name} (${id})`] as const),
        ]}
      />
      <Area
        label="Body"
        name="body"
        text={shown.body}
        hint={of && 'Parts that you do not edit are sent as the server first received them, without masks.'}
      />
    </Form>
  );
}

function Sent({ of, onSend }: SendingProps) {
  const sectionRef = useRef<HTMLElement>(null);
  useEffect(() => {
    if (of) sectionRef.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return (
    <section class="sent" ref={sectionRef} aria-label="Response" aria-live="polite">
      {of && (
        <>
          <p>
            <Outcome of={of} />{' '}
            <span class="faint">
              {of.milliseconds.toFixed(1)} ms, signed with {of.keyId} ·{' '}
              <a href={toHref('requests', { entry: String(of.id) })}>details</a>
            </span>
          </p>
          {of.refusal && <RefusalExplanation of={of.refusal} />}
          <Fix of={of} onSend={onSend} />
          {of.response?.body !== undefined && (
            <Lines text={printBody(of.response.body)} what="the response" />
          )}
        </>
      )}
    </section>
  );
}
