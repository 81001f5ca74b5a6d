/**
 * Stands in the libraries for `Reflect` where a package keeps metadata on it (tsyringe, of @peculiar/x509): the program's own
 * stays as it is. Named as reflect-metadata is, which would install itself there.
 */
import * as metadata from 'reflect-metadata/no-conflict';

export const ownReflect = Object.assign(Object.create(Reflect), metadata);
