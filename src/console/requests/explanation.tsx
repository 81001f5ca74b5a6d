import type { RefusalAnswer } from '../../api/control/control-answers.js';

const targetName = 'path and query';

const parts = ['method', targetName, 'timestamp', 'content type', 'body'] as const;

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

export function RefusalExplanation({ of }: { readonly of: RefusalAnswer }) {
  const { check, reason, mistake, advice, difference } = of;
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
      <CanonicalDiff of={of} />
      {difference !== undefined && (
        <p>
          First difference: byte {(difference.byte + 1).toLocaleString()}, in the{' '}
          {difference.part === 'target' ? targetName : difference.part}.
        </p>
      )}
    </div>
  );
}

/** Capitalizes the first word, unless it is a header or the parameter of a query. */
function toSentence(check: string, text: string): string {
  const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const start = check === 'query' ? text : text.replace(/^[a-z]+(?= )/, capitalize);
  return start.endsWith('?') ? start : `${start}.`;
}

/** The string to sign, part by part, in which line feeds are `\n` and backslashes `\\`. */
function CanonicalDiff({ of: { canonical, signed } }: { readonly of: RefusalAnswer }) {
  if (canonical === undefined) return null;
  const wanted = splitParts(canonical);
  const given = signed === undefined ? undefined : alignParts(splitParts(signed), wanted);
  return (
    <table class="diff">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Expected</th>
          {given && <th scope="col">Your client signed</th>}
        </tr>
      </thead>
      <tbody>
        {parts.map((part, at) => (
          <tr key={part} class={given && given[at] !== wanted[at] ? 'differs' : ''}>
            <th scope="row">{part}</th>
            <td class="good" data-side="expected">
              <Value text={wanted[at]} other={(given ?? wanted)[at]} />
            </td>
            {given && (
              <td class="bad" data-side="signed">
                <Value text={given[at]} other={wanted[at]} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A part with its line ending; marks what differs from the other side. */
function Value({ text, other = '' }: Record<'text' | 'other', string | undefined>) {
  if (text === undefined) return <mark>missing</mark>;
  const [start, end] = findDifference(text, other);
  return (
    <code>
      {text.slice(0, start)}
      {start < end && <mark>{text.slice(start, end)}</mark>}
      {text.slice(end)}
    </code>
  );
}

function findDifference(text: string, other: string): readonly [start: number, end: number] {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return [start, text.length - end];
}

/** Cuts after each of the first four line endings; the rest is the body, which may contain more. */
function splitParts(text: string): readonly string[] {
  const endings = (escaped: string) => (escaped === '\\n' ? '\\n\n' : escaped);
  const lines = text.replaceAll(/\\\\|\\n/g, endings).split('\n');
  const head = lines.splice(0, parts.length - 1);
  return lines.length === 0 ? head : [...head, lines.join('')];
}

/** Inserts `undefined` for the content type if the client signed no line for it. */
function alignParts(given: readonly string[], wanted: readonly string[]): readonly (string | undefined)[] {
  const [body] = wanted.slice(-1);
  const isWithoutType = given.length === parts.length - 1 && body !== '' && given.at(-1) === body;
  return isWithoutType ? [...given.slice(0, -1), undefined, body] : given;
}
