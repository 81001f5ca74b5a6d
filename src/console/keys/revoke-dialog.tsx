import { useSignal } from '@preact/signals';
import type { ControlledKey } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { say } from '../session/notices.js';
import { Dialog } from '../ui/dialog.js';
import { Form, FormField } from '../ui/form.js';

interface RevokeDialogProps {
  readonly apiKey: ControlledKey;
  readonly onRevoked: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function RevokeDialog({ apiKey, onRevoked, onClose }: RevokeDialogProps) {
  const { id, name } = apiKey;
  const typed = useSignal('');
  return (
    <Dialog title="Revoke a key" onClose={onClose}>
      <Form
        send="Revoke"
        isDangerous
        isReady={typed.value === name}
        onCancel={onClose}
        onSend={async () => {
          await api.keys.revoke(id);
          say(`${name} is revoked.`);
          await onRevoked();
          onClose();
        }}
      >
        <p>
          <strong>{name}</strong> (<code>{id}</code>) is gone for good: whoever uses it is refused with{' '}
          <em>Invalid API key</em>. A key that may be wanted again is better disabled.
        </p>
        <FormField
          label="The name of the key"
          hint={<>Type {name} to go on.</>}
          name="typed"
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      </Form>
    </Dialog>
  );
}
