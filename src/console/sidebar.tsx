import { useEffect, useRef } from 'preact/hooks';
import { isReachable } from './session/control.js';
import { plain, route, setQuery, toHref, viewNames } from './session/route.js';
import { isProxy, organization, organizations, status } from './session/status.js';
import { Choice } from './ui/form.js';
import { Icon } from './ui/icon.js';

const groups: readonly (readonly [name: string, views: readonly string[]])[] = [
  ['', ['overview', 'requests']],
  ['Data', ['keys', 'connections', ...plain.map(({ kind }) => kind)]],
  ['Tools', ['test-controls']],
];

export function Sidebar({ view }: { readonly view: string }) {
  return (
    <header class="side">
      <p class="brand">
        <Icon name="mark" />
        <span>
          orgctl{' '}
          <span class={isReachable.value ? 'dot good' : 'dot bad'} aria-hidden="true">
            ●
          </span>
          <br />
          <span class="hint">{readAddress()}</span>
        </span>
        <span class="unseen">
          {isReachable.value ? 'The server responds' : 'The server does not respond'}
        </span>
      </p>
      <OrganizationChooser />
      <nav aria-label="Views">
        {(isProxy.value ? [['', ['requests']] as const] : groups).map(([name, members]) => (
          <div key={name}>
            {name !== '' && <p class="group-name">{name}</p>}
            <ul>
              {members.map((member) => (
                <li key={member}>
                  <ViewLink view={member} isHere={member === view} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </header>
  );
}

function readAddress(): string {
  const { url, upstream } = status.value ?? {};
  if (url === undefined) return '';
  return upstream === undefined ? new URL(url).host : `proxy → ${new URL(upstream).host}`;
}

/** The current view's link scrolls into view: on a phone, the row of links is wider than the page. */
function ViewLink({ view, isHere }: { readonly view: string; readonly isHere: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isHere]);
  return (
    <a ref={link} href={toHref(view)} aria-current={isHere ? 'page' : undefined}>
      <Icon name={view} />
      {viewNames[view]}
    </a>
  );
}

/** Hidden for a single organization, and in the Requests view, which shows those of all organizations. */
function OrganizationChooser() {
  if (organizations.value.length < 2 || route.value.view === 'requests') return null;
  return (
    <Choice
      label="Organization"
      options={organizations.value.map(({ id, name }) => [id, name])}
      value={organization.value?.id}
      onChange={({ currentTarget }) => setQuery({ organization: currentTarget.value, page: undefined })}
    />
  );
}
