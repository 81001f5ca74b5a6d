/** Stands for the resource's own name: `connections` of a list, `connection` of a single answer. */
export const ownName = '{kind}';
