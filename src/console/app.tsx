import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { KeysView } from './keys.js';
import { Overview } from './overview.js';
import { Requests } from './requests/requests.js';
import { ResourcesView } from './resources.js';
import { followJournal } from './session/journal.js';
import { plain, route, setQuery, toHref, viewNames } from './session/route.js';
import {
  changes,
  isProxy,
  isReachable,
  organization,
  organizations,
  refreshStatus,
  status,
  useLoaded,
} from './session/server.js';
import { openSession, session } from './session/session.js';
import { TestControls } from './test-controls/test-controls.js';
import { Button, Choice } from './ui/form.js';
import { Notices } from './ui/notices.js';
import { Show } from './ui/page.js';
import { Copyable } from './ui/words.js';

/** Views with their own code; the others show one kind of resource. */
const views: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  requests: Requests,
  keys: KeysView,
  'test-controls': TestControls,
};

function App() {
  const state = session.value;
  if (state.is === 'opening') return null;
  return state.is === 'over' ? <Over reason={state.reason} /> : <Console />;
}

function Console() {
  const loaded = useLoaded(refreshStatus, [changes.value], true);
  useEffect(followJournal, []);
  const view = isProxy.value ? 'requests' : route.value.view;
  const View = views[view];
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) focusHeading();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [view]);
  return (
    <>
      <Button kind="skip primary" text="Skip to content" onClick={focusHeading} />
      <Sidebar view={view} />
      <main id="main">
        {!isReachable.value && (
          <div class="state bad" role="alert">
            <p>
              <strong>The {isProxy.value ? 'proxy' : 'server'} does not respond.</strong> If it has stopped,
              restart it and open a new link. Until then, you see the last known state.
            </p>
          </div>
        )}
        <Show of={loaded}>{() => (View ? <View /> : <ResourcesView key={view} kind={view} />)}</Show>
      </main>
      <Notices />
    </>
  );
}

function focusHeading(): void {
  document.querySelector('h1')?.focus();
}

const groups: readonly (readonly [name: string, views: readonly string[]])[] = [
  ['', ['overview', 'requests']],
  ['Data', ['keys', 'connections', ...plain.map(({ kind }) => kind)]],
  ['Tools', ['test-controls']],
];

function Sidebar({ view }: { readonly view: string }) {
  const [tone, said] = isReachable.value ? ['good', 'responds'] : ['bad', 'does not respond'];
  return (
    <header class="side">
      <p class="brand">
        <Icon name="mark" />
        <span>
          orgctl{' '}
          <span class={`dot ${tone}`} role="img" aria-label={`The server ${said}`}>
            ●
          </span>
          <br />
          <span class="hint">{readAddress()}</span>
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
                  <a href={toHref(member)} aria-current={member === view ? 'page' : undefined}>
                    <Icon name={member} />
                    {viewNames[member]}
                  </a>
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

/** Hidden in the Requests view, which shows requests to all organizations. */
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

/** Shows a command without asking the server: another program may now use its port. */
function Over({ reason }: { readonly reason: string }) {
  return (
    <main class="over">
      <h1>Open the console</h1>
      <p>{reason}</p>
      <p>This command prints a new link:</p>
      <p>
        <Copyable text="orgctl local console" what="the command" />
      </p>
      <p class="hint">
        Add <code>--data DIR</code> if the server's data is in another directory, or <code>--proxy</code> for
        the console of a proxy. For a server that keeps its data in memory, set ORGCTL_CONTROL_URL,
        ORGCTL_CONTROL_TOKEN and ORGCTL_CA_FILE first.
      </p>
    </main>
  );
}

const place = document.getElementById('console');
if (place !== null) {
  // Starts before the first rendering, so that the token leaves the address bar immediately.
  void openSession();
  // Opening a new link in this tab changes only the hash, without a page load.
  addEventListener('hashchange', openSession);
  render(<App />, place);
}
