import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { sayError } from '../session/notices.js';

/** Milliseconds for which a button shows “Copied”. */
const saidFor = 1500;

interface CopyProps {
  readonly text: string;
  /** Completes “Copy …” for screen readers. */
  readonly what: string;
  /** The button's text; default: `Copy`. */
  readonly label?: string;
  /** Called when the browser blocks copying. */
  readonly onRefused?: () => void;
}

export function CopyButton({ text, what, label = 'Copy', onRefused }: CopyProps) {
  const isCopied = useSignal(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        isCopied.value = false;
      }, saidFor);
    } catch {
      onRefused?.();
      sayError('The browser blocked copying: select the text and copy it yourself.');
    }
  };
  return (
    <>
      <button type="button" class="small copy" aria-label={`Copy ${what}`} onClick={copy}>
        {isCopied.value ? 'Copied' : label}
      </button>
      <span class="unseen" role="status">
        {isCopied.value && `Copied ${what}`}
      </span>
    </>
  );
}

export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

export function Lines({ text, what }: { readonly text: string; readonly what: string }) {
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
