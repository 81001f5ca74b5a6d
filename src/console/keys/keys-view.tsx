import { useSignal } from '@preact/signals';
import type { ControlledKey } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { useLoaded } from '../session/loaded.js';
import { attemptAndTell } from '../session/notices.js';
import { currentOrganization, loadOrganizations } from '../session/organizations.js';
import { chosenOrganization, route } from '../session/router.js';
import type { ViewProps } from '../session/status.js';
import { SearchField } from '../ui/paging.js';
import { Empty, Head, Show } from '../ui/states.js';
import { IssueDialog } from './issue-dialog.js';
import { KeyTable } from './key-table.js';
import { RevokeDialog } from './revoke-dialog.js';

/** Milliseconds after which keys are asked for again: when they were last used changes by itself. */
const keysInterval = 3000;

/** The keys of an organization; here alone one that is disabled is enabled again (reference, section 3). */
export function KeysView({ status }: ViewProps) {
  const owner = currentOrganization.value?.id ?? chosenOrganization.value;
  const keys = useLoaded(() => api.keys.list(owner), [owner], keysInterval);
  const search = route.value.query.get('search') ?? undefined;
  const isIssuing = useSignal(false);
  const revoked = useSignal<ControlledKey | undefined>(undefined);
  const reload = () => Promise.all([keys.reload(), loadOrganizations()]);
  const turn = async ({ id, name, enabled }: ControlledKey) => {
    const isDone = enabled
      ? await attemptAndTell(() => api.keys.disable(id), `${name} is disabled: every call of it is refused.`)
      : await attemptAndTell(() => api.keys.enable(id), `${name} is enabled and works again.`);
    if (isDone) await reload();
  };
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
            <Empty title="No key">
              <p>Nobody can use this organization. Issue a key; its secret is shown once.</p>
            </Empty>
          ) : (
            <KeyTable
              keys={all.filter(({ id, name }) =>
                `${id} ${name}`.toLowerCase().includes((search ?? '').toLowerCase()),
              )}
              onTurn={turn}
              onRevoke={(key) => {
                revoked.value = key;
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
      {revoked.value && (
        <RevokeDialog
          apiKey={revoked.value}
          onRevoked={reload}
          onClose={() => {
            revoked.value = undefined;
          }}
        />
      )}
    </>
  );
}
