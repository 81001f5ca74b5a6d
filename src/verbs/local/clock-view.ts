import type { clockAnswerSchema } from '../../api/control/control-answers.js';
import type { z } from '../../api/schema/schema.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { formatRounded } from '../../text/duration.js';

export const clockView: TypedView<z.infer<typeof clockAnswerSchema>> = {
  columns: [
    { header: 'TIME', value: 'time' },
    { header: 'OFFSET', value: 'offset', drawn: (offset) => describeOffset(Number(offset)) },
  ],
};

/** Such as `none`, `10m ahead` or `1d 12h behind`; rounded. */
export function describeOffset(milliseconds: number): string {
  const text = formatRounded(Math.abs(milliseconds));
  return text === '' ? 'none' : `${text} ${milliseconds > 0 ? 'ahead' : 'behind'}`;
}
