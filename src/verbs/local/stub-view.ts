import type { StubAnswer } from '../../api/control/control-answers.js';
import type { View } from '../../terminal/output/printer.js';

export const stubView: View<StubAnswer> = {
  columns: [
    { header: 'REQUEST', value: 'request' },
    { header: 'STATUS', value: 'status' },
    { header: 'BYTES', value: ({ body = '' }) => Buffer.byteLength(body), align: 'right' },
    { header: 'HITS', value: 'hits', align: 'right' },
  ],
  fields: ['headers', 'body'],
  empty: 'no stubs',
};
