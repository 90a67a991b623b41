import type { Command } from 'commander';
import { examples } from '../options.ts';
import type { OpenSession } from '../session.ts';

export function addConsole(group: Command, open: OpenSession): void {
  group
    .command('link')
    .description('A link that signs in to the console once, within 10 minutes')
    .addHelpText('after', examples('console link'))
    .action(async (_options: object, command: Command) => {
      const { terminal, target, asManager } = await open(command);
      const api = await asManager();
      const { value } = await api.ask('POST /console/links');
      const url = new URL(value.path, target.baseUrl).href;
      terminal.show({ url, expiresAt: value.expiresAt }, () => url);
      terminal.say(
        'It signs in once, within 10 minutes. Give it to nobody who may not have the key.',
      );
    });
}
