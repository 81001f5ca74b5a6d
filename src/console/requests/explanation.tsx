import type { RefusalAnswer } from '../../api/control/control-answers.js';
import { CanonicalDiff, targetName } from './canonical-diff.js';
import { nameFailure } from './failure-names.js';

export function RefusalExplanation({ of }: { readonly of: RefusalAnswer }) {
  const { check, reason, mistake, advice, canonical, signed, difference } = of;
  return (
    <div class="explanation">
      <p class="reason">
        <span class="badge bad">{nameFailure(check)}</span>{' '}
        {endSentence(check === 'query' ? reason : capitalize(reason))}
      </p>
      {mistake !== undefined && (
        <p>
          Known mistake: <code>{mistake}</code>
        </p>
      )}
      {advice !== undefined && (
        <p class="advice">
          <strong>Fix:</strong> {advice}.
        </p>
      )}
      {canonical !== undefined && <CanonicalDiff expected={canonical} signed={signed} />}
      {difference !== undefined && (
        <p>
          First difference: byte {(difference.byte + 1).toLocaleString()}, in the{' '}
          {difference.part === 'target' ? targetName : difference.part}.
        </p>
      )}
    </div>
  );
}

function endSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

/** Leaves words like `secret_to` and `X-API-Key` as they are. Not for queries, whose reasons begin with a parameter. */
function capitalize(text: string): string {
  return text.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
