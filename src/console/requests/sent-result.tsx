import { useEffect, useRef } from 'preact/hooks';
import type { JournalDetailAnswer } from '../../api/control/control-answers.js';
import { toHref } from '../session/router.js';
import { Lines } from '../ui/copy.js';
import { Method } from '../ui/method.js';
import { RefusalExplanation } from './explanation.js';
import { FixButton } from './fix-button.js';
import type { RequestToAsk } from './sending.js';
import { chooseTone } from './tone.js';

interface SentResultProps {
  readonly of: JournalDetailAnswer | undefined;
  readonly onSend: (request: RequestToAsk) => Promise<boolean>;
}

export function SentResult({ of, onSend }: SentResultProps) {
  const sectionRef = useRef<HTMLElement>(null);
  useEffect(() => {
    if (of) sectionRef.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return (
    <section class="sent" ref={sectionRef} aria-label="Response" aria-live="polite">
      {of && (
        <>
          <p class="line">
            <span class={`status ${chooseTone(of.status)}`}>{of.status ?? 'dropped'}</span>{' '}
            <Method name={of.method} /> <span class="target">{of.target}</span>{' '}
            <span class="faint">
              {of.milliseconds.toFixed(1)} ms, signed with {of.keyId} ·{' '}
              <a href={toHref('requests', { entry: String(of.id) })}>details</a>
            </span>
          </p>
          {of.refusal && <RefusalExplanation of={of.refusal} />}
          <FixButton of={of} onSend={onSend} />
          {of.response?.body !== undefined && (
            <Lines text={printBody(of.response.body)} what="the response" />
          )}
        </>
      )}
    </section>
  );
}

export function printBody(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}
