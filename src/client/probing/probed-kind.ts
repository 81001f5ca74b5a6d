import type { DialectItem, DialectList } from '../../api/dialect/dialect-input.js';
import type { FieldTypes } from './find-item.js';

export interface ProbedKind {
  readonly kind: string;
  /** `unread`: the response has an unknown form; `refused`: no request succeeded; `unasked`: there was no request. */
  readonly state: 'read' | 'missing' | 'unread' | 'refused' | 'unasked';
  readonly missing?: 404 | 405 | 501;
  readonly list: DialectList;
  readonly item: DialectItem;
  readonly fields: FieldTypes;
}
