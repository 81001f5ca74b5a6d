import type { Item } from '../session/api.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import type { ItemDialogProps } from './item-kind.js';

interface DeleteItemProps<Kind extends Item> extends ItemDialogProps<Kind> {
  readonly item: Kind;
}

export function DeleteItem<Kind extends Item>(props: DeleteItemProps<Kind>) {
  const { singular, calls, item, owner, onDone, onClose } = props;
  return (
    <ConfirmDialog
      title={`Delete ${item.name}?`}
      send="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await calls.delete(item.id, owner);
        await onDone(`${item.name} deleted.`);
      }}
    >
      This permanently deletes the {singular} <code>{item.id}</code> and frees its place in the quota.
    </ConfirmDialog>
  );
}
