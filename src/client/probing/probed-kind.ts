import type { DialectItem, DialectList } from '../../api/dialect/dialect-input.js';
import type { FieldTypes } from './find-item.js';

export interface ProbedKind {
  readonly kind: string;
  /** `unread`: unknown form; `refused`: this key may not read it; `unasked`: no call. */
  readonly state: 'read' | 'missing' | 'unread' | 'refused' | 'unasked';
  readonly missing?: 404 | 405 | 501;
  readonly list: DialectList;
  readonly item: DialectItem;
  readonly fields: FieldTypes;
}
