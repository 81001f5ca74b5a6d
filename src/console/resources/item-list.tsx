import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Item } from '../session/api.js';
import { useLoaded } from '../session/loaded.js';
import { say } from '../session/notices.js';
import { currentOrganization, loadOrganizations } from '../session/organizations.js';
import { chosenOrganization, route, setQuery } from '../session/router.js';
import { Pager, SearchField } from '../ui/paging.js';
import { Empty, Head, NothingFound, Show } from '../ui/states.js';
import { DeleteItem } from './delete-item.js';
import { EditItem } from './edit-item.js';
import type { ItemKind } from './item-kind.js';
import { ItemTable } from './item-table.js';

const itemsPerPage = 20;
const itemsInterval = 5000;

export function ItemList<Kind extends Item>(props: ItemKind<Kind>) {
  const { title, singular, columns } = props;
  const { list, owner, page, search } = useItems(props);
  /** The open dialog and its item; `edit` without an item creates one. */
  const doing = useSignal<{ readonly what: 'edit' | 'delete'; readonly item?: Kind } | undefined>(undefined);
  const close = () => {
    doing.value = undefined;
  };
  const done = async (text: string) => {
    say(text);
    await Promise.all([list.reload(), loadOrganizations()]);
  };
  const { what, item } = doing.value ?? {};
  return (
    <>
      <Head title={title}>
        <SearchField what={`Search ${title.toLowerCase()}`} value={search} />
        <button
          type="button"
          class="primary"
          onClick={() => {
            doing.value = { what: 'edit' };
          }}
        >
          New {singular}
        </button>
      </Head>
      <Show of={list}>
        {({ data, total, pages }) =>
          total === 0 ? (
            <NoItems singular={singular} search={search} />
          ) : (
            <>
              <ItemTable
                items={data}
                columns={columns}
                onDo={(what, item) => {
                  doing.value = { what, item };
                }}
              />
              <Pager
                page={page}
                pages={pages}
                total={total}
                what={total === 1 ? singular : title.toLowerCase()}
              />
            </>
          )
        }
      </Show>
      {what === 'edit' && <EditItem {...props} item={item} owner={owner} onDone={done} onClose={close} />}
      {what === 'delete' && item && (
        <DeleteItem {...props} item={item} owner={owner} onDone={done} onClose={close} />
      )}
    </>
  );
}

function useItems<Kind extends Item>({ calls }: ItemKind<Kind>) {
  const { query } = route.value;
  const owner = currentOrganization.value?.id ?? chosenOrganization.value;
  const search = query.get('search') ?? undefined;
  const page = Math.max(1, Number(query.get('page')) || 1);
  const list = useLoaded(
    () => calls.list({ organization: owner, page, limit: itemsPerPage, search }),
    [owner, page, search],
    itemsInterval,
  );
  const pages = list.value.value?.pages ?? page;
  useEffect(() => {
    if (page > 1 && page > pages) setQuery({ page: pages > 1 ? String(pages) : undefined });
  }, [page, pages]);
  return { list, owner, page, search };
}

interface NoneProps {
  readonly singular: string;
  readonly search: string | undefined;
}

function NoItems({ singular, search }: NoneProps) {
  if (search === undefined) {
    return (
      <Empty title={`No ${singular}s yet`}>
        <p>Create one here or through the API.</p>
      </Empty>
    );
  }
  return <NothingFound text={`No ${singular} matches “${search}” by name or ID.`} />;
}
