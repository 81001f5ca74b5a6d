import { z } from '../schema/schema.js';

const pairs = z.array(z.tuple([z.string(), z.string()]));

/** A body as it is recorded: its text with secrets masked, or what is known of one that is not. */
const recordedBody = z.union([
  z.object({ text: z.string() }),
  z.object({ bytes: z.int(), omitted: z.string() }),
  z.null(),
]);

/** One line of `orgctl proxy --record`: a request and its answer, with secrets masked. */
export const recordedExchangeSchema = z.object({
  /** The version of the form. */
  recorded: z.literal(1),
  /** The service's base URL. */
  service: z.string(),
  /** When it began: ISO 8601. */
  time: z.string(),
  method: z.string(),
  /** Path and query as on the request line. */
  target: z.string(),
  /** In their order. */
  requestHeaders: pairs,
  requestBody: recordedBody,
  status: z.int(),
  headers: pairs,
  body: recordedBody,
  milliseconds: z.number(),
});

export type RecordedExchange = z.infer<typeof recordedExchangeSchema>;
