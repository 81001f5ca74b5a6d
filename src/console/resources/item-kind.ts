import type { ComponentChildren } from 'preact';
import type { Item, itemsOf } from '../session/api.js';

/** A column of a kind's table. */
export interface Column<Kind> {
  readonly title: string;
  readonly cell: (item: Kind) => ComponentChildren;
}

/** What connections and teams differ in. */
export interface ItemKind<Kind extends Item> {
  readonly title: string;
  readonly singular: string;
  readonly calls: ReturnType<typeof itemsOf<Kind>>;
  /** What it has beside its name and times. */
  readonly columns: readonly Column<Kind>[];
  /** The fields of the form, of a new one or of one that is there. */
  readonly fields: (item: Kind | undefined) => ComponentChildren;
  readonly bodyOf: (fields: FormData) => object;
}

/** What a dialog about one of them is told. */
export interface ItemDialogProps<Kind extends Item> extends ItemKind<Kind> {
  /** The organization that it belongs to. */
  readonly owner: string | undefined;
  readonly onDone: (text: string) => Promise<void>;
  readonly onClose: () => void;
}
