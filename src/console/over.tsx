import { Copyable } from './ui/copy.js';

/** Names the command itself: another program may now listen on the port, and its text must not be offered for pasting. */
export function Over({ reason }: { readonly reason: string }) {
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
