import type { ViewProps } from '../session/status.js';
import { Head, Show } from '../ui/states.js';
import { ClockPanel } from './clock-panel.js';
import { DataPanel } from './data-panel.js';
import { FaultsPanel } from './faults-panel.js';
import { QuotasPanel } from './quotas-panel.js';
import { RateLimitPanel } from './rate-limit-panel.js';
import { StubsPanel } from './stubs-panel.js';

export function TestControlsView({ status }: ViewProps) {
  return (
    <>
      <Head title="Test controls" />
      <Show of={status}>
        {(known) => (
          <div class="columns">
            <div class="stack">
              <FaultsPanel faults={known.faults} onChange={status.reload} />
              <StubsPanel stubs={known.stubs ?? []} onChange={status.reload} />
            </div>
            <div class="stack">
              <ClockPanel clock={known.clock} onChange={status.reload} />
              <RateLimitPanel limit={known.rateLimit} onChange={status.reload} />
              <QuotasPanel />
              <DataPanel onChange={status.reload} />
            </div>
          </div>
        )}
      </Show>
    </>
  );
}
