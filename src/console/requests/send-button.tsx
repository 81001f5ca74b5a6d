import { type RequestToAsk, useSending } from './sending.js';
import { SentResult } from './sent-result.js';

interface SendButtonProps {
  readonly label: string;
  readonly isDangerous?: boolean;
  readonly request: () => RequestToAsk;
}

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
