import { useEffect, useRef } from 'preact/hooks';
import { isReachable } from './session/control.js';
import { plain, route, setQuery, toHref, viewNames } from './session/route.js';
import { isProxy, organization, organizations, status } from './session/status.js';
import { Choice } from './ui/form.js';

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
        <span class="unseen">The server {isReachable.value ? 'responds' : 'does not respond'}</span>
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

/** The current link scrolls into view: on a phone, the row of links is wider than the page. */
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

/** Not for the Requests view, which shows those of all organizations. */
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

/** SVG paths on a 16 × 16 grid, by view. */
const strokes: Readonly<Record<string, string>> = {
  mark: 'M6 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8.8 8H14v2.5M11.4 8v2',
  overview: 'M2 13V9M6 13V4M10 13V7M14 13V2',
  requests: 'M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3',
  keys: 'M5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M7 8l6-6M11 4l2 2',
  connections: 'M3 4c0-3 10-3 10 0v8c0 3-10 3-10 0zM3 4c0 3 10 3 10 0M3 8c0 3 10 3 10 0',
  'test-controls': 'M6 2h4M7 2v4L3 13c0 1 .5 1 1 1h8c.5 0 1 0 1-1L9 6V2M5 10h6',
};

/** Hidden from screen readers, because text beside it says the same. */
function Icon({ name }: { readonly name: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={strokes[name] ?? 'M3 3h10v10H3zM3 7h10'} />
    </svg>
  );
}
