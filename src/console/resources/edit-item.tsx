import type { Item } from '../session/api.js';
import { Dialog } from '../ui/dialog.js';
import { Form } from '../ui/form.js';
import type { ItemDialogProps } from './item-kind.js';

interface EditItemProps<Kind extends Item> extends ItemDialogProps<Kind> {
  /** `undefined` to create one. */
  readonly item: Kind | undefined;
}

export function EditItem<Kind extends Item>(props: EditItemProps<Kind>) {
  const { singular, calls, fields, bodyOf, item, owner, onDone, onClose } = props;
  return (
    <Dialog title={item ? `Edit ${item.name}` : `New ${singular}`} onClose={onClose}>
      <Form
        send={item ? 'Save' : 'Create'}
        onCancel={onClose}
        onSend={async (form) => {
          const body = bodyOf(form);
          const { name } = item ? await calls.update(item.id, body, owner) : await calls.create(body, owner);
          onClose();
          await onDone(item ? `${name} changed.` : `${name} created.`);
        }}
      >
        {fields(item)}
      </Form>
    </Dialog>
  );
}
