import type { DialectItem, DialectList } from '../../api/dialect/dialect-input.js';
import type { FieldTypes } from './find-item.js';

export interface ProbedKind {
  readonly kind: string;
  /** `unread`: the form is unknown; `refused`: no request succeeded; `unasked`: no request was made, or all got 401. */
  readonly state: 'read' | 'missing' | 'unread' | 'refused' | 'unasked';
  readonly missing?: 404 | 405 | 501;
  readonly list: DialectList;
  /** Whether the list is paged in a known form that no dialect expresses, such as by offset. */
  readonly isInexpressible?: true;
  readonly item: DialectItem;
  readonly fields: FieldTypes;
}
