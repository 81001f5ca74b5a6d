import { once } from '../../platform/once.js';
import { z } from '../schema/schema.js';
import type { TeamInput } from './records.js';
import { nameSchema, type PlainDeclaration, timestampSchema } from './resource.js';

const teamInput = once(() => z.object({ name: nameSchema() }) satisfies z.ZodMiniType<TeamInput>);
const teamPatch = once(() => z.partial(teamInput()));

/** All calls are orgctl's own: the API reference names the kind and its quota, but neither paths nor fields. */
export const teams = {
  kind: 'teams',
  property: 'teams',
  singular: 'team',
  plural: 'teams',
  idPrefix: 'team',
  table: 'teams',
  quota: 20,
  get input() {
    return teamInput();
  },
  get patch() {
    return teamPatch();
  },
  answer: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      created_at: timestampSchema(),
      updated_at: timestampSchema(),
    }),
} as const satisfies PlainDeclaration;
