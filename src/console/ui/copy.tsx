import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { sayError } from './notices.js';

/** Milliseconds. */
const saidFor = 1500;

interface CopyProps {
  readonly text: string;
  /** Completes “Copy …” for screen readers. */
  readonly what: string;
}

function CopyButton({ text, what }: CopyProps) {
  const isCopied = useSignal(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      sayError('The browser blocked copying: select the text and copy it yourself.');
      return;
    }
    isCopied.value = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      isCopied.value = false;
    }, saidFor);
  };
  return (
    <>
      <button type="button" class="small" aria-label={`Copy ${what}`} onClick={copy}>
        {isCopied.value ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {isCopied.value && `Copied ${what}`}
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll the text */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
