import { useState } from 'preact/hooks';
import { forgetJournal } from '../session/journal.js';
import { call, changes, useLoaded } from '../session/server.js';
import { Button, DialogForm } from '../ui/form.js';
import { attempt } from '../ui/notices.js';
import { Panel } from '../ui/page.js';
import { Age } from '../ui/words.js';
import { NamedLines } from './rules.js';

/** Stands for the initial state, in place of a snapshot's name. */
const everything = '';

export function SnapshotsPanel() {
  const load = async () => (await call('data.snapshots')).snapshots.toReversed();
  const snapshots = useLoaded(load, [changes.value]).value ?? [];
  /** The snapshot to restore, or `everything` to reset. */
  const [asked, ask] = useState<string>();
  const taken = 'Snapshot taken. It is in memory and lost when the server stops.';
  const take = () => attempt(() => call('data.snapshot'), taken);
  const actions = (
    <>
      <Button kind="small" text="Take a snapshot" onClick={take} />
      <Button kind="small danger" text="Reset…" of="the server" onClick={() => ask(everything)} />
    </>
  );
  return (
    <Panel title="Snapshots" actions={actions}>
      {snapshots.length === 0 && (
        <p class="faint">
          No snapshots yet. A snapshot saves all data, and you can restore it any number of times.
        </p>
      )}
      <NamedLines
        of={snapshots.map(({ snapshot, time }) => [snapshot, <Age key={snapshot} at={time} />])}
        action="Restore…"
        onAct={(_, snapshot) => ask(snapshot)}
      />
      {asked !== undefined && <RestoreDialog snapshot={asked} onClose={() => ask(undefined)} />}
    </Panel>
  );
}

function RestoreDialog({ snapshot, onClose }: { readonly snapshot: string; readonly onClose: () => void }) {
  if (snapshot !== everything) {
    const restore = async () => {
      await call('data.restore', { snapshot });
      return `Restored ${snapshot}.`;
    };
    return (
      <DialogForm
        title={`Restore ${snapshot}?`}
        send="Restore"
        isDangerous
        onSend={restore}
        onClose={onClose}
      >
        <p>Changes made since this snapshot will be lost, unless another snapshot has them.</p>
      </DialogForm>
    );
  }
  const reset = async () => {
    await call('data.reset');
    forgetJournal();
    return 'Server reset to its initial state.';
  };
  return (
    <DialogForm title="Reset everything?" send="Reset" isDangerous onSend={reset} onClose={onClose}>
      <p>
        This deletes all data and starts again with the first organization and key, or the seed. Clock,
        faults, stubs and rate limit return to the server's options. The requests are cleared; snapshots are
        kept.
      </p>
    </DialogForm>
  );
}
