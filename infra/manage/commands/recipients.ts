import type { Command } from 'commander';
import { asks } from '../actions.ts';
import { drawRecipient } from '../drawing/recipient.ts';
import { examples } from '../options.ts';
import type { Sessions } from '../session.ts';

export function addRecipients(recipients: Command, sessions: Sessions): void {
  explain(recipients.command('why').alias('show'), 'recipients why', sessions);
}

export function addRecipient(recipient: Command, sessions: Sessions): void {
  explain(recipient, 'recipient', sessions);
}

const explain = (command: Command, name: string, { asManager }: Sessions): Command =>
  command
    .argument('<email>', 'an address')
    .description('Explains why an address did or didn’t get email')
    .option('--limit <number>', 'how many recent emails to show, 1 to 20 (default: 10)')
    .addHelpText('after', examples(`${name} ann@example.com`))
    .action(asks(asManager, 'GET /api/v1/recipients/{email}', drawRecipient));
