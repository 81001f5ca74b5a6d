import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.js';
import { Form } from './form.js';

interface ConfirmDialogProps {
  readonly title: string;
  readonly send: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function ConfirmDialog({ title, send, onConfirm, onClose, children }: ConfirmDialogProps) {
  const confirm = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form send={send} isDangerous onCancel={onClose} onSend={confirm}>
        <p>{children}</p>
      </Form>
    </Dialog>
  );
}
