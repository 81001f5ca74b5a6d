import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog; the browser keeps the focus in it, closes it by Escape, and gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    place.current?.showModal();
    // The first field; in a form without one, Cancel.
    place.current?.querySelector<HTMLElement>('form :is(input, select, textarea, button)')?.focus();
    // Where the whole dialog is taken away, no browser does it.
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
