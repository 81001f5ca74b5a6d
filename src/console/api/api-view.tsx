import { useSignal } from '@preact/signals';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { type ApiDocument, type DocumentOperation, listOperations } from '../session/api-document.js';
import { useLoaded } from '../session/loaded.js';
import { currentOrganization } from '../session/organizations.js';
import { route, toHref } from '../session/router.js';
import type { ViewProps } from '../session/status.js';
import { SearchField } from '../ui/paging.js';
import { Head, Show } from '../ui/states.js';
import { OperationEntry } from './operation.js';
import type { CallOrigin } from './operation-call.js';
import { Security } from './security.js';
import { SourceMark } from './source.js';

let keptDocument: ApiDocument | undefined;

/** Loads the document once. @throws ApiError */
async function loadDocument(): Promise<ApiDocument> {
  keptDocument ??= await api.document();
  return keptDocument;
}

export function ApiView({ status }: ViewProps) {
  const document = useLoaded(loadDocument, []);
  return (
    <>
      <Head title="API">
        <a class="button" href="/openapi.json" download>
          OpenAPI document
        </a>
      </Head>
      <p class="lead">
        <SourceMark of="ref" />: in the API reference. <SourceMark of="ours" />: chosen by orgctl. A service's
        responses may have more fields than shown here.
      </p>
      <Show of={document}>
        {(known) => <Show of={status}>{(server) => <Calls document={known} status={server} />}</Show>}
      </Show>
    </>
  );
}

function Calls({ document, status }: { readonly document: ApiDocument; readonly status: StatusAnswer }) {
  const owner = currentOrganization.value?.id;
  const chosen = useSignal<string | undefined>(undefined);
  const keys = useLoaded(() => api.keys.list(owner), [owner]);
  const enabled = (keys.value.value ?? []).filter((key) => key.enabled);
  const usual = enabled.find(({ id }) => id === status.keyId) ?? enabled[0];
  const { id: keyId = status.keyId } = enabled.find(({ id }) => id === chosen.value) ?? usual ?? {};
  const { url, caFile } = status;
  const profile = keyId === status.keyId ? status.profile : undefined;
  const origin = { url, caFile, keyId, profile, organization: owner };
  const search = route.value.query.get('search') ?? undefined;
  const wanted = (search ?? '').toLowerCase().split(' ');
  const all = document.tags.map((tag) => ({ ...tag, operations: listOperations(document, tag.name) }));
  const groups = all
    .map((group) => ({ ...group, operations: group.operations.filter((one) => isWanted(one, wanted)) }))
    .filter(({ operations }) => operations.length > 0);
  const count = (of: typeof all) => of.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <>
      <search class="filters">
        <SearchField what="Search calls" placeholder="Method, path, summary" value={search} />
        <label class="by-signer">
          <span>Key</span>
          <select
            value={keyId}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.value;
            }}
          >
            {enabled.map(({ id, name }) => (
              <option key={id} value={id}>
                {name} ({id})
              </option>
            ))}
          </select>
        </label>
        <span class="faint" role="status">
          {count(groups)} of {count(all)} calls
        </span>
      </search>
      <Security of={document} />
      {groups.length === 0 && (
        <div class="state">
          <h2>No matching calls</h2>
          <p>
            The search covers method, path and summary. <a href={toHref('api')}>Show all</a>
          </p>
        </div>
      )}
      {groups.map((group) => (
        <Group key={group.name} {...group} document={document} origin={origin} />
      ))}
    </>
  );
}

function isWanted({ method, path, summary }: DocumentOperation, words: readonly string[]): boolean {
  const seen = `${method} ${path} ${summary}`.toLowerCase();
  return words.every((word) => seen.includes(word));
}

interface GroupProps {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly DocumentOperation[];
  readonly document: ApiDocument;
  readonly origin: CallOrigin;
}

function Group({ name, description, operations, document, origin }: GroupProps) {
  return (
    <section class="group" aria-labelledby={`group-${name}`}>
      <h2 id={`group-${name}`}>
        {name} <span class="faint">· {description}</span>
      </h2>
      {operations.map((operation) => (
        <OperationEntry
          key={operation.operationId}
          operation={operation}
          document={document}
          origin={origin}
        />
      ))}
    </section>
  );
}
