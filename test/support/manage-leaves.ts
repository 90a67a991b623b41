import { Command } from 'commander';
import type { Group } from '../../infra/manage/program.ts';
import { openSessions } from '../../infra/manage/session.ts';
import { fakeSurroundings } from './manage-builder.ts';

export type Leaf = {
  /** Such as `sends list`. */
  readonly line: string;
  /** In its topic's page. */
  readonly summary: string;
  readonly options: readonly string[];
};

/** The commands of a topic, itself included if it does something. */
export async function leavesOf({ name, load }: Group): Promise<readonly Leaf[]> {
  const group = new Command(name);
  const addCommands = await load();
  addCommands(group, openSessions(fakeSurroundings()));
  const isCommand = group.commands.length === 0 || group.options.length > 0;
  return [
    ...(isCommand ? [leaf(group, name)] : []),
    ...group.commands.map((command) => leaf(command, `${name} ${command.name()}`)),
  ];
}

const leaf = (command: Command, line: string): Leaf => ({
  line,
  summary: command.summary() || command.description(),
  options: command.options.flatMap(({ long }) => (long ? [long] : [])),
});
