/**
 * Replaces `string-width` for cli-table3 in the command line's bundle. src/terminal/formats/table.ts gives
 * cli-table3 only narrow text and placeholders. Compiling patterns for wide text would take as long as drawing a table.
 */
module.exports = (text) => text.replaceAll('\u0300', '').length;
