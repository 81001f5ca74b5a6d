import { useEffect, useRef } from 'preact/hooks';
import type { JournalDetailAnswer } from '../../api/control/control-answers.js';
import { toHref } from '../session/route.js';
import { call, isProxy, status, useLoaded } from '../session/server.js';
import { Button } from '../ui/form.js';
import { Facts, Show } from '../ui/page.js';
import { Age, count, Lines, Outcome } from '../ui/words.js';
import { RefusalExplanation } from './explanation.js';
import { printBody, writeCommand } from './orgctl-command.js';
import { Replay } from './replay.js';

/** Replaces a request's ID in the address while a new request is edited. */
export const newEntry = 'new';

interface PaneProps {
  readonly entry: string;
  readonly onClose: () => void;
}

export function Pane({ entry, onClose }: PaneProps) {
  const sectionRef = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen, this section hides the list with the focused line.
    sectionRef.current?.focus({ preventScroll: true });
  }, []);
  const isNew = entry === newEntry;
  return (
    <section
      ref={sectionRef}
      class="entry"
      tabIndex={-1}
      aria-label={isNew ? 'Send a request' : `Request ${entry}`}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <Button kind="small close" text="Close" onClick={onClose} />
      {isNew ? <NewEntry /> : <StoredEntry id={Number(entry)} />}
    </section>
  );
}

function NewEntry() {
  return (
    <>
      <h2>Send a request</h2>
      <p class="faint">The server signs it with the key that you choose, and sends it to itself.</p>
      <Replay />
    </>
  );
}

function StoredEntry({ id }: { readonly id: number }) {
  const entry = useLoaded(() => call('journal.get', { id }), [id]);
  if (entry.error?.status !== 404) return <Show of={entry}>{(it) => <Entry of={it} />}</Show>;
  return <p>This request is no longer stored. The server keeps the last 1,000, until they are cleared.</p>;
}

function Entry({ of }: { readonly of: JournalDetailAnswer }) {
  const { time, milliseconds, keyId, fault, stub, refusal, headers, response } = of;
  return (
    <>
      <h2>
        <Outcome of={of} />
      </h2>
      <p class="faint">
        <Age at={time} /> · {milliseconds.toFixed(1)} ms
        {keyId !== undefined && (
          <> · {isProxy.value ? keyId : <a href={toHref('keys', { search: keyId })}>{keyId}</a>}</>
        )}
        {fault !== undefined && ` · fault rule ${fault}`}
        {stub !== undefined && ` · stub ${stub}`}
      </p>
      {refusal && <RefusalExplanation of={refusal} />}
      {!isProxy.value && <Replay of={of} />}
      {response && <Side title="Response" of={response} />}
      {headers && <Side title="Request" of={of} />}
      <Command of={of} />
    </>
  );
}

type Message = Partial<NonNullable<JournalDetailAnswer['response']>>;

/** Body and headers of a request or response. */
function Side({ title, of }: { readonly title: string; readonly of: Message }) {
  const { headers = {}, body, bodyBytes = 0 } = of;
  return (
    <>
      <h3>
        {title} <span class="faint">{count(bodyBytes, 'byte')}</span>
      </h3>
      {body !== undefined && <Lines text={printBody(body)} what="the body" />}
      <Facts of={Object.entries(headers)} />
    </>
  );
}

function Command({ of }: { readonly of: JournalDetailAnswer }) {
  const written = status.value && writeCommand(of, status.value);
  if (written === undefined) return null;
  const { command, needs } = written;
  return (
    <>
      <h3>As a command</h3>
      <Lines text={command} what="as an orgctl command" />
      <p class="hint">
        {needs}
        {command.includes('********') && ' Values are masked: replace the asterisks.'}
      </p>
    </>
  );
}
