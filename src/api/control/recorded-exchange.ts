import { z } from '../schema/schema.js';

const pairs = z.array(z.tuple([z.string(), z.string()]));

/** A recorded body: its text with secrets masked, or its size and why it was omitted; `null` if there was none. */
const recordedBody = z.union([
  z.object({ text: z.string() }),
  z.object({ bytes: z.int(), omitted: z.string() }),
  z.null(),
]);

/** A line of `orgctl proxy --record`: a request and its response, with secrets masked. */
export const recordedExchangeSchema = z.object({
  recorded: z.literal(1),
  service: z.string(),
  /** Start of the request, in ISO 8601. */
  time: z.string(),
  method: z.string(),
  target: z.string(),
  requestHeaders: pairs,
  requestBody: recordedBody,
  status: z.int(),
  headers: pairs,
  body: recordedBody,
  milliseconds: z.number(),
});

export type RecordedExchange = z.infer<typeof recordedExchangeSchema>;
