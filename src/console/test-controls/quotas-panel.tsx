import { api } from '../session/api.js';
import { say } from '../session/notices.js';
import { loadOrganizations, organization } from '../session/organizations.js';
import { Field, Form, textOf } from '../ui/form.js';
import { QuotaBar } from '../ui/quota-bar.js';

export function QuotasPanel() {
  const of = organization.value;
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
          const limits = quotas.map(([kind]) => [kind, Number(textOf(fields, kind))] as const);
          await api.quotas.set(Object.fromEntries(limits), of?.id);
          await loadOrganizations();
          say('The limits are set. Nothing is removed where there is more.');
        }}
      >
        <div class="pair">
          {quotas.map(([kind, { limit }]) => (
            <Field
              key={kind}
              label={kind}
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
