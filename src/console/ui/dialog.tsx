import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog; the browser handles focus and Escape. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    place.current?.showModal();
    // The first field, else Cancel.
    place.current?.querySelector<HTMLElement>('form :is(input, select, textarea, button)')?.focus();
    // Browsers do not restore the focus when the element is removed.
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={place} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => place.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
