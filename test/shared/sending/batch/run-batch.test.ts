import { expect, it } from 'vitest';
import { openRequestContext } from '#shared/http/request-context';
import { readBatch } from '#shared/sending/batch/batch-request';
import { runBatch } from '#shared/sending/batch/run-batch';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { fakeSending } from '../../../support/sending-builder.ts';

it('tells the request whose key it shows, and what was refused of it', async () => {
  const { text, apiKey } = buildApiKey();
  const { sending } = fakeSending({ apiKey });
  const { log } = recordLog();
  const context = openRequestContext(log);
  const emails = ['ann', 'nobody@'].map((name) => buildSendBody({ to: `${name}@example.com` }));

  await runBatch(
    readBatch(() => ({ emails }), undefined),
    { credential: text, context, headers: {}, log, responseHeaders: {} },
    sending,
  );

  expect(context).toMatchObject({
    apiKeyId: apiKey.id,
    refusedParts: [{ code: 'validation_failed', errors: [{ path: 'emails.1.to' }] }],
  });
});

it('counts only failed emails as failures, not those refused by us or rejected by SES for their content', async () => {
  const { text, apiKey } = buildApiKey();
  const { sending } = fakeSending(
    { apiKey },
    {
      callProvider: async ({ to: [first] }) =>
        first?.address === 'fine@example.com'
          ? { kind: 'accepted', providerMessageId: 'message-1' }
          : first?.address === 'virus@example.com'
            ? { kind: 'rejected', reason: 'MessageRejected' }
            : { kind: 'unknown', cause: new Error('socket hang up') },
    },
  );
  const { log, lines, metrics } = recordLog();
  const to = ['lost', 'fine', 'gone', 'nobody@', 'virus'];
  const emails = to.map((name) => buildSendBody({ to: `${name}@example.com` }));

  await runBatch(
    readBatch(() => ({ emails }), undefined),
    { credential: text, context: openRequestContext(log), headers: {}, log, responseHeaders: {} },
    sending,
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
