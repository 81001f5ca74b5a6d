import type { StubAnswer } from '../../api/control/control-answers.js';
import type { TypedView } from '../../terminal/output/printer.js';

export const stubView: TypedView<StubAnswer> = {
  columns: [
    { header: 'REQUEST', value: 'request' },
    { header: 'STATUS', value: 'status' },
    { header: 'BYTES', value: ({ body = '' }) => Buffer.byteLength(body), align: 'right' },
    { header: 'HITS', value: 'hits', align: 'right' },
  ],
  fields: ['headers', 'body'],
  empty: 'no stubs',
};
