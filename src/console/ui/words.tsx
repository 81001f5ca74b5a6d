import { useState } from 'preact/hooks';
import type { JournalEntryAnswer, StatusAnswer } from '../../api/control/control-answers.js';
import { chooseTone } from '../session/journal.js';
import { now } from '../session/server.js';
import { Button } from './form.js';
import { sayError } from './notices.js';

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

const ago = new Intl.RelativeTimeFormat('en', { style: 'narrow' });

/** Such as `3m ago`. */
function describeAge(milliseconds: number): string {
  const [size, unit] = units.find(([size]) => milliseconds >= size) ?? [1000, 'second'];
  return milliseconds < 5000 ? 'just now' : ago.format(-Math.floor(milliseconds / size), unit);
}

/** How long ago an ISO 8601 time is, by the server's clock; the exact time on hover. */
export function Age({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={at}>
      {describeAge(now.value - Date.parse(at))}
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

/** Such as `100 requests per minute`, or `100 requests per 1 minute 30 seconds`. */
export function describeRate({ requests, window }: NonNullable<StatusAnswer['rateLimit']>): string {
  return `${count(requests, 'request')} per ${describeSpan(window).replace(/^1 (\w+)$/, '$1')}`;
}

/** Milliseconds in at most two units, such as `1 hour 30 minutes`. */
export function describeSpan(milliseconds: number): string {
  let rest = Math.round(milliseconds);
  const parts: string[] = [];
  for (const [size, unit] of [...units, [1, 'millisecond'] as const]) {
    const whole = Math.floor(rest / size);
    if (whole > 0) parts.push(count(whole, unit));
    rest -= whole * size;
  }
  return parts.slice(0, 2).join(' ') || '0 seconds';
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
