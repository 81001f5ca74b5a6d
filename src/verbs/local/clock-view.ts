import type { clockAnswerSchema } from '../../api/control/control-answers.js';
import type { z } from '../../api/schema/schema.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { formatDuration } from '../../text/duration.js';

export const clockView: TypedView<z.infer<typeof clockAnswerSchema>> = {
  columns: [
    { header: 'TIME', value: 'time' },
    { header: 'OFFSET', value: 'offset', drawn: (offset) => describeOffset(Number(offset)) },
  ],
};

/** `none`, or such as `10m ahead`, in whole seconds. */
export function describeOffset(milliseconds: number): string {
  const whole = Math.round(Math.abs(milliseconds) / 1000) * 1000;
  return whole === 0 ? 'none' : `${formatDuration(whole)} ${milliseconds > 0 ? 'ahead' : 'behind'}`;
}
