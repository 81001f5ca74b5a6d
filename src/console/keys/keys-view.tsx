import { useSignal } from '@preact/signals';
import type { ControlledKey } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { useLoaded } from '../session/loaded.js';
import { attemptAndTell } from '../session/notices.js';
import { currentOrganization, loadOrganizations } from '../session/organizations.js';
import { chosenOrganization, route } from '../session/router.js';
import type { ViewProps } from '../session/status.js';
import { SearchField } from '../ui/paging.js';
import { Empty, Head, NothingFound, Show } from '../ui/states.js';
import { IssueDialog } from './issue-dialog.js';
import { describeEnabled, type KeyAction, KeyTable, type KeyTableProps } from './key-table.js';
import { RenameDialog } from './rename-dialog.js';
import { RevokeDialog } from './revoke-dialog.js';

/** Milliseconds between reloads of the keys: their last use changes. */
const keysInterval = 3000;

export function KeysView({ status }: ViewProps) {
  const owner = currentOrganization.value?.id ?? chosenOrganization.value;
  const keys = useLoaded(() => api.keys.list(owner), [owner], keysInterval);
  const search = route.value.query.get('search') ?? undefined;
  const isIssuing = useSignal(false);
  const doing = useSignal<{ readonly what: KeyAction; readonly key: ControlledKey } | undefined>(undefined);
  const close = () => {
    doing.value = undefined;
  };
  const reload = () => Promise.all([keys.reload(), loadOrganizations()]);
  const turn = async ({ id, name, enabled }: ControlledKey) => {
    const isDone = enabled
      ? await attemptAndTell(() => api.keys.disable(id), `${name} disabled. Its requests are now refused.`)
      : await attemptAndTell(() => api.keys.enable(id), `${name} enabled. It works again.`);
    if (isDone) await reload();
  };
  const { what, key } = doing.value ?? {};
  return (
    <>
      <Head title="API keys">
        <SearchField what="Search API keys" value={search} />
        <button
          type="button"
          class="primary"
          onClick={() => {
            isIssuing.value = true;
          }}
        >
          Issue a key
        </button>
      </Head>
      <Show of={keys}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No API keys">
              <p>Nothing can call the API for this organization until you issue a key.</p>
            </Empty>
          ) : (
            <FoundKeys
              keys={all}
              search={search}
              onDo={(what, key) => {
                if (what === 'turn') void turn(key);
                else doing.value = { what, key };
              }}
            />
          )
        }
      </Show>
      {isIssuing.value && status.value.value && (
        <IssueDialog
          status={status.value.value}
          onIssued={reload}
          onClose={() => {
            isIssuing.value = false;
          }}
        />
      )}
      {what === 'rename' && key && <RenameDialog apiKey={key} onRenamed={reload} onClose={close} />}
      {what === 'revoke' && key && <RevokeDialog apiKey={key} onRevoked={reload} onClose={close} />}
    </>
  );
}

interface FoundKeysProps extends KeyTableProps {
  readonly search: string | undefined;
}

function FoundKeys({ keys, search = '', onDo }: FoundKeysProps) {
  const words = search.toLowerCase().split(/\s+/);
  const found = keys.filter(({ id, name, enabled }) => {
    const text = `${id} ${name} ${describeEnabled(enabled)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (found.length > 0) return <KeyTable keys={found} onDo={onDo} />;
  return <NothingFound text={`No API key has “${search}” in its name, ID or status.`} />;
}
