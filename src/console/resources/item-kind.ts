import type { ComponentChildren } from 'preact';
import type { Item, makeItemCalls } from '../session/api.js';

export interface ItemColumn<Kind> {
  readonly title: string;
  readonly cell: (item: Kind) => ComponentChildren;
}

export interface ItemKind<Kind extends Item> {
  readonly kind: string;
  readonly title: string;
  readonly singular: string;
  readonly calls: ReturnType<typeof makeItemCalls<Kind>>;
  readonly columns: readonly ItemColumn<Kind>[];
  readonly fields: (item: Kind | undefined) => ComponentChildren;
  readonly bodyOf: (fields: FormData) => object;
}

export interface ItemDialogProps<Kind extends Item> extends ItemKind<Kind> {
  readonly owner: string | undefined;
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
}
