/** Placeholder for the resource's name: `connections` in lists, `connection` elsewhere. */
export const ownName = '{kind}';
