import type { Command } from 'commander';
import { linkMs } from '#shared/access/sign-in';
import { required } from '../api/answers.ts';
import { examples } from '../options.ts';
import type { Sessions } from '../session.ts';

const minutes = linkMs / 60_000;

export function addConsole(group: Command, sessions: Sessions): void {
  group
    .command('link')
    .description(`Prints a link that signs in to the console once, within ${minutes} minutes`)
    .addHelpText('after', examples('console link'))
    .action(async (_options: object, command: Command) => {
      const { api, terminal, target } = await sessions.asManager(command);
      const link = await api.ask('POST /console/links');
      const url = new URL(required(link, 'path'), target.publicBaseUrl ?? target.baseUrl).href;
      terminal.show({ url, expiresAt: link.expiresAt }, () => url);
      terminal.say(
        `It works once, within ${minutes} minutes. Share it only with people who may have the key.`,
      );
    });
}
