import type { Command } from 'commander';
import { asks } from '../actions.ts';
import { drawRecipient } from '../drawing/recipient.ts';
import { examples } from '../options.ts';
import type { Sessions } from '../session.ts';

export function addRecipients(recipients: Command, { asManager }: Sessions): void {
  recipients
    .command('why')
    .alias('show')
    .argument('<email>', 'an address')
    .description('Explains why an address did or didn’t get email')
    .option('--limit <number>', 'how many recent emails to show, 1 to 20 (default: 10)')
    .addHelpText('after', examples('recipients why ann@example.com'))
    .action(asks(asManager, 'GET /api/v1/recipients/{email}', drawRecipient));
}
