import { type CommandUnknownOpts, Help, type HelpConfiguration } from '@commander-js/extra-typings';
import { isGlobal } from './global-options.js';
import { helpWidth, widestHelp } from './help-page.js';

/** Columns below which text next to a term would wrap too often to be readable. */
const narrowest = 32;
/** Longer terms do not move the column in which descriptions begin. */
const longestTerm = 28;

const ordinary = new Help();

/**
 * The layout of every command's help. Subcommands do not list the global options; the description of a long term, or of
 * any on a narrow terminal, goes below it.
 */
export function helpFormat(columns: number | undefined): HelpConfiguration {
  return {
    helpWidth: helpWidth(columns),
    minWidthToWrap: 20,
    formatHelp: (command, helper) => ordinary.formatHelp(command, listingOwnOptions(command, helper)),
    padWidth: (command, helper) => Math.min(ordinary.padWidth(command, helper), longestTerm),
    // Only the name: the rest of a term depends on whether the command is loaded.
    subcommandTerm: (command) => command.name(),
    formatItem,
  };
}

// Only for the list: for a typo, commander suggests the nearest of all visible options.
function listingOwnOptions(command: CommandUnknownOpts, helper: Help): Help {
  if (command.parent === null) return helper;
  return Object.assign(new Help(), helper, {
    visibleOptions: (listed: CommandUnknownOpts) =>
      helper.visibleOptions(listed).filter((option) => !isGlobal(option)),
  });
}

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? widestHelp;
  const hasRoom = width - termWidth - 4 >= narrowest && helper.displayWidth(term) <= termWidth;
  if (description === '' || hasRoom) {
    return ordinary.formatItem.call(helper, term, termWidth, description, helper);
  }
  return `  ${term}\n${indented(helper.boxWrap(description, width - 8), 8)}`;
}

/** Terms and what they mean, one a line, wrapped to a width. */
export function definitionList(
  items: readonly (readonly [term: string, what: string])[],
  width: number,
): string {
  const helper = Object.assign(new Help(), { helpWidth: width, minWidthToWrap: 20 });
  const termWidth = Math.min(longestTerm, Math.max(...items.map(([term]) => term.length)));
  return items.map(([term, what]) => `${formatItem(term, termWidth, what, helper)}\n`).join('');
}

/** A paragraph wrapped to a width. */
export function paragraph(text: string, width: number): string {
  return `${ordinary.boxWrap(text, width)}\n`;
}

/** Text with every line that is not empty moved to the right. */
export function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}
