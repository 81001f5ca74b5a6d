import { api } from '../session/api.js';
import { say } from '../session/notices.js';
import { currentOrganization, loadOrganizations } from '../session/organizations.js';
import { Form, FormField, readText } from '../ui/form.js';
import { nameKind, QuotaBar } from '../ui/quota-bar.js';

export function QuotasPanel() {
  const of = currentOrganization.value;
  const quotas = Object.entries(of?.quotas ?? {});
  return (
    <section class="panel">
      <h2>Quotas{of && <span class="faint"> · {of.name}</span>}</h2>
      <div class="quotas">
        {quotas.map(([kind, quota]) => (
          <QuotaBar key={kind} kind={kind} quota={quota} />
        ))}
      </div>
      <Form
        key={of?.id ?? ''}
        send="Set"
        onSend={async (fields) => {
          const limits = quotas.map(([kind]) => [kind, Number(readText(fields, kind))] as const);
          await api.quotas.set(Object.fromEntries(limits), of?.id);
          await loadOrganizations();
          say('Limits saved. Existing resources above a limit are kept.');
        }}
      >
        <h3>New limits</h3>
        <div class="pair">
          {quotas.map(([kind, { limit }]) => (
            <FormField
              key={kind}
              label={nameKind(kind)}
              name={kind}
              required
              inputMode="numeric"
              pattern="[0-9]+"
              defaultValue={String(limit)}
            />
          ))}
        </div>
      </Form>
    </section>
  );
}
