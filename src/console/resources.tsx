import { useState } from 'preact/hooks';
import { ConnectionFields, describeWhere, readConnection } from './connection-fields.js';
import { changes, type Item, itemCalls } from './session/control.js';
import { useLoaded } from './session/loaded.js';
import { labelField, plain, route, viewNames } from './session/route.js';
import { organization } from './session/status.js';
import { Confirm, Dialog } from './ui/dialog.js';
import { Area, Button, Field, Form, readJson, readText } from './ui/form.js';
import { say } from './ui/notices.js';
import { Head, readSearch, SearchField, Show } from './ui/page.js';
import { type Column, NoRows, Pager, Table } from './ui/table.js';
import { Age } from './ui/words.js';

const itemsPerPage = 20;
const itemsInterval = 5000;

interface Asked {
  readonly what: 'edit' | 'delete';
  /** `undefined` to create one. */
  readonly item?: Item;
}

export function ResourcesView({ kind }: { readonly kind: string }) {
  const owner = organization.value?.id;
  const calls = itemCalls(kind, owner);
  const { noun, columns } = describeKind(kind);
  const search = readSearch();
  const page = Math.max(1, Number(route.value.query.get('page')) || 1);
  const load = () => calls.list({ page, limit: itemsPerPage, search });
  const list = useLoaded(load, [owner, page, search, changes.value], itemsInterval);
  const [asked, ask] = useState<Asked | undefined>(undefined);
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
      {asked && <ItemDialog {...asked} {...{ kind, noun, calls }} onClose={() => ask(undefined)} />}
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

function describeKind(kind: string): { readonly noun: string; readonly columns: readonly Column<Item>[] } {
  const changed = { title: 'Changed', cell: ({ updated_at }: Item) => <Age at={updated_at} /> };
  if (kind === 'connections') {
    const type = { title: 'Type', cell: (item: Item) => printField(item['type']) };
    return { noun: 'connection', columns: [type, { title: 'Where', cell: describeWhere }, changed] };
  }
  const { singular = kind, fields = [] } = plain.find((one) => one.kind === kind) ?? {};
  const columns = fields.map((name) => ({
    title: labelField(name),
    cell: (item: Item) => printField(item[name]),
  }));
  return { noun: singular, columns: [...columns, changed] };
}

function printField(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface ItemDialogProps extends Asked {
  readonly kind: string;
  readonly noun: string;
  readonly calls: ReturnType<typeof itemCalls>;
  readonly onClose: () => void;
}

function ItemDialog({ what, kind, noun, calls, item, onClose }: ItemDialogProps) {
  if (what === 'delete' && item) {
    const remove = async () => {
      await calls.delete(item.id);
      say(`${item.name} deleted.`);
    };
    return (
      <Confirm title={`Delete ${item.name}?`} send="Delete" onConfirm={remove} onClose={onClose}>
        This permanently deletes the {noun} <code>{item.id}</code> and frees its place in the quota.
      </Confirm>
    );
  }
  const save = async (form: FormData) => {
    const body = kind === 'connections' ? readConnection(form) : readItem(form);
    const { name } = item ? await calls.update(item.id, body) : await calls.create(body);
    onClose();
    say(item ? `${name} changed.` : `${name} created.`);
  };
  return (
    <Dialog title={item ? `Edit ${item.name}` : `New ${noun}`} onClose={onClose}>
      <Form send={item ? 'Save' : 'Create'} onCancel={onClose} onSend={save}>
        <Field label="Name" name="name" required maxLength={255} defaultValue={item?.name ?? ''} />
        {kind === 'connections' ? <ConnectionFields of={item} /> : <JsonFields kind={kind} of={item} />}
      </Form>
    </Dialog>
  );
}

const fieldsLabel = 'Fields';

/** All but the name, as JSON. */
function JsonFields({ kind, of }: { readonly kind: string; readonly of: Item | undefined }) {
  const names = plain.find((one) => one.kind === kind)?.fields ?? [];
  if (names.length === 0) return null;
  const values = Object.fromEntries(names.map((name) => [name, of?.[name]]));
  return (
    <Area
      label={fieldsLabel}
      name="fields"
      text={JSON.stringify(values, null, 2)}
      hint={`A JSON object: ${names.join(', ')}.`}
    />
  );
}

function readItem(form: FormData): object {
  const fields = form.has('fields') ? readJson(form, 'fields', fieldsLabel) : {};
  return { ...Object(fields), name: readText(form, 'name') };
}
