import type { RefusalAnswer } from '../../api/control/control-answers.js';
import { Lines } from '../ui/copy.js';
import { CanonicalString } from './canonical-string.js';
import { nameFailure } from './failure-names.js';

/** Why a request was refused, in the order in which it is mended: what is wrong, what to change, how it should be. */
export function RefusalExplanation({ of }: { readonly of: RefusalAnswer }) {
  const { check, reason, mistake, advice, canonical, signed, difference } = of;
  return (
    <div class="explanation">
      <p class="reason">
        <span class="badge bad">{nameFailure(check)}</span> {capitalize(reason)}.
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
      {canonical !== undefined && (
        <CanonicalString
          title="To be signed"
          text={canonical}
          mark={signed === undefined ? undefined : findFirstDifference(canonical, signed)}
          isNamed
        />
      )}
      {signed !== undefined && canonical !== undefined && (
        <CanonicalString title="Signed instead" text={signed} mark={findFirstDifference(signed, canonical)} />
      )}
      {difference !== undefined && (
        <p>
          They differ from byte {difference.byte.toLocaleString()} on, in the {difference.part}.
        </p>
      )}
    </div>
  );
}

/** No identifier is capitalised. */
function capitalize(text: string): string {
  return text.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** Characters that two shown strings begin with alike; not within an escape, which is one thing to the eye. */
function findFirstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const escaped = /\\(?:x[0-9a-f]{2}|u\{[0-9a-f]+\}|.)?$/.exec(one.slice(0, at));
  return one[at - 1] === '\\' && escaped !== null ? escaped.index : at;
}

/** A curl command that is accepted once what it must not have is put in. */
export function AcceptedCurl({ title, curl }: { readonly title: string; readonly curl: string }) {
  return (
    <>
      <h3>{title}</h3>
      <Lines text={curl} what="the curl command" />
      {curl.includes('SIGNATURE') && (
        <p class="hint">
          Replace SIGNATURE with the signature made with your secret. This page does not have it.
        </p>
      )}
    </>
  );
}
