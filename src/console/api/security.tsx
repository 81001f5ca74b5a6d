import type { ApiDocument } from '../session/api-document.js';
import { SourceMark } from './source.js';

export function Security({ of: { security, components } }: { readonly of: ApiDocument }) {
  return (
    <details class="panel security">
      <summary>
        <h2>Security: every request is signed (HMAC) or carries the key's ID and secret (Basic)</h2>
      </summary>
      {security.map((names, at) => (
        <section key={Object.keys(names).join()}>
          {at > 0 && <p class="shape">Or</p>}
          <dl>
            {Object.keys(names).map((name) => {
              const scheme = components.securitySchemes[name];
              return (
                scheme && (
                  <div key={name}>
                    <dt>
                      <code>{scheme.name ?? 'Authorization: Basic'}</code>{' '}
                      <SourceMark of={scheme['x-source']} />
                    </dt>
                    <dd>{scheme.description}</dd>
                  </div>
                )
              );
            })}
          </dl>
        </section>
      ))}
    </details>
  );
}
