import { useSignal } from '@preact/signals';
import { CopyButton } from '../ui/copy.js';
import { nodeLines, pythonLines } from './program-lines.js';
import { type Call, type Origin, orgctlLines, signedCurlLines } from './request-lines.js';

interface CopiesProps {
  readonly call: Call;
  readonly origin: Origin;
}

/** A call in every form that signs itself; they unfold where the browser keeps the page from copying. */
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
      {call.body.includes('********') && (
        <p class="hint">The body is shown masked: put in what the asterisks stand for.</p>
      )}
      <details
        class="copied"
        open={isShown.value}
        onToggle={({ currentTarget }) => {
          isShown.value = currentTarget.open;
        }}
      >
        <summary>What is copied</summary>
        {isShown.value &&
          forms.map(([name, text]) => (
            <figure class="example" key={name}>
              <figcaption>As {name}</figcaption>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
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
      Each signs when it runs, with the secret of <code>{keyId}</code> in <code>ORGCTL_SECRET</code>. curl
      needs bash and openssl.
    </p>
  );
}
