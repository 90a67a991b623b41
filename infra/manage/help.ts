import { type Argument, Command, Help } from 'commander';
import { exitCodes } from './failure.ts';
import { suggestion } from './options.ts';

/** The first page has the topics, a topic's page its commands. What is the same for all is on a page of its own. */
export const helpSettings: Partial<Help> = {
  sortSubcommands: false,
  // Not as `visibleOptions` and `visibleCommands`, from which misspelt words get their suggestions.
  formatHelp(command, helper) {
    const shown = isTopic(command) ? Object.assign(new Help(), helper, ofTopic) : helper;
    return Help.prototype.formatHelp.call(this, command, shown);
  },
  commandUsage(command) {
    const isOnlyTopic = isTopic(command) && command.parent !== null && !hasOwnAction(command);
    const usage = Help.prototype.commandUsage.call(this, command);
    return isOnlyTopic ? usage.replace('[options] [command]', '<command> [options]') : usage;
  },
  subcommandTerm: (command) =>
    [
      [command.name(), ...command.aliases()].join('|'),
      ...command.registeredArguments.map(termOf),
    ].join(' '),
};

const ofTopic: Pick<Help, 'visibleOptions' | 'visibleCommands'> = {
  visibleOptions: ({ parent, options }) => (parent === null ? [] : [...options]),
  visibleCommands: ({ commands }) => [...commands],
};

const isTopic = ({ commands }: Command): boolean => commands.length > 0;

const hasOwnAction = ({ options }: Command): boolean => options.length > 0;

const termOf = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .addHelpText('afterAll', ({ command }) => `\n${furtherPages(command)}`)
    .command('help')
    .argument('[topic...]', 'a topic, or a command')
    .description('Shows the commands of a topic, or how to use a command')
    .helpGroup('Help:')
    .action((topic: readonly string[]) => showPage(program, topic));
}

function furtherPages(command: Command): string {
  if (command.parent === null) {
    return `
More:
  help <topic>            the commands of a topic
  help <topic> <command>  how to use one
  help options            options that all commands take
  help exit-codes         what a command exits with`.trim();
  }
  return isTopic(command)
    ? `How to use one: help ${command.name()} ${command.commands[0]?.name()}`
    : 'Options that all commands take: help options';
}

/** @throws CommanderError in any case, as commander's own help does. */
function showPage(program: Command, topic: readonly string[]): never {
  const [first] = topic;
  if (first === 'options') optionsPage(program).help();
  if (first === 'exit-codes') exitCodesPage(program).help();
  let page: Command = program;
  for (const word of topic) {
    // What follows a command is its arguments.
    if (page.commands.length === 0) break;
    const next = page.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) refuse(page, word);
    page = next;
  }
  page.help();
}

function refuse(page: Command, word: string): never {
  const names = page.commands.flatMap((one) => [one.name(), ...one.aliases()]);
  const all = page.parent === null ? [...names, 'options', 'exit-codes'] : names;
  page.error(`error: there's no help on '${word}'. ${suggestion(word, all)}`.trimEnd());
}

function optionsPage(program: Command): Command {
  const page = pageLike(program, '<topic> <command>', 'Options that all commands take');
  for (const option of program.options) page.addOption(option);
  return page.addHelpText('after', whichService);
}

const whichService = `
Without --url, --local or --stack, commands go to EMAIL_SERVICE_URL, else to
the local server if it's running (if several are, choose one with PORT=…),
else to the stack in the account of AWS_PROFILE.

On a terminal, lists are made to fit. What was shortened ends with …: another
command, or --json, has it whole. Files and pipes get everything in full.`;

function exitCodesPage(program: Command): Command {
  const lines = Object.entries(exitWords).map(([name, words]) => {
    const code = exitCodeOf(name);
    return `  ${String(code).padEnd(5)}${words}`;
  });
  const page = pageLike(program, '<topic> <command>', 'What a command exits with');
  return page.addHelpText('after', `\n${lines.join('\n')}`);
}

const exitWords: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong usage, or a value that was refused',
  notFound: 'not found',
  denied: 'not allowed: no key, a wrong one, or one that lacks the scope',
  conflict: 'a conflict: it was changed in between, or is in another state',
  unavailable: 'unavailable: the same command may succeed later',
  needsAttention: 'it worked, and reports something that needs attention',
  interrupted: 'interrupted',
};

const exitCodeOf = (name: string): number | undefined =>
  new Map(Object.entries(exitCodes)).get(name);

const pageLike = (program: Command, usage: string, description: string): Command =>
  new Command(program.name())
    .copyInheritedSettings(program)
    .usage(usage)
    .helpOption(false)
    .description(description);
