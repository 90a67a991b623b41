import type { Command } from 'commander';
import { drawRecipient } from '../drawing/recipient.ts';
import { examples } from '../options.ts';
import type { OpenSession } from '../session.ts';

export function addRecipients(recipients: Command, open: OpenSession): void {
  recipients
    .command('why')
    .alias('show')
    .argument('<email>', 'an address')
    .description('Explains why an address got an email or did not')
    .option('--limit <number>', 'how many recent emails to show, 1 to 20 (default: 10)')
    .addHelpText('after', examples('recipients why ann@example.com'))
    .action(async (email: string, { limit }: { readonly limit?: string }, command: Command) => {
      const { terminal, asManager, suggest } = await open(command);
      const api = await asManager();
      const request = { path: { email }, query: { limit } };
      const answer = await api.ask('GET /api/v1/recipients/{email}', request);
      terminal.show(answer, (paint) => drawRecipient(answer, paint, suggest));
    });
}
