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
          say(`${name} revoked.`);
          await onRevoked();
          onClose();
        }}
      >
        <p>
          This permanently deletes <strong>{name}</strong> (<code>{id}</code>). Requests that use it will fail
          with <em>Invalid API key</em>. To be able to turn it back on later, disable it instead.
        </p>
        <FormField
          label="Key name"
          hint={<>Type {name} to confirm.</>}
          name="typed"
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      </Form>
    </Dialog>
  );
}
