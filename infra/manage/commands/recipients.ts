import type { Command } from 'commander';
import { drawRecipient } from '../drawing/recipient.ts';
import { examples } from '../options.ts';
import type { Sessions } from '../session.ts';

export function addRecipients(recipients: Command, sessions: Sessions): void {
  recipients
    .command('why')
    .alias('show')
    .argument('<email>', 'an address')
    .description('Explains why an address did or didn’t get email')
    .option('--limit <number>', 'how many recent emails to show, 1 to 20 (default: 10)')
    .addHelpText('after', examples('recipients why ann@example.com'))
    .action(async (email: string, { limit }: { readonly limit?: string }, command: Command) => {
      const { api, terminal, suggest } = await sessions.asManager(command);
      const request = { path: { email }, query: { limit } };
      const answer = await api.ask('GET /api/v1/recipients/{email}', request);
      terminal.show(answer, (paint) => drawRecipient(answer, paint, suggest));
    });
}
