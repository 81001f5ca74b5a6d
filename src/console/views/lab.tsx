import { ClockPanel } from '../parts/clock-panel.js';
import { DataPanel } from '../parts/data-panel.js';
import { FaultsPanel } from '../parts/faults-panel.js';
import { QuotasPanel } from '../parts/quotas-panel.js';
import { RateLimitPanel } from '../parts/rate-limit-panel.js';
import { Head, Show } from '../parts/states.js';
import type { ViewProps } from '../status.js';

/** Makes the service what a client is to be tried against. */
export function Lab({ status }: ViewProps) {
  return (
    <>
      <Head title="Lab" />
      <Show of={status}>
        {(known) => (
          <div class="columns">
            <div class="stack">
              <FaultsPanel faults={known.faults} onChange={status.reload} />
              <RateLimitPanel limit={known.rateLimit} onChange={status.reload} />
              <DataPanel onChange={status.reload} />
            </div>
            <div class="stack">
              <ClockPanel clock={known.clock} onChange={status.reload} />
              <QuotasPanel />
            </div>
          </div>
        )}
      </Show>
    </>
  );
}
