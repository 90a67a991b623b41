import { type Command, Option } from 'commander';

/**
 * An option that must be there. Commander's own `requiredOption` is looked for before misspelt options are: who
 * types `--nam` would hear that `--name` is missing, and not what was meant.
 */
class NeededOption extends Option {}

/** Adds such an option: `.addOption(needed('--name <name>', 'its name'))`. */
export function needed(flags: string, description: string, read?: (text: string) => unknown) {
  const option = new NeededOption(flags, `${description} (required)`);
  return read === undefined ? option : option.argParser(read);
}

/** Ends the program when one that the command needs is missing. */
export function requireNeeded(command: Command): void {
  const missing = command.options.find(
    (option) =>
      option instanceof NeededOption &&
      command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing !== undefined) command.error(`error: '${missing.flags}' is missing`);
}
