import { useSignal } from '@preact/signals';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import { IssueDialog } from '../keys/issue-dialog.js';
import { currentOrganization, loadOrganizations } from '../session/organizations.js';
import { Copyable } from '../ui/copy.js';

/** Folds once the server has accepted a request. */
export function FirstRequest({ status }: { readonly status: StatusAnswer }) {
  const isIssuing = useSignal(false);
  const { profile, organization, requests } = status;
  const turn = (isOpen: boolean) => {
    isIssuing.value = isOpen;
  };
  return (
    <>
      <details class="panel" open={requests.total === requests.refused}>
        <summary>
          <h2>First request</h2>
        </summary>
        {profile !== undefined && currentOrganization.value?.id === organization && (
          <p>
            <Copyable text={`orgctl quotas -p ${profile}`} what="the command" />
          </p>
        )}
        <p>For curl, Node.js or Python you need a key and its secret.</p>
        <button type="button" class="primary" onClick={() => turn(true)}>
          Issue a key and try it
        </button>
      </details>
      {isIssuing.value && (
        <IssueDialog status={status} onIssued={loadOrganizations} onClose={() => turn(false)} />
      )}
    </>
  );
}
