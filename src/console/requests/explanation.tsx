import type { RefusalAnswer } from '../../api/control/control-answers.js';
import { CanonicalDiff, targetName } from './canonical-diff.js';

const failureNames: Readonly<Record<string, string>> = {
  request: 'bad request',
  credentials: 'no credential, or two',
  format: 'bad credential',
  key: 'unknown key',
  timestamp: 'bad timestamp',
  signature: 'bad signature',
  secret: 'wrong secret',
  enabled: 'key disabled',
  'rate-limit': 'rate limit',
  route: 'not found',
  query: 'bad query',
  body: 'bad body',
  quota: 'quota full',
  server: 'server error',
};

/** The failed check in two or three words. */
export function nameFailure(check: string): string {
  return failureNames[check] ?? check;
}

/** Why a request was refused, what to change and, for a signature, where it differs. */
export function RefusalExplanation({ of }: { readonly of: RefusalAnswer }) {
  const { check, reason, mistake, advice, canonical, signed, difference } = of;
  return (
    <div class="explanation">
      <p>
        <span class="badge bad">{nameFailure(check)}</span> {toSentence(check, reason)}
      </p>
      {mistake !== undefined && <p class="faint">Known mistake: {mistake}</p>}
      {advice !== undefined && (
        <p class="state good">
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

/** Leaves words like `secret_to` and `X-API-Key` as they are, and queries, whose reasons begin with a parameter. */
function toSentence(check: string, text: string): string {
  const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const start = check === 'query' ? text : text.replace(/^[a-z]+(?= )/, capitalize);
  return start.endsWith('?') ? start : `${start}.`;
}
