import { useState } from 'preact/hooks';
import { call, changes } from '../session/control.js';
import { forgetJournal } from '../session/journal.js';
import { useLoaded } from '../session/loaded.js';
import { Confirm } from '../ui/dialog.js';
import { Button } from '../ui/form.js';
import { attempt, say } from '../ui/notices.js';
import { Panel } from '../ui/page.js';
import { Age } from '../ui/words.js';

export function SnapshotsPanel() {
  const load = async () => (await call('data.snapshots')).snapshots.toReversed();
  const snapshots = useLoaded(load, [changes.value]).value.value;
  /** The snapshot to restore, or everything to reset. */
  const [asked, ask] = useState<string | undefined>(undefined);
  const taken = 'Snapshot taken. It is in memory and lost when the server stops.';
  const actions = (
    <>
      <Button
        kind="small"
        text="Take a snapshot"
        onClick={() => attempt(() => call('data.snapshot'), taken)}
      />
      <Button kind="small danger" text="Reset…" of="the server" onClick={() => ask(everything)} />
    </>
  );
  return (
    <Panel title="Snapshots" actions={actions}>
      {snapshots?.length === 0 && (
        <p class="faint">
          No snapshots yet. A snapshot saves all data, and you can restore it any number of times.
        </p>
      )}
      <ul class="rules">
        {snapshots?.map(({ snapshot, time }) => (
          <li key={snapshot}>
            <code>{snapshot}</code>
            <span class="faint">
              <Age at={time} />
            </span>
            <Button kind="small" text="Restore…" of={snapshot} onClick={() => ask(snapshot)} />
          </li>
        ))}
      </ul>
      {asked !== undefined && <RestoreDialog snapshot={asked} onClose={() => ask(undefined)} />}
    </Panel>
  );
}

/** In place of a snapshot: the server's initial state. */
const everything = '';

function RestoreDialog({ snapshot, onClose }: { readonly snapshot: string; readonly onClose: () => void }) {
  if (snapshot !== everything) {
    const restore = async () => {
      await call('data.restore', { snapshot });
      say(`Restored ${snapshot}.`);
    };
    return (
      <Confirm title={`Restore ${snapshot}?`} send="Restore" onConfirm={restore} onClose={onClose}>
        Changes made since this snapshot will be lost, unless another snapshot has them.
      </Confirm>
    );
  }
  const reset = async () => {
    await call('data.reset');
    forgetJournal();
    say('Server reset to its initial state.');
  };
  return (
    <Confirm title="Reset everything?" send="Reset" onConfirm={reset} onClose={onClose}>
      This deletes all data, including data from before the last restart, and restores the initial data: the
      first organization and key, or the seed. Clock, faults, stubs and rate limit are reset to the options
      that the server was started with. The requests are cleared; snapshots are kept.
    </Confirm>
  );
}
