import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Keyboard } from './keyboard.js';
import { KeysView } from './keys/keys-view.js';
import { Over } from './over.js';
import { Overview } from './overview/overview-view.js';
import { ConnectionsView } from './resources/connections-view.js';
import { PlainItems } from './resources/plain-view.js';
import { isReachable } from './session/api.js';
import { setClockOffset } from './session/clock.js';
import { useLoaded } from './session/loaded.js';
import { dismiss, notice } from './session/notices.js';
import { isOwnView, type OwnView, proxyViews, route, type ViewName } from './session/router.js';
import { session } from './session/session.js';
import { isProxy, loadStatus, type ViewProps } from './session/status.js';
import { Sidebar } from './sidebar.js';
import { loadLazily } from './ui/lazy.js';

const viewComponents: Record<OwnView, ComponentType<ViewProps>> = {
  overview: Overview,
  keys: KeysView,
  connections: ConnectionsView,
  api: loadLazily(async () => (await import('./api/api-view.js')).ApiView),
  requests: loadLazily(async () => (await import('./requests/requests-view.js')).Requests),
  'test-controls': loadLazily(
    async () => (await import('./test-controls/test-controls-view.js')).TestControlsView,
  ),
};

/** Milliseconds between status requests while the page is visible. */
const statusInterval = 3000;

export function App() {
  const state = session.value;
  if (state.is === 'opening') return null;
  return state.is === 'over' ? <Over reason={state.reason} /> : <Console />;
}

function Console() {
  const status = useLoaded(loadStatus, [], statusInterval);
  const { view: asked } = route.value;
  const view = isProxy.value && !proxyViews.includes(asked) ? 'requests' : asked;
  // Shows no view before the first response or error, because the console of a proxy has other views.
  const isKnown = status.value.value !== undefined || status.error.value !== undefined;
  const offset = status.value.value?.clock.offset;
  useEffect(() => {
    if (offset !== undefined) setClockOffset(offset);
  }, [offset]);
  return (
    <>
      <button type="button" class="skip primary" onClick={focusName}>
        Skip to content
      </button>
      <Sidebar status={status.value.value} />
      <main id="main">
        {!isReachable.value && <Gone />}
        <Announced view={view} />
        {isKnown &&
          (isOwnView(view) ? <Own view={view} status={status} /> : <PlainItems key={view} kind={view} />)}
      </main>
      <Notice />
      <Keyboard />
    </>
  );
}

function Own({ view, ...props }: ViewProps & { readonly view: OwnView }) {
  const Shown = viewComponents[view];
  return <Shown {...props} />;
}

function focusName(): void {
  document.querySelector('h1')?.focus();
}

/** Scrolls each new view to the top and, except for the first view, focuses its heading. */
function Announced({ view }: { readonly view: ViewName }) {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) focusName();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [view]);
  return null;
}

function Gone() {
  const since = useSignal(new Date().toLocaleTimeString());
  return (
    <div class="state bad" role="alert">
      <p>
        <strong>The {isProxy.value ? 'proxy' : 'server'} has not responded</strong> since {since.value}. This
        is the last known state. If it has stopped, restart it and open a new link.
      </p>
    </div>
  );
}

function Notice() {
  const said = notice.value;
  return (
    <div class="notices">
      <div role="status">{said !== undefined && !said.isError && <p class="notice">{said.text}</p>}</div>
      <div role="alert">
        {said?.isError && (
          <p class="notice bad">
            {said.text}{' '}
            <button type="button" class="quiet" aria-label="Dismiss" onClick={dismiss}>
              ✕
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
