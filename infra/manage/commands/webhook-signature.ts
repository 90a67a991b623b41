import type { Command } from 'commander';
import { type AnswerOf, required } from '../api/answers.ts';
import type { Drawing } from '../drawing/layout.ts';
import { exitCodes, Failure } from '../failure.ts';
import { examples, needed } from '../options.ts';
import type { Sessions } from '../session.ts';
import { readNamedFile } from '../surroundings.ts';
import { oneLine, type Paint } from '../terminal.ts';

type Received = {
  readonly body: string;
  readonly messageId: string;
  readonly timestamp: string;
  readonly signature: string;
};

export function addVerify(webhooks: Command, { asManager }: Sessions): void {
  webhooks
    .command('verify')
    .argument('<id>', 'the id of an endpoint')
    .description('Explains why a signature doesn’t match')
    .addOption(needed('--body <file>', 'the body as the receiver got it; - for standard input'))
    .addOption(needed('--message-id <id>', 'its header webhook-id'))
    .addOption(needed('--timestamp <seconds>', 'its header webhook-timestamp'))
    .addOption(needed('--signature <text>', 'its header webhook-signature'))
    .addHelpText(
      'after',
      examples(
        'webhooks verify whk_… --body body.json --message-id msg_… --timestamp 1795251600 --signature v1,…',
      ),
    )
    .action(async (id: string, { body, messageId, ...headers }: Received, command: Command) => {
      const { api, terminal, surroundings } = await asManager(command);
      const payload = await readNamedFile(body, surroundings);
      const request = { path: { id }, body: { payload, webhookId: messageId, ...headers } };
      const answer = await api.ask('POST /api/v1/webhooks/{id}/verify', request);
      const fits = required(answer, 'fits');
      terminal.show(answer, (paint) => drawVerdict(answer, paint));
      if (!fits) throw new Failure(exitCodes.needsAttention, 'signature_differs', 'See above.');
    });
}

function drawVerdict(answer: AnswerOf<'POST /api/v1/webhooks/{id}/verify'>, paint: Paint): Drawing {
  const { causes = [] } = answer;
  const verdict = required(answer, 'fits')
    ? paint('green', '✓ The signature matches.')
    : paint('red', '✗ The signature doesn’t match.');
  return [verdict, ...causes.map(({ explanation = '' }) => `  → ${oneLine(explanation)}`)];
}
