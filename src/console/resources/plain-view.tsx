import { type Item, itemsOf } from '../session/api.js';
import { kinds, type View } from '../session/router.js';
import { Field, textOf } from '../ui/form.js';
import { ItemList } from './item-list.js';
import { PlainInput, printField, readField } from './plain-field.js';

type PlainItem = Item & Readonly<Record<string, unknown>>;

/** The resources of a kind that has no view of its own, as its declaration describes it. */
export function PlainItems({ kind }: { readonly kind: View }) {
  const { singular = '', fields = [] } = kinds.find((one) => one.kind === kind) ?? {};
  return (
    <ItemList<PlainItem>
      kind={kind}
      title={titleOf(kind)}
      singular={singular}
      calls={itemsOf<PlainItem>(kind)}
      columns={fields.map(({ name }) => ({ title: labelOf(name), cell: (item) => printField(item[name]) }))}
      bodyOf={(form) => ({
        name: textOf(form, 'name'),
        ...Object.fromEntries(fields.map((field) => [field.name, readField(form, field)])),
      })}
      fields={(item) => (
        <>
          <Field label="Name" name="name" required maxLength={255} defaultValue={item?.name ?? ''} />
          {fields.map((field) => (
            <PlainInput
              key={field.name}
              field={field}
              label={labelOf(field.name)}
              value={item?.[field.name]}
            />
          ))}
        </>
      )}
    />
  );
}

export function titleOf(kind: View): string {
  return labelOf(kinds.find((one) => one.kind === kind)?.plural ?? kind);
}

/** Such as `Last used` for `last_used`. */
function labelOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}
