import { z } from './schema.js';

/** The body of `POST /teams`: a team's fields are not shown; `name` is ours. */
export const teamInputSchema = z.object({ name: z.string().check(z.minLength(1), z.maxLength(255)) });

/** The body of `PATCH /teams/{id}` [ours]: any subset of the POST body. */
export const teamPatchSchema = z.partial(teamInputSchema);
export type TeamPatch = z.infer<typeof teamPatchSchema>;
