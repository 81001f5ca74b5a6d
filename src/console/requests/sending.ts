import { useSignal } from '@preact/signals';
import type { JournalDetailAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { sayError } from '../session/notices.js';

export type RequestToAsk = Parameters<typeof api.send>[0];

/** The newest request with its response, and `send`, which ignores calls while a request is under way. */
export function useSending() {
  const sent = useSignal<JournalDetailAnswer | undefined>(undefined);
  const isSending = useSignal(false);
  const send = async (request: RequestToAsk): Promise<boolean> => {
    if (isSending.peek()) return false;
    isSending.value = true;
    try {
      sent.value = await api.send(request);
      return true;
    } catch (error) {
      sayError(error);
      return false;
    } finally {
      isSending.value = false;
    }
  };
  return { sent, isSending, send };
}
