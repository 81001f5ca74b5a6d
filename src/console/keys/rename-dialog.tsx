import type { ControlledKey } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { say } from '../session/notices.js';
import { Dialog } from '../ui/dialog.js';
import { Form, FormField, readText } from '../ui/form.js';

interface RenameDialogProps {
  readonly apiKey: ControlledKey;
  readonly onRenamed: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function RenameDialog({ apiKey: { id, name }, onRenamed, onClose }: RenameDialogProps) {
  return (
    <Dialog title={`Rename ${name}`} onClose={onClose}>
      <Form
        send="Rename"
        onCancel={onClose}
        onSend={async (fields) => {
          const renamed = await api.keys.rename(id, readText(fields, 'name') ?? '');
          onClose();
          say(`${name} renamed to ${renamed.name}.`);
          await onRenamed();
        }}
      >
        <FormField
          label="Name"
          name="name"
          required
          maxLength={255}
          defaultValue={name}
          hint="The ID and the secret stay the same."
        />
      </Form>
    </Dialog>
  );
}
