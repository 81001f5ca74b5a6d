import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button, Form } from './form.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Focuses the first control of its form, and restores the focus when removed. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const dialog = dialogRef.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea, button)')?.focus();
    // Browsers restore the focus when a dialog closes, but not when it is removed.
    return () => {
      const active = document.activeElement;
      const isLost = active === null || active === document.body || dialog?.contains(active) === true;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialogRef} aria-labelledby={id} onClose={onClose}>
      <header class="row">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" text="Close" onClick={() => dialogRef.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps extends DialogProps {
  readonly send: string;
  readonly onConfirm: () => Promise<void>;
}

/** Asks before something that cannot be undone. The focus is on Cancel, so that Enter destroys nothing. */
export function Confirm({ send, onConfirm, children, ...dialog }: ConfirmProps) {
  const confirm = async () => {
    await onConfirm();
    dialog.onClose();
  };
  return (
    <Dialog {...dialog}>
      <Form send={send} isDangerous onCancel={dialog.onClose} onSend={confirm}>
        <p>{children}</p>
      </Form>
    </Dialog>
  );
}
