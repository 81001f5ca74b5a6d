/**
 * Replaces unused parts of libraries in the bundle, which would be much of the code that is loaded at a start. From
 * undici: HTTP/2. From conf: schemas and migrations. From commander: subcommands as separate programs. From kysely: its
 * builder of tables. orgctl uses none of these.
 */

/** For HTTP/2, whose constants undici destructures when it is loaded. */
export const constants = {};

/** For conf and kysely, which import these names. */
export const Ajv2020 = undefined;
export const SchemaModule = undefined;
// biome-ignore lint/style/noDefaultExport: conf imports ajv's default.
export default undefined;
