import { useSignal } from '@preact/signals';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import { Lines } from '../ui/copy.js';
import { languages, linesFor } from './first-request.js';

interface FirstRequestProps {
  readonly status: Pick<StatusAnswer, 'url' | 'caFile'>;
  readonly keyId: string;
  readonly secret: string;
}

export function FirstRequestSteps({ status, keyId, secret }: FirstRequestProps) {
  const language = useSignal<(typeof languages)[number]>('curl');
  const { url, caFile } = status;
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>First request</h2>
        <div class="choice">
          {languages.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="language"
                checked={language.value === name}
                onChange={() => {
                  language.value = name;
                }}
              />
              <span>{name}</span>
            </label>
          ))}
        </div>
      </div>
      <Lines text={linesFor(language.value, { url, caFile, keyId, secret })} what="the lines" />
    </section>
  );
}
