/** Placeholder for the resource's name: `connections` for a list, `connection` for one. */
export const ownName = '{kind}';
