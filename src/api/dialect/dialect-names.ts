/** Placeholder for the resource's name: `connections` of a list, `connection` of one. */
export const ownName = '{kind}';
