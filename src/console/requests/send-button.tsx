import { useSignal } from '@preact/signals';
import type { JournalDetailAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { sayError } from '../session/notices.js';
import { SentResult } from './sent-result.js';

interface SendButtonProps {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly request: () => RequestToAsk;
}

export type RequestToAsk = Parameters<typeof api.send>[0];

/** Sends a request, and shows below how it went. */
export function SendButton({ label, isDangerous = false, request }: SendButtonProps) {
  const { sent, isSending, send } = useSending();
  return (
    <>
      <div class="buttons">
        <button
          type="button"
          class={isDangerous ? 'danger' : 'primary'}
          aria-disabled={isSending.value}
          onClick={() => send(request())}
        >
          {label}
        </button>
      </div>
      <SentResult of={sent.value} onSend={send} />
    </>
  );
}

/** What was sent last, and how to send, once at a time. */
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
