import { useEffect, useRef } from 'preact/hooks';
import type { JournalDetailAnswer, StatusAnswer } from '../../api/control/control-answers.js';
import { ApiError, api } from '../session/api.js';
import { useLoaded } from '../session/loaded.js';
import { attemptAndTell } from '../session/notices.js';
import { route, toHref } from '../session/router.js';
import { isProxy } from '../session/status.js';
import { Copies } from '../snippets/copies.js';
import { Age } from '../ui/age.js';
import { Lines } from '../ui/copy.js';
import { Method } from '../ui/method.js';
import { Show } from '../ui/states.js';
import { RefusalExplanation } from './explanation.js';
import { Replay } from './replay.js';
import { printBody } from './sent-result.js';
import { chooseTone } from './tone.js';

interface EntryDetailProps {
  readonly id: number;
  readonly status: StatusAnswer | undefined;
}

export function EntryDetail({ id, status }: EntryDetailProps) {
  const entry = useLoaded(() => findEntry(id), [id]);
  const sectionRef = useRef<HTMLElement>(null);
  const back = toHref('requests', { ...Object.fromEntries(route.value.query), entry: undefined });
  useEffect(() => {
    // On a narrow screen, this section hides the list, which contains the focused line.
    sectionRef.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={sectionRef} class="entry" tabIndex={-1} aria-label={`Request ${id}`}>
      <a class="button small close" href={back}>
        Close
      </a>
      <Show of={entry}>{(it) => <Whole of={it} status={status} />}</Show>
    </section>
  );
}

async function findEntry(id: number): Promise<JournalDetailAnswer> {
  try {
    return await api.journal.get(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new ApiError(
      404,
      'Details are not available: the server keeps the last 1,000 requests, until they are cleared.',
    );
  }
}

function Whole({ of, status }: WholeProps) {
  const { method, target, time, milliseconds, keyId, fault, stub, refusal, headers, response } = of;
  return (
    <>
      <h2>
        <span class={`status ${chooseTone(of.status)}`}>{of.status ?? 'dropped'}</span>{' '}
        <Method name={method} /> <span class="target">{target}</span>
      </h2>
      <p class="faint">
        <Age at={time} /> · {milliseconds.toFixed(1)} ms{keyId !== undefined && <KeyLink id={keyId} />}
        {fault !== undefined && (
          <>
            {' '}
            · fault rule <code>{fault}</code>
          </>
        )}
        {stub !== undefined && (
          <>
            {' '}
            · stub <code>{stub}</code>
          </>
        )}
      </p>
      {refusal && <RefusalExplanation of={refusal} />}
      {refusal?.check === 'enabled' && !isProxy.value && keyId !== undefined && <Enable id={keyId} />}
      {refusal?.check === 'quota' && !isProxy.value && (
        <p>
          <a class="button" href={toHref('test-controls', { organization: of.organization })}>
            Raise the limit
          </a>
        </p>
      )}
      {!isProxy.value && <Replay of={of} />}
      {response && <Side title="Response" of={response} />}
      {headers && <Side title="Request" of={of} />}
      <EntryCopies of={of} status={status} />
    </>
  );
}

function KeyLink({ id }: { readonly id: string }) {
  return <> · {isProxy.value ? id : <a href={toHref('keys', { key: id })}>{id}</a>}</>;
}

/** Enables a disabled key through the control API, because the service's API cannot enable keys. */
function Enable({ id }: { readonly id: string }) {
  return (
    <p>
      <button
        type="button"
        class="primary"
        onClick={() => attemptAndTell(() => api.keys.enable(id), `${id} enabled. It works again.`)}
      >
        Enable {id}
      </button>
    </p>
  );
}

interface SideProps {
  readonly title: string;
  readonly of: Pick<JournalDetailAnswer, 'headers' | 'body' | 'bodyBytes'>;
}

interface WholeProps {
  readonly of: JournalDetailAnswer;
  readonly status: StatusAnswer | undefined;
}

/** Hidden if the journal does not have the body, or if a proxy knows no key. */
function EntryCopies({ of, status }: WholeProps) {
  const hasBody = of.bodyBytes !== undefined && of.bodyBytes > 0;
  if (status === undefined || (hasBody && of.body === undefined)) return null;
  const { url, caFile, profile } = status;
  const keyId = of.refusal?.check === 'key' ? status.keyId : (of.keyId ?? status.keyId);
  if (keyId === '') return null;
  const base = new URL(url).pathname.replace(/\/$/, '');
  const call = {
    method: of.method.toUpperCase(),
    target: of.target.startsWith(base) ? of.target.slice(base.length) : of.target,
    body: of.body === undefined ? '' : printBody(of.body),
  };
  return (
    <>
      <h3>{of.refusal?.remedy?.step === 'sign' ? 'Correctly signed request' : 'The same request'}</h3>
      <Copies
        call={call}
        origin={{ url, caFile, keyId, profile: keyId === status.keyId ? profile : undefined }}
      />
    </>
  );
}

function countBytes(bytes: number): string {
  return `${bytes.toLocaleString()} byte${bytes === 1 ? '' : 's'}`;
}

function Side({ title, of: { headers = {}, body, bodyBytes = 0 } }: SideProps) {
  return (
    <>
      <h3>
        {title} <span class="faint">{countBytes(bodyBytes)}</span>
      </h3>
      {body !== undefined && <Lines text={printBody(body)} what="the body" />}
      <dl class="facts headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
