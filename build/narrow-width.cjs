/**
 * Stands in the command line's bundle for `string-width` in cli-table3. That package only ever measures narrow text and
 * stand-ins (src/terminal/formats/draw-table.ts), and to compile the patterns for all other text takes as long as a table.
 */
module.exports = (text) => text.replaceAll('\u0300', '').length;
