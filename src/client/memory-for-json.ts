import { getHeapStatistics } from 'node:v8';

/** What the parser makes of a byte at most, and what a filter and a printer then make of that. */
const mostBytesPerByte = 80;

/** Heap that a JSON text needs, in bytes for each of these characters: objects, lists, members and fields. */
const costs: readonly (readonly [character: string, bytes: number])[] = [
  ['{', 64],
  ['[', 48],
  [',', 32],
  [':', 64],
];

/**
 * Whether V8's heap has room for what a body holds as JSON, twice over: the value and what is made of it. V8 ends the
 * process where it runs out, and nothing can catch that. Estimated by what the body is made of, and only for bodies of
 * which the worst would not fit.
 */
export function hasMemoryFor(body: Buffer): boolean {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  const room = limit - used;
  return body.length * mostBytesPerByte <= room || 2 * needOf(body) <= room;
}

function needOf(body: Buffer): number {
  const cost = new Uint8Array(256);
  for (const [character, bytes] of costs) cost[character.charCodeAt(0)] = bytes;
  let need = 0;
  let seen = 0;
  for (const byte of body) {
    need += cost[byte] ?? 0;
    seen |= byte;
  }
  // The text and the strings in it; other text than ASCII takes two bytes a character.
  return need + body.length * (seen < 0x80 ? 2 : 4);
}
