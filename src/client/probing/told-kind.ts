import type { DialectItem, DialectList } from '../../api/dialect/dialect-input.js';
import type { FieldTypes } from './find-item.js';

/** The forms of one kind, as far as the calls show them. */
export interface ToldKind {
  readonly kind: string;
  /** `unread`: a list in no known form; `refused`: none that this key may read; `unasked`: no call. */
  readonly state: 'read' | 'missing' | 'unread' | 'refused' | 'unasked';
  readonly missing?: 404 | 405 | 501;
  readonly list: DialectList;
  readonly item: DialectItem;
  readonly fields: FieldTypes;
}
