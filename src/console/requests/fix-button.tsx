import type { JournalDetailAnswer, RefusalAnswer } from '../../api/control/control-answers.js';
import type { RequestToAsk } from './sending.js';

interface FixButtonProps {
  readonly of: JournalDetailAnswer;
  readonly onSend: (request: RequestToAsk) => Promise<boolean>;
}

/** Hidden if the server knows no remedy. */
export function FixButton({ of: { id, refusal, keyId }, onSend }: FixButtonProps) {
  const said = refusal?.remedy && describeRemedy(refusal.remedy, keyId);
  if (said === undefined) return null;
  return (
    <p class="fix">
      <button type="button" class="primary" onClick={() => onSend({ replay: id, fix: true })}>
        Fix and replay
      </button>{' '}
      <span class="hint">{said}</span>
    </p>
  );
}

/** How the server makes the request work; `undefined` for an unknown step. */
function describeRemedy(
  { step, path, method, kind, limit }: NonNullable<RefusalAnswer['remedy']>,
  keyId = 'the key',
): string | undefined {
  if (step === 'sign') return 'Signs the request with the server’s clock and a working key, then sends it.';
  if (step === 'enable-key') return `Enables ${keyId}, then sends the request again.`;
  if (step === 'raise-limit') return `Raises the limit to ${limit} ${kind}, then sends the request again.`;
  return step === 'edit'
    ? `Changes the request to ${[method, path].filter(Boolean).join(' ')}, then sends it.`
    : undefined;
}
