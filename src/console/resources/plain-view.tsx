import { type Item, makeItemCalls } from '../session/api.js';
import { kinds, type ViewName } from '../session/router.js';
import { FormField, readText } from '../ui/form.js';
import { ItemList } from './item-list.js';
import { PlainInput, printField, readField } from './plain-field.js';

type PlainItem = Item & Readonly<Record<string, unknown>>;

/** The view of a plain kind of resource, built from the kind's declaration. */
export function PlainItems({ kind }: { readonly kind: ViewName }) {
  const { singular = '', fields = [] } = kinds.find((one) => one.kind === kind) ?? {};
  return (
    <ItemList<PlainItem>
      kind={kind}
      title={titleKind(kind)}
      singular={singular}
      calls={makeItemCalls<PlainItem>(kind)}
      columns={fields.map(({ name }) => ({
        title: labelField(name),
        cell: (item) => printField(item[name]),
      }))}
      bodyOf={(form) => ({
        name: readText(form, 'name'),
        ...Object.fromEntries(fields.map((field) => [field.name, readField(form, field)])),
      })}
      fields={(item) => (
        <>
          <FormField label="Name" name="name" required maxLength={255} defaultValue={item?.name ?? ''} />
          {fields.map((field) => (
            <PlainInput
              key={field.name}
              field={field}
              label={labelField(field.name)}
              value={item?.[field.name]}
            />
          ))}
        </>
      )}
    />
  );
}

export function titleKind(kind: ViewName): string {
  return labelField(kinds.find((one) => one.kind === kind)?.plural ?? kind);
}

/** Such as `Last used` for `last_used`. */
function labelField(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}
