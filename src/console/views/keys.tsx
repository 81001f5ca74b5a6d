import { useSignal } from '@preact/signals';
import type { ControlledKey } from '../../contract/control-answers.js';
import { api } from '../api.js';
import { useLoaded } from '../loaded.js';
import { attempt } from '../notices.js';
import { loadOrganizations, organization } from '../organizations.js';
import { IssueDialog } from '../parts/issue-dialog.js';
import { KeyTable } from '../parts/key-table.js';
import { RevokeDialog } from '../parts/revoke-dialog.js';
import { Empty, Head, Show } from '../parts/states.js';
import { chosenOrganization } from '../router.js';
import type { ViewProps } from '../status.js';

/** Milliseconds after which keys are asked for again: when they were last used changes by itself. */
const askedEvery = 3000;

/** The keys of an organization; here alone one that is disabled is enabled again (reference, section 3). */
export function Keys({ status }: ViewProps) {
  const keys = useLoaded(
    () => api.keys.list(chosenOrganization.value ?? organization.value?.id),
    [chosenOrganization.value ?? organization.value?.id],
    askedEvery,
  );
  const isIssuing = useSignal(false);
  const revoked = useSignal<ControlledKey | undefined>(undefined);
  const reload = () => Promise.all([keys.reload(), loadOrganizations()]);
  const turn = async ({ id, name, enabled }: ControlledKey) => {
    const isDone = enabled
      ? await attempt(() => api.keys.disable(id), `${name} is disabled: every call of it is refused.`)
      : await attempt(() => api.keys.enable(id), `${name} is enabled and works again.`);
    if (isDone) await reload();
  };
  return (
    <>
      <Head title="API keys">
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
              keys={all}
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
