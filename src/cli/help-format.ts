import {
  type CommandUnknownOpts,
  Help,
  type HelpConfiguration,
  type Option,
} from '@commander-js/extra-typings';
import { isGlobal } from './global-options.js';
import { helpWidth, widestHelp } from './help-page.js';

/** Columns; narrower descriptions are unreadable. */
const narrowest = 32;
/** Columns; longer terms do not widen the column. */
const longestTerm = 28;

const ordinary = new Help();

/** Layout of every command's help. Descriptions stand below long terms, and on a narrow terminal below all terms. */
export function helpFormat(columns: number | undefined): HelpConfiguration {
  return {
    helpWidth: helpWidth(columns),
    minWidthToWrap: 20,
    formatHelp: (command, helper) => formatCommandHelp(command, helper),
    padWidth: (command, helper) => Math.min(ordinary.padWidth(command, helper), longestTerm),
    // Only the name, because the rest depends on whether the command is loaded.
    subcommandTerm: (command) => command.name(),
    formatItem,
  };
}

// Lists commands before options. Omits global options below the root, but does not hide them, because Commander does not
// suggest hidden options for mistyped ones.
function formatCommandHelp(command: CommandUnknownOpts, helper: Help): string {
  const options = helper.visibleOptions(command);
  const own = options.filter((option) => !isGlobal(option));
  const listed = command.parent === null ? options.filter(isGlobal) : [];
  const measured = Object.assign(new Help(), helper, { visibleOptions: () => [...own, ...listed] });
  const termWidth = measured.padWidth(command, measured);
  const withoutOptions = Object.assign(new Help(), helper, {
    padWidth: () => termWidth,
    visibleOptions: () => [],
  });
  return [
    ordinary.formatHelp(command, withoutOptions),
    optionList('Options:', own, termWidth, helper),
    optionList('Global options:', listed, termWidth, helper),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function optionList(heading: string, options: readonly Option[], termWidth: number, helper: Help): string {
  const items = options.map((option) =>
    helper.formatItem(helper.optionTerm(option), termWidth, helper.optionDescription(option), helper),
  );
  return items.length === 0 ? '' : `${[heading, ...items].join('\n')}\n`;
}

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? widestHelp;
  const hasRoom = width - termWidth - 4 >= narrowest && helper.displayWidth(term) <= termWidth;
  if (description === '' || hasRoom) {
    return ordinary.formatItem.call(helper, term, termWidth, description, helper);
  }
  return `  ${term}\n${indentText(helper.boxWrap(description, width - 8), 8)}`;
}

export function definitionList(
  items: readonly (readonly [term: string, what: string])[],
  width: number,
): string {
  const helper = Object.assign(new Help(), { helpWidth: width, minWidthToWrap: 20 });
  const termWidth = Math.min(longestTerm, Math.max(...items.map(([term]) => term.length)));
  return items.map(([term, what]) => `${formatItem(term, termWidth, what, helper)}\n`).join('');
}

export function paragraph(text: string, width: number): string {
  return `${ordinary.boxWrap(text, width)}\n`;
}

export function indentText(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}
