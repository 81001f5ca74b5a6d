import type { RefusalAnswer } from '../api/control/control-answers.js';

/** Why a request was refused, and what to change, in one sentence. */
export function whyRefused({ reason, advice }: Partial<Pick<RefusalAnswer, 'reason' | 'advice'>>): string {
  return advice === undefined ? (reason ?? '') : `${reason}: ${advice}`;
}
