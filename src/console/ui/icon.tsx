/** SVG paths on a 16 × 16 grid. */
const strokes = {
  mark: 'M6 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8.8 8H14v2.5M11.4 8v2',
  overview: 'M2 13V9M6 13V4M10 13V7M14 13V2',
  keys: 'M5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M7 8l6-6M11 4l2 2',
  connections: 'M3 4c0-3 10-3 10 0v8c0 3-10 3-10 0zM3 4c0 3 10 3 10 0M3 8c0 3 10 3 10 0',
  item: 'M3 3h10v10H3zM3 7h10',
  api: 'M6 3 2 8l4 5M10 3l4 5-4 5',
  requests: 'M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3',
  'test-controls': 'M6 2h4M7 2v4L3 13c0 1 .5 1 1 1h8c.5 0 1 0 1-1L9 6V2M5 10h6',
} as const;

type IconName = keyof typeof strokes;

/** Hidden from screen readers, because text beside it says the same. */
export function Icon({ name }: { readonly name: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={isIcon(name) ? strokes[name] : strokes.item} />
    </svg>
  );
}

function isIcon(name: string): name is IconName {
  return Object.hasOwn(strokes, name);
}
