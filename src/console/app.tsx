import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { KeysView } from './keys.js';
import { Overview } from './overview.js';
import { Requests } from './requests/requests.js';
import { ResourcesView } from './resources.js';
import { changes, isReachable } from './session/control.js';
import { followJournal } from './session/journal.js';
import { useLoaded } from './session/loaded.js';
import { route } from './session/route.js';
import { session } from './session/session.js';
import { isProxy, refreshStatus, status } from './session/status.js';
import { Sidebar } from './sidebar.js';
import { TestControls } from './test-controls/test-controls.js';
import { Copyable } from './ui/copy.js';
import { Button } from './ui/form.js';
import { Notices } from './ui/notices.js';
import { Show } from './ui/page.js';

/** Views with their own code; the others show one kind of resource. */
const views: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  requests: Requests,
  keys: KeysView,
  'test-controls': TestControls,
};

/** Milliseconds. */
const statusInterval = 3000;

export function App() {
  const state = session.value;
  if (state.is === 'opening') return null;
  return state.is === 'over' ? <Over reason={state.reason} /> : <Console />;
}

function Console() {
  const loaded = useLoaded(refreshStatus, [changes.value], statusInterval);
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
              <strong>The {isProxy.value ? 'proxy' : 'server'} does not respond.</strong> This is the last
              known state. If it has stopped, restart it and open a new link.
            </p>
          </div>
        )}
        <Show of={loaded}>{() => null}</Show>
        {status.value && (View === undefined ? <ResourcesView key={view} kind={view} /> : <View />)}
      </main>
      <Notices />
    </>
  );
}

function focusHeading(): void {
  document.querySelector('h1')?.focus();
}

/** Names the command itself: another program may now listen on the port. */
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
