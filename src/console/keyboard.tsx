import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { route, setQuery } from './session/router.js';
import { Dialog } from './ui/dialog.js';

const shortcuts = [
  ['/', 'Search'],
  ['j  k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close, and return to the row'],
  ['?', 'Show these shortcuts'],
] as const;

/** Page-wide shortcuts. In fields, only Escape works. */
export function Keyboard() {
  const isHelping = useSignal(false);
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (event.key === 'Escape') leave(event.target);
      if (isTyping(event.target)) return;
      if (event.key === '?') isHelping.value = true;
      else if (event.key === '/') focusSearch(event);
      else if (event.key === 'j' || event.key === 'k') moveBy(event.key === 'j' ? 1 : -1);
    };
    addEventListener('keydown', act);
    return () => removeEventListener('keydown', act);
  }, []);
  if (!isHelping.value) return null;
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={() => {
        isHelping.value = false;
      }}
    >
      <dl class="facts keys">
        {shortcuts.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
  field.select();
}

const rows = '.lines-of-journal a, .list tbody tr, .operation > summary, .refusals a';

function moveBy(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(`main :is(${rows})`)];
  // The order of the journal's lines in the document can differ from their order on the screen.
  const at = (element: HTMLElement) => Number(element.dataset['at'] ?? all.indexOf(element));
  const sorted = all.toSorted((one, other) => at(one) - at(other));
  const here = sorted.findIndex((row) => row.contains(document.activeElement));
  const row = sorted[here === -1 ? 0 : here + step];
  const next = row?.matches('tr') ? row.querySelector<HTMLElement>('.actions :is(a, button)') : row;
  next?.focus();
}

/** Leaves a field; outside fields, closes the opened request and focuses its line. */
function leave(target: EventTarget | null): void {
  if (isTyping(target)) {
    if (target instanceof HTMLElement) target.blur();
    return;
  }
  const entry = route.peek().query.get('entry');
  if (entry === null) return;
  setQuery({ entry: undefined });
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`a[data-id="${CSS.escape(entry)}"]`)?.focus(),
  );
}
