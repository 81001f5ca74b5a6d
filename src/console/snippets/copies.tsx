import { useSignal } from '@preact/signals';
import { CopyButton } from '../ui/copy.js';
import { nodeLines, pythonLines } from './program-lines.js';
import { type Call, type Origin, orgctlLines, signedCurlLines } from './request-lines.js';

interface CopiesProps {
  readonly call: Call;
  readonly origin: Origin;
}

/** Snippets that sign and send a call. They unfold if the browser blocks copying. */
export function Copies({ call, origin }: CopiesProps) {
  const isShown = useSignal(false);
  const forms = [
    ['orgctl request', orgctlLines(call, origin)],
    ['signed curl', signedCurlLines(call, origin)],
    ['Node.js', nodeLines(call, origin)],
    ['Python', pythonLines(call, origin)],
  ] as const;
  return (
    <>
      <div class="buttons">
        {forms.map(([name, text]) => (
          <CopyButton
            key={name}
            text={text}
            what={`as ${name}`}
            label={`Copy as ${name}`}
            onRefused={() => {
              isShown.value = true;
            }}
          />
        ))}
      </div>
      <Needs origin={origin} />
      {(call.target + call.body).includes('********') && (
        <p class="hint">Values are masked: replace the asterisks.</p>
      )}
      <details
        class="copied"
        open={isShown.value}
        onToggle={({ currentTarget }) => {
          isShown.value = currentTarget.open;
        }}
      >
        <summary>Show the snippets</summary>
        {isShown.value &&
          forms.map(([name, text]) => (
            <figure class="example" key={name}>
              <figcaption>As {name}</figcaption>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll the text */}
              <pre tabIndex={0}>
                <code>{text}</code>
              </pre>
            </figure>
          ))}
      </details>
    </>
  );
}

function Needs({ origin: { profile, keyId } }: { readonly origin: Origin }) {
  return (
    <p class="hint">
      {profile !== undefined && (
        <>
          orgctl uses profile <code>{profile}</code>.{' '}
        </>
      )}
      {profile === undefined ? 'The snippets need' : 'The other snippets need'} <code>ORGCTL_SECRET</code>,
      the secret of <code>{keyId}</code>. curl also needs bash and openssl.
    </p>
  );
}
