import { expect, it } from 'vitest';
import { newRequestContext } from '#shared/access/request-context';
import type { ProviderOutcome } from '#shared/email/email-provider';
import { readBatch } from '#shared/sending/batch/batch-request';
import { runBatch } from '#shared/sending/batch/run-batch';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { openSendWorld } from '../../../support/send-world.ts';

const answers: Readonly<Record<string, ProviderOutcome>> = {
  'fine@example.com': { kind: 'accepted', providerMessageId: 'message-1' },
  'virus@example.com': { kind: 'refused', reason: 'MessageRejected' },
};
const unknown = { kind: 'unknown', cause: new Error('socket hang up') } as const;

it('a batch notes its API key and its refused emails in the request context', async () => {
  const world = await openSendWorld();
  const context = newRequestContext(recordLog().log);
  const emails = ['ann', 'nobody@'].map((name) => buildSendBody({ to: `${name}@example.com` }));

  await runBatch(
    readBatch({ ok: true, value: { emails } }, undefined),
    { credential: world.credential, context, headers: {}, responseHeaders: {} },
    world.sending,
  );

  expect(context).toMatchObject({
    apiKeyId: world.apiKeyId,
    refusedParts: [{ code: 'validation_failed', errors: [{ path: 'emails.1.to' }] }],
  });
});

it('counts only failed emails as failures, not those that we or SES refuse for their content', async () => {
  const world = await openSendWorld();
  world.ses = () => answers[world.mailbox.at(-1)?.to[0]?.address ?? ''] ?? unknown;
  const { log, lines, metrics } = recordLog();
  const to = ['lost', 'fine', 'gone', 'nobody@', 'virus'];
  const emails = to.map((name) => buildSendBody({ to: `${name}@example.com` }));

  await runBatch(
    readBatch({ ok: true, value: { emails } }, undefined),
    {
      credential: world.credential,
      context: newRequestContext(log),
      headers: {},
      responseHeaders: {},
    },
    world.sending,
  );

  expect(metrics.filter((metric) => 'BatchEmailFailed' in metric)).toHaveLength(2);
  expect(
    lines.flatMap(({ message, fields }) =>
      /failed|refused/.test(message) ? [[message, fields['place']]] : [],
    ),
  ).toEqual([
    ['email of a batch failed', 0],
    ['email of a batch failed', 2],
    ['email of a batch refused', 3],
    ['email of a batch failed', 4],
  ]);
});
