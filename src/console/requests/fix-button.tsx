import type { JournalDetailAnswer, RefusalAnswer } from '../../api/control/control-answers.js';
import type { RequestToAsk } from './sending.js';

interface FixButtonProps {
  readonly of: JournalDetailAnswer;
  readonly onSend: (request: RequestToAsk) => Promise<boolean>;
}

/** Nothing where the server knows no remedy. */
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

/** Says how the server corrects the request; nothing for a step that this page does not know. */
function describeRemedy(
  { step, path, method, kind, limit }: NonNullable<RefusalAnswer['remedy']>,
  keyId = 'the key',
): string | undefined {
  if (step === 'sign') return 'Signs it again, with the server’s clock and a key that works.';
  if (step === 'enable-key') return `Enables ${keyId}, then sends it again.`;
  if (step === 'raise-limit') return `Raises the limit to ${limit} ${kind}, then sends it again.`;
  return step === 'edit' ? `Sends it to ${[method, path].filter(Boolean).join(' ')} instead.` : undefined;
}
