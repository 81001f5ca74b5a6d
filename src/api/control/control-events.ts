export const journalCapacity = 1000;

export const journalEvent = { request: 'request', missed: 'missed', end: 'end' } as const;

export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

export interface StreamedEvents {
  readonly events: readonly ServerSentEvent[];
  /** The ID to resume from; a block with an `id` sets it even without data. */
  readonly lastId: string | undefined;
}

/** Yields events as they arrive; drops the last event if it is incomplete. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvents> {
  const decoder = new TextDecoder();
  let rest = '';
  let lastId: string | undefined;
  for await (const chunk of chunks) {
    const blocks = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
    rest = blocks.pop() ?? '';
    const events: ServerSentEvent[] = [];
    for (const block of blocks) {
      const fields = readFields(block);
      lastId = fields.get('id') ?? lastId;
      const data = fields.get('data');
      if (data !== undefined) events.push({ name: fields.get('event') ?? 'message', data });
    }
    yield { events, lastId };
  }
}

/** Reads a field from each line, as orgctl writes them. */
function readFields(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [name = '', value = ''] = line.split(/: ?(.*)/s);
    fields.set(name, value);
  }
  return fields;
}
