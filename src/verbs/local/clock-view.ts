import type { clockAnswerSchema } from '../../api/control/control-answers.js';
import type { z } from '../../api/schema/schema.js';
import type { TypedView } from '../../terminal/output/printer.js';

export const clockView: TypedView<z.infer<typeof clockAnswerSchema>> = {
  columns: [
    { header: 'TIME', value: 'time' },
    { header: 'OFFSET MS', value: 'offset', align: 'right' },
  ],
};
