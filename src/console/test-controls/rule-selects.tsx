import { useSignal } from '@preact/signals';
import { kinds } from '../session/router.js';

const methods = ['*', 'GET', 'POST', 'PATCH', 'DELETE'] as const;
const paths = [
  '/quotas',
  ...['api-keys', 'connections', ...kinds.map(({ kind }) => kind)].flatMap((kind) => [
    `/${kind}`,
    `/${kind}/*`,
  ]),
];

type Choice = readonly [value: string, name: string];

interface RuleSelectsProps {
  /** Named lists of choices for what follows `METHOD PATH=`. */
  readonly effects: readonly (readonly [name: string, choices: readonly Choice[]])[];
  readonly anyPath: boolean;
  readonly send: string;
  readonly onAdd: (rule: string) => Promise<unknown>;
}

export function RuleSelects({ effects, anyPath, send, onAdd }: RuleSelectsProps) {
  const choices = [
    ['Method', anyPath ? methods.map(nameAny) : methods.slice(1).map(nameAny)],
    ['Path', (anyPath ? ['*', ...paths] : paths).map(nameAny)],
    ...effects,
  ] as const;
  const chosen = useSignal<Readonly<Record<string, string>>>({});
  const value = (name: string, list: readonly Choice[]) => chosen.value[name] ?? list[0]?.[0] ?? '';
  const [method = '', path = '', ...effect] = choices.map(([name, list]) => value(name, list));
  return (
    <div class="selects">
      {choices.map(([name, list]) => (
        <label key={name} class="field">
          <span>{name}</span>
          <select
            value={value(name, list)}
            onChange={({ currentTarget }) => {
              chosen.value = { ...chosen.value, [name]: currentTarget.value };
            }}
          >
            {list.map(([one, said]) => (
              <option key={one} value={one}>
                {said}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button type="button" onClick={() => onAdd(`${method} ${path}=${effect.join('')}`)}>
        {send}
      </button>
    </div>
  );
}

function nameAny(value: string): Choice {
  return [value, value === '*' ? 'any' : value];
}
