import { useState } from 'preact/hooks';
import { ConnectionFields, describeWhere, readConnection } from './connection-fields.js';
import { labelField, plain, route, viewNames } from './session/route.js';
import { changes, type Item, itemCalls, organization, useLoaded } from './session/server.js';
import { Area, Button, DialogForm, Field, readJson, readText } from './ui/form.js';
import { type Column, Head, NoRows, Pager, readSearch, SearchField, Show, Table } from './ui/page.js';
import { Age } from './ui/words.js';

const itemsPerPage = 20;

interface Asked {
  readonly what: 'edit' | 'delete';
  /** `undefined` to create one. */
  readonly item?: Item;
}

export function ResourcesView({ kind }: { readonly kind: string }) {
  const owner = organization.value?.id;
  const calls = itemCalls(kind, owner);
  const isConnection = kind === 'connections';
  const { singular: noun = 'connection', fields = ['type'] } = plain.find((one) => one.kind === kind) ?? {};
  const search = readSearch();
  const page = Math.max(1, Number(route.value.query.get('page')) || 1);
  const load = () => calls.list({ page, limit: itemsPerPage, search });
  const list = useLoaded(load, [owner, page, search, changes.value], true);
  const [asked, ask] = useState<Asked>();
  const columns: readonly Column<Item>[] = [
    ...fields.map((name) => ({ title: labelField(name), cell: (item: Item) => printField(item[name]) })),
    ...(isConnection ? [{ title: 'Where', cell: describeWhere }] : []),
    { title: 'Changed', cell: ({ updated_at }) => <Age at={updated_at} /> },
  ];
  return (
    <>
      <Head title={viewNames[kind] ?? kind}>
        <SearchField noun={noun} />
        <Button kind="primary" text={`New ${noun}`} onClick={() => ask({ what: 'edit' })} />
      </Head>
      <Show of={list}>
        {({ data, total, pages }) => {
          if (total === 0) return <NoRows noun={noun} hint="Create one here or through the API." />;
          return (
            <>
              <Table rows={data} columns={columns}>
                {(item) => <ItemButtons item={item} onAsk={ask} />}
              </Table>
              <Pager page={page} pages={pages} total={total} noun={noun} />
            </>
          );
        }}
      </Show>
      {asked && (
        <ItemDialog {...asked} {...{ noun, fields, isConnection, calls }} onClose={() => ask(undefined)} />
      )}
    </>
  );
}

function ItemButtons({ item, onAsk }: { readonly item: Item; readonly onAsk: (asked: Asked) => void }) {
  const { name } = item;
  return (
    <>
      <Button kind="small" text="Edit…" of={name} onClick={() => onAsk({ what: 'edit', item })} />
      <Button kind="small danger" text="Delete…" of={name} onClick={() => onAsk({ what: 'delete', item })} />
    </>
  );
}

function printField(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface ItemDialogProps extends Asked {
  readonly noun: string;
  readonly fields: readonly string[];
  readonly isConnection: boolean;
  readonly calls: ReturnType<typeof itemCalls>;
  readonly onClose: () => void;
}

function ItemDialog({ what, noun, fields, isConnection, calls, item, onClose }: ItemDialogProps) {
  if (what === 'delete' && item) {
    const remove = async () => {
      await calls.delete(item.id);
      return `${item.name} deleted.`;
    };
    return (
      <DialogForm title={`Delete ${item.name}?`} send="Delete" isDangerous onSend={remove} onClose={onClose}>
        <p>
          This permanently deletes the {noun} <code>{item.id}</code> and frees its place in the quota.
        </p>
      </DialogForm>
    );
  }
  const save = async (form: FormData) => {
    const body = isConnection ? readConnection(form) : readItem(form);
    const { name } = item ? await calls.update(item.id, body) : await calls.create(body);
    return item ? `${name} changed.` : `${name} created.`;
  };
  const title = item ? `Edit ${item.name}` : `New ${noun}`;
  return (
    <DialogForm title={title} send={item ? 'Save' : 'Create'} onSend={save} onClose={onClose}>
      <Field label="Name" name="name" required maxLength={255} defaultValue={item?.name ?? ''} />
      {isConnection ? <ConnectionFields of={item} /> : <JsonFields names={fields} of={item} />}
    </DialogForm>
  );
}

const fieldsLabel = 'Fields';

type JsonFieldsProps = { readonly names: readonly string[]; readonly of: Item | undefined };

/** All but the name, as JSON. */
function JsonFields({ names, of }: JsonFieldsProps) {
  if (names.length === 0) return null;
  const values = Object.fromEntries(names.map((name) => [name, of?.[name]]));
  const hint = `A JSON object: ${names.join(', ')}.`;
  return <Area label={fieldsLabel} name="fields" text={JSON.stringify(values, null, 2)} hint={hint} />;
}

function readItem(form: FormData): object {
  const fields = form.has('fields') ? readJson(form, 'fields', fieldsLabel) : {};
  return { ...Object(fields), name: readText(form, 'name') };
}
