import { useSignal } from '@preact/signals';
import { api, type SnapshotItem } from '../session/api.js';
import { useLoaded } from '../session/loaded.js';
import { attemptAndTell, say } from '../session/notices.js';
import { loadOrganizations } from '../session/organizations.js';
import { Age } from '../ui/age.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';

export function DataPanel({ onChange }: { readonly onChange: () => Promise<void> }) {
  const snapshots = useLoaded(api.data.snapshots, []);
  const restored = useSignal<SnapshotItem | undefined>(undefined);
  const isResetting = useSignal(false);
  const take = async () => {
    await attemptAndTell(api.data.take, 'Snapshot taken. It is in memory and lost when the server stops.');
    await snapshots.reload();
  };
  const changed = async (text: string) => {
    say(text);
    await Promise.all([onChange(), loadOrganizations()]);
  };
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Data</h2>
        <div class="buttons">
          <button type="button" class="small" onClick={take}>
            Take a snapshot
          </button>
          <button
            type="button"
            class="small danger"
            onClick={() => {
              isResetting.value = true;
            }}
          >
            Reset…
          </button>
        </div>
      </div>
      <SnapshotList
        snapshots={snapshots.value.value ?? []}
        onRestore={(snapshot) => {
          restored.value = snapshot;
        }}
      />
      {isResetting.value && (
        <ConfirmDialog
          title="Reset everything?"
          send="Reset"
          onClose={() => {
            isResetting.value = false;
          }}
          onConfirm={async () => {
            await api.data.reset();
            await changed('Server reset to its initial state.');
          }}
        >
          This deletes all data, including data from before the last restart, and restores the initial data:
          the first organization and key, or the seed. Clock, faults, stubs and rate limit are reset to the
          options that the server was started with. The requests are cleared; snapshots are kept.
        </ConfirmDialog>
      )}
      {restored.value && (
        <ConfirmDialog
          title={`Restore ${restored.value.snapshot}?`}
          send="Restore"
          onClose={() => {
            restored.value = undefined;
          }}
          onConfirm={async () => {
            const { snapshot } = restored.peek() ?? { snapshot: '' };
            await api.data.restore(snapshot);
            await changed(`Restored ${snapshot}.`);
          }}
        >
          Changes made since this snapshot will be lost, unless another snapshot has them.
        </ConfirmDialog>
      )}
    </section>
  );
}

interface SnapshotListProps {
  readonly snapshots: readonly SnapshotItem[];
  readonly onRestore: (snapshot: SnapshotItem) => void;
}

function SnapshotList({ snapshots, onRestore }: SnapshotListProps) {
  if (snapshots.length === 0)
    return (
      <p class="faint">
        No snapshots yet. A snapshot saves all data, and you can restore it any number of times.
      </p>
    );
  return (
    <ul class="rules">
      {snapshots.toReversed().map((snapshot) => (
        <li key={snapshot.snapshot}>
          <code>{snapshot.snapshot}</code>
          <span class="faint">
            <Age at={snapshot.time} />
          </span>
          <button
            type="button"
            class="small"
            aria-label={`Restore ${snapshot.snapshot}`}
            onClick={() => onRestore(snapshot)}
          >
            Restore…
          </button>
        </li>
      ))}
    </ul>
  );
}
