import type { StatusAnswer } from '../../api/control/control-answers.js';
import { currentOrganization } from '../session/organizations.js';
import { toHref } from '../session/router.js';
import type { ViewProps } from '../session/status.js';
import { Unrest } from '../test-controls/unrest.js';
import { Age } from '../ui/age.js';
import { Copyable } from '../ui/copy.js';
import { QuotaBar } from '../ui/quota-bar.js';
import { Head, Show } from '../ui/states.js';
import { FirstRequest } from './first-request-panel.js';
import { TrafficPanels } from './traffic-panel.js';

export function Overview({ status }: ViewProps) {
  return (
    <>
      <Head title="Overview" />
      <Show of={status}>
        {(known) => (
          <>
            <Unrest status={known} />
            <TrafficPanels status={known} />
            <div class="columns">
              <QuotaTable />
              <Server status={known} />
            </div>
            <FirstRequest status={known} />
          </>
        )}
      </Show>
    </>
  );
}

function QuotaTable() {
  const quotas = Object.entries(currentOrganization.value?.quotas ?? {});
  return (
    <section class="panel">
      <h2>
        Quotas{currentOrganization.value && <span class="faint"> · {currentOrganization.value.name}</span>}
      </h2>
      <div class="quotas">
        {quotas.map(([kind, quota]) => (
          <QuotaBar key={kind} kind={kind} quota={quota} />
        ))}
      </div>
    </section>
  );
}

function Server({ status }: { readonly status: StatusAnswer }) {
  const { url, keyId, caFile, data, database, pid, startedAt, requests } = status;
  return (
    <section class="panel">
      <h2>Server</h2>
      <dl class="facts">
        <dt>Address</dt>
        <dd>
          <Copyable text={url} what="the address" />
        </dd>
        {caFile !== undefined && (
          <>
            <dt>CA</dt>
            <dd>
              <Copyable text={caFile} what="the CA's path" />
            </dd>
          </>
        )}
        <dt>First key</dt>
        <dd>
          <Copyable text={keyId} what="the key's ID" />
        </dd>
        <dt>Data</dt>
        <dd>{data ?? database ?? 'in memory, lost when the server stops'}</dd>
        <dt>Process</dt>
        <dd>
          {pid}, started <Age at={startedAt} byMachine />
        </dd>
        <dt>Requests since start</dt>
        <dd>
          <a href={toHref('requests')}>{requests.total.toLocaleString()}</a>,{' '}
          <a href={toHref('requests', { refused: 'true' })}>
            {requests.refused.toLocaleString()} refused or failed
          </a>
        </dd>
      </dl>
    </section>
  );
}
