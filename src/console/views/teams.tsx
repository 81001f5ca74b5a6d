import { type Item, itemsOf } from '../api.js';
import { Field, textOf } from '../parts/form.js';
import { ItemList } from '../parts/item-list.js';

const teams = itemsOf<Item>('teams');

export function Teams() {
  return (
    <ItemList
      title="Teams"
      singular="team"
      calls={teams}
      columns={[]}
      bodyOf={(fields) => ({ name: textOf(fields, 'name') })}
      fields={(team) => (
        <Field label="Name" name="name" required maxLength={255} defaultValue={team?.name ?? ''} />
      )}
    />
  );
}
