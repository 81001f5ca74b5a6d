import { useSignal } from '@preact/signals';
import { sayError } from '../notices.js';

/** Milliseconds that a button says what it did. */
const saidFor = 1500;

/** Copies a text. `what` tells the buttons of a page apart for those who hear them. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => {
        isCopied.value = false;
      }, saidFor);
    } catch {
      sayError('The browser did not let the page copy: mark the text and copy it by hand.');
    }
  };
  return (
    <button type="button" class="small copy" aria-label={`Copy ${what}`} onClick={copy}>
      {isCopied.value ? 'Copied' : 'Copy'}
    </button>
  );
}

/** A short text that is wanted elsewhere, with its button. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** Lines to paste, as they are. */
export function Lines({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="lines">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
