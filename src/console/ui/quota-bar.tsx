import type { Quota } from '../../api/quota.js';

/** A label, such as `API keys` for `api-keys`. */
export function nameKind(kind: string): string {
  const name = kind.replace('-', ' ').replace(/^api/, 'API');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function QuotaBar({ kind, quota }: { readonly kind: string; readonly quota: Quota }) {
  const { limit, used, remaining } = quota;
  const max = Math.max(limit, 1);
  const name = nameKind(kind);
  return (
    <div class="quota">
      <span class="name">{name}</span>
      {/* A quota with limit 0 counts as full, but a meter from 0 to 0 would be empty. */}
      <meter
        aria-label={`${name}: ${used} of ${limit} used`}
        min={0}
        max={max}
        low={max * 0.8}
        high={max * 0.99}
        optimum={0}
        value={limit === 0 ? 1 : used}
      />
      <span class="number">
        <strong>{used}</strong> of {limit}
      </span>
      <span class="number faint">{remaining > 0 ? `${remaining} left` : 'full'}</span>
    </div>
  );
}
