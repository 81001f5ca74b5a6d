import { Copyable } from './copy.js';

/** There is no session: why, and how to get one. */
export function Over({ reason }: { readonly reason: string }) {
  return (
    <main class="over">
      <h1>No session</h1>
      <p>{reason} A fresh link is printed by</p>
      <p>
        <Copyable text="orgctl local console" what="the command" />
      </p>
      <p class="hint">
        With <code>--open</code> it opens the browser, too. A server that keeps its data elsewhere is found
        with <code>--data DIR</code>; one in memory prints a link when it starts.
      </p>
    </main>
  );
}
