import type { DocumentSource } from '../session/api-document.js';

export function SourceMark({ of }: { readonly of: DocumentSource }) {
  return of === 'ref' ? (
    <span class="badge source" title="Described by the API reference">
      reference
    </span>
  ) : (
    <span class="badge source ours" title="Not in the API reference: chosen by orgctl">
      not in reference
    </span>
  );
}
