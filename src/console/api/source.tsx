import type { Source } from '../session/api-document.js';

export function SourceMark({ of }: { readonly of: Source }) {
  return of === 'ref' ? (
    <span class="badge source" title="Described by the API reference">
      reference
    </span>
  ) : (
    <span class="badge source ours" title="Not shown by the API reference: chosen by orgctl and this server">
      ours
    </span>
  );
}
