import type { RefusalAnswer } from '../api/control/control-answers.js';

export function whyRefused({ reason, advice }: Partial<Pick<RefusalAnswer, 'reason' | 'advice'>>): string {
  return advice === undefined ? (reason ?? '') : `${reason}: ${advice}`;
}
