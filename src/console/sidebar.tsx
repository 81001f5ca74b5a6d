import { useEffect, useRef } from 'preact/hooks';
import type { StatusAnswer } from '../api/control/control-answers.js';
import { titleKind } from './resources/plain-view.js';
import { isReachable } from './session/api.js';
import { currentOrganization, organizations } from './session/organizations.js';
import {
  isOwnView,
  kinds,
  type OwnView,
  proxyViews,
  route,
  setQuery,
  toHref,
  type ViewName,
} from './session/router.js';
import { isProxy } from './session/status.js';
import { Icon } from './ui/icon.js';

const viewNames: Record<OwnView, string> = {
  overview: 'Overview',
  keys: 'API keys',
  connections: 'Connections',
  api: 'API',
  requests: 'Requests',
  'test-controls': 'Test controls',
};

const groups: readonly (readonly [name: string, views: readonly ViewName[]])[] = [
  ['', ['overview']],
  ['Data', ['keys', 'connections', ...kinds.map(({ kind }) => kind)]],
  ['Traffic', ['requests']],
  ['Tools', ['api', 'test-controls']],
];

export function Sidebar({ status }: { readonly status: StatusAnswer | undefined }) {
  return (
    <header class="side">
      <p class="brand">
        <Icon name="mark" />
        <span>
          orgctl <span class={isReachable.value ? 'dot good' : 'dot bad'} aria-hidden="true" />{' '}
          <span class="faint">{status ? toAddress(status) : ''}</span>
        </span>
        <span class="unseen">
          {isReachable.value ? 'The server responds' : 'The server does not respond'}
        </span>
      </p>
      <OrganizationChooser />
      <nav aria-label="Views">
        {(isProxy.value ? [['', proxyViews] as const] : groups).map(([name, members]) => (
          <div key={name}>
            {name !== '' && <p class="group-name">{name}</p>}
            <ul>
              {members.map((view) => (
                <li key={view}>
                  <ViewLink view={view} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </header>
  );
}

/** The current view's link scrolls into view: on a phone, the row of links is wider than the page. */
function ViewLink({ view }: { readonly view: ViewName }) {
  const link = useRef<HTMLAnchorElement>(null);
  const isHere = route.value.view === view;
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isHere]);
  return (
    <a ref={link} href={toHref(view)} aria-current={isHere ? 'page' : undefined}>
      <Icon name={view} />
      {isOwnView(view) ? viewNames[view] : titleKind(view)}
    </a>
  );
}

/** Hidden for a single organization; disabled in the Requests view, because the journal covers the whole server. */
function OrganizationChooser() {
  if (organizations.value.length < 2) return null;
  if (route.value.view === 'requests') {
    return (
      <label class="chooser">
        <span>Organization</span>
        <select disabled>
          <option>All</option>
        </select>
      </label>
    );
  }
  return (
    <label class="chooser">
      <span>Organization</span>
      <select
        value={currentOrganization.value?.id}
        onChange={({ currentTarget }) => {
          const isFirst = currentTarget.value === organizations.value[0]?.id;
          setQuery({ organization: isFirst ? undefined : currentTarget.value, page: undefined });
        }}
      >
        {organizations.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function toAddress({ url, upstream }: StatusAnswer): string {
  return upstream === undefined ? new URL(url).host : `proxy → ${new URL(upstream).host}`;
}
