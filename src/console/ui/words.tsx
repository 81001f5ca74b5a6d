import { useState } from 'preact/hooks';
import type { JournalEntryAnswer, StatusAnswer } from '../../api/control/control-answers.js';
import { formatDuration, formatRounded, showAge } from '../../text/duration.js';
import { chooseTone } from '../session/journal.js';
import { now } from '../session/server.js';
import { Button } from './form.js';
import { sayError } from './notices.js';

/** How long ago an ISO 8601 time is, such as `3m ago`, by the server's clock; the exact time on hover. */
export function Age({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="faint">never</span>;
  const age = showAge(at, now.value);
  return (
    <time dateTime={at} title={at}>
      {age.startsWith('in ') ? age : `${age} ago`}
    </time>
  );
}

const methodTones: Readonly<Record<string, string>> = {
  POST: 'good',
  PATCH: 'warn',
  PUT: 'warn',
  DELETE: 'bad',
};

export function Method({ name }: { readonly name: string }) {
  return <span class={`method ${methodTones[name] ?? ''}`}>{name}</span>;
}

export function Status({ of }: { readonly of: number | null }) {
  return <span class={`status ${chooseTone(of)}`}>{of ?? 'dropped'}</span>;
}

/** A request in one line, and how it ended. */
export function Outcome({ of: { status, method, target } }: { readonly of: JournalEntryAnswer }) {
  return (
    <>
      <Status of={status} /> <Method name={method} /> <span class="target">{target}</span>
    </>
  );
}

/** Such as `1 request` and `1,000 requests`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}

/** Such as `100 requests in 1m`. */
export function describeRate({ requests, window }: NonNullable<StatusAnswer['rateLimit']>): string {
  return `${count(requests, 'request')} in ${formatDuration(window)}`;
}

/** The size of the clock's offset, at least 1s. */
export function describeOffset(offset: number): string {
  return formatRounded(Math.max(Math.abs(offset), 1000));
}

/** Milliseconds of “Copied”. */
const saidFor = 1500;

interface CopyProps {
  readonly text: string;
  /** Completes “Copy …” for screen readers. */
  readonly what: string;
}

function CopyButton({ text, what }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), saidFor);
    } catch {
      sayError('The browser blocked copying: select the text and copy it yourself.');
    }
  };
  return (
    <>
      <Button kind="small" text={isCopied ? 'Copied' : 'Copy'} of={what} onClick={copy} />
      <span class="unseen" role="status">
        {isCopied && `Copied ${what}`}
      </span>
    </>
  );
}

export function Copyable({ text, what }: CopyProps) {
  return (
    <span class="copyable row">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

export function Lines({ text, what }: CopyProps) {
  return (
    <div class="lines">
      <CopyButton text={text} what={what} />
      <pre>{text}</pre>
    </div>
  );
}
