import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { JournalRow } from './journal.js';
import { JournalLine, lineHeight } from './journal-line.js';

interface JournalListProps {
  readonly rows: ReadonlySignal<readonly JournalRow[]>;
  readonly opened: number | undefined;
}

/** Lines rendered above and below the visible ones, so that fast scrolling shows no gap. */
const margin = 10;

/** The requests, newest first. Renders only the focused line and lines near the visible ones. */
export function JournalList({ rows, opened }: JournalListProps) {
  const listRef = useRef<HTMLElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const focused = useSignal<number | undefined>(undefined);
  const all = rows.value;
  useStay(listRef, all);
  useReveal(listRef, all, opened);
  useLayoutEffect(() => {
    const element = listRef.current;
    if (element === null) return;
    const measure = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    measure.observe(element);
    return () => measure.disconnect();
  }, []);
  const from = Math.max(0, Math.floor(top.value / lineHeight) - margin);
  const to = Math.min(all.length, Math.ceil((top.value + height.value) / lineHeight) + margin);
  const seen = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  // Keeps the focused line rendered: removing it would lose the focus.
  const kept = all.findLastIndex(({ id }) => id === focused.value);
  const keptAt = kept === -1 ? -1 : all.length - 1 - kept;
  const places = keptAt === -1 || (keptAt >= from && keptAt < to) ? seen : [...seen, keptAt];
  return (
    <section
      ref={listRef}
      class="lines-of-journal"
      aria-label="Journal"
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop;
      }}
      onKeyDown={moveFocus}
      onFocusIn={({ target }) => {
        focused.value = target instanceof HTMLElement ? Number(target.dataset['id']) : undefined;
      }}
      onFocusOut={() => {
        focused.value = undefined;
      }}
    >
      <ol aria-label="Requests, newest first" style={{ height: `${all.length * lineHeight}px` }}>
        {places.map((at) => {
          const row = all[all.length - 1 - at];
          return (
            row && <JournalLine key={row.id} row={row} at={at} of={all.length} isOpened={row.id === opened} />
          );
        })}
      </ol>
    </section>
  );
}

/** Keeps the visible lines of a scrolled list in place when new ones arrive above. */
function useStay(listRef: { readonly current: HTMLElement | null }, all: readonly JournalRow[]): void {
  const before = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const newest = all.at(-1)?.id;
    const element = listRef.current;
    if (element !== null && element.scrollTop > 0 && before.current !== undefined) {
      const known = all.findLastIndex(({ id }) => id === before.current);
      if (known !== -1) element.scrollTop += (all.length - 1 - known) * lineHeight;
    }
    before.current = newest;
  }, [all]);
}

/** Keeps the opened line in view until the user scrolls it away, and scrolls to a newly opened one. */
function useReveal(
  listRef: { readonly current: HTMLElement | null },
  all: readonly JournalRow[],
  opened: number | undefined,
): void {
  const before = useRef({ opened, at: -1 });
  useLayoutEffect(() => {
    const element = listRef.current;
    const found = all.findLastIndex(({ id }) => id === opened);
    const at = found === -1 ? -1 : all.length - 1 - found;
    const isSeen = (line: number) => {
      const below = line * lineHeight - (element?.scrollTop ?? 0);
      return below >= 0 && below <= (element?.clientHeight ?? 0) - lineHeight;
    };
    const last = before.current.opened === opened ? before.current.at : -1;
    if (element !== null && at !== -1 && !isSeen(at) && (last === -1 || isSeen(last)))
      element.scrollTop = at * lineHeight - element.clientHeight / 2;
    before.current = { opened, at };
  }, [opened, all]);
}

const keySteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

function moveFocus(event: KeyboardEvent): void {
  const step = keySteps[event.key];
  const line = event.target;
  if (step === undefined || !(line instanceof HTMLElement) || line.dataset['at'] === undefined) return;
  event.preventDefault();
  const list = line.closest('ol');
  const wanted = Number(line.dataset['at']) + step;
  for (let at = wanted; at !== Number(line.dataset['at']); at -= Math.sign(step)) {
    const next = list?.querySelector(`[data-at="${at}"]`);
    if (next instanceof HTMLElement) {
      next.focus();
      return;
    }
  }
}
