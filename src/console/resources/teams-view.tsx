import { type Item, itemsOf } from '../session/api.js';
import { Field, textOf } from '../ui/form.js';
import { ItemList } from './item-list.js';

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
