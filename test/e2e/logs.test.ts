import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { feedbackIdOf } from '#shared/tokens/resource-id';
import { dynamodbError, queueDoesNotExist, sesError } from '../support/aws-answers.ts';
import { captureOutput } from '../support/captured-output.ts';
import { answerInstead, loseAnswer } from '../support/faults.ts';
import { newAddress, sentShape, useOrganizationAtWork } from '../support/organization-at-work.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../support/ses-event-builder.ts';

/** Every function, bundled as deployed, with everything it logs. */
const service = await useOrganizationAtWork({
  POWERTOOLS_LOG_LEVEL: 'DEBUG',
  POWERTOOLS_METRICS_DISABLED: 'false',
  POWERTOOLS_METRICS_NAMESPACE: 'Test',
});
const { aws, call, send, newMail, receiveProviderEvent } = service;
const { newWebhook, newDelivery, attempt, invoke, listener } = service;

const subject = 'A most private subject';
const content = 'A most private body';
const key = { 'idempotency-key': 'order of ann@example.com' };

const failTable = (operation: string) =>
  aws.dynamodb.inject({
    operation,
    action: answerInstead(dynamodbError('ResourceNotFoundException')),
  });
const refused = (act: Promise<unknown>) => expect(act).rejects.toThrow();

/** What must not be in a scenario's log, and what is there instead. */
type Story = { readonly secrets: readonly string[]; readonly messages: readonly string[] };

const stories: Readonly<Record<string, () => Promise<Story>>> = {
  'a send that ends in every way, and is read': async () => {
    const email = { to: 'ann@example.com', cc: 'ben@example.com', subject, content };
    const { sendId } = sentShape.parse(await send(email, key));
    await send(email, key);
    await refused(send({ ...email, subject: 'Another' }, key));
    await refused(send({ ...email, to: 'ann@example.com\r\nBcc: eve@example.com' }));
    await refused(call('POST', '/api/v1/emails/send', { key: 'ann@example.com', body: email }));
    aws.ses.inject({
      operation: 'SendEmail',
      action: answerInstead(sesError('MessageRejected', `Address is not verified: ${email.to}`)),
    });
    await refused(send(email));
    aws.ses.inject({ operation: 'SendEmail', action: loseAnswer() });
    await refused(send(email));
    // Its copy has its own entry.
    failTable('TransactWriteItems');
    await refused(send(email));
    await call('GET', `/api/v1/sends/${sendId}`);
    await refused(call('GET', `/api/v1/sends/${sendId}`, { key: null }));
    await refused(call('GET', `/api/v1/sends/${sendId}x`));
    failTable('Query');
    await refused(call('GET', `/api/v1/sends/${sendId}`));
    return {
      secrets: [sendId],
      messages: ['send settled', 'send replayed', 'request refused', 'request failed'],
    };
  },

  'what SES reports': async () => {
    const { sendId } = await newMail();
    const tags = { 'feedback-id': [feedbackIdOf(sendId)] };
    const eventOf = (type: SesEventType, mail: object) =>
      receiveProviderEvent(buildSesEvent(type, { mail: buildSesMail({ ...mail }) }));
    for (const type of ['Send', 'Delivery', 'Bounce', 'Complaint', 'Reject'] as const) {
      await eventOf(type, { tags });
    }
    await eventOf('Delivery', { messageId: 'nobody-knows-it', tags: {} });
    failTable('BatchGetItem');
    await refused(eventOf('Delivery', { tags }));
    const recorded = ['recorded', 'ignored', 'not recorded'];
    return { secrets: [sendId], messages: recorded.map((what) => `provider event ${what}`) };
  },

  'what people do with a mail': async () => {
    const { to, click, open, unsubscribe, preferences, preferencesToken } = await newMail();
    for (const path of [click, open, unsubscribe, preferences]) await call('GET', path);
    failTable('BatchGetItem');
    await call('GET', open);
    await refused(call('GET', `${click}x`));
    await call('POST', unsubscribe);
    await call('POST', preferences);
    failTable('GetItem');
    await refused(call('POST', unsubscribe));
    const tokens = [click, open, unsubscribe].map((path) => path.split(/[/=]/).at(-1) ?? '');
    return {
      secrets: [...tokens, preferencesToken, to],
      messages: ['hit not recorded', 'request refused', 'request failed'],
    };
  },

  'what programs do with a contact': async () => {
    const { to, preferencesToken } = await newMail();
    await call('GET', `/api/v1/preferences?token=${preferencesToken}`);
    await call('GET', `/api/v1/preferences?email=${to}`);
    await refused(call('GET', `/api/v1/preferences?email=${newAddress()}`));
    await call('POST', '/api/unsubscribe', { body: { email: to }, key: null });
    await call('DELETE', `/api/v1/contacts/${to}?sends=true`);
    return { secrets: [preferencesToken, to], messages: ['request refused'] };
  },

  'webhooks, delivered and not': async () => {
    for (const status of [204, 500]) await attempt(await newDelivery(await newWebhook(status)));
    const delivery = await newDelivery(listener);
    failTable('UpdateItem');
    // The function has made attempts, so only this message returns.
    expect(await attempt(delivery)).toMatchObject({ batchItemFailures: [{}] });
    aws.sqs.inject({ operation: 'SendMessageBatch', action: answerInstead(queueDoesNotExist()) });
    await call('POST', `/api/v1/webhooks/${listener}/test`);
    await invoke('retry-due-webhooks', { scheduledRun: true });
    const rotated = await call('POST', `/api/v1/webhooks/${listener}/rotate-secret`);
    const attempts = [
      'webhook attempted',
      'webhook attempt not recorded',
      'due webhooks attempted',
    ];
    return {
      secrets: [z.object({ secret: z.string() }).parse(rotated).secret],
      messages: [...attempts, 'webhook queue not woken'],
    };
  },
};

describe('the log of a whole request', () => {
  it.each(Object.entries(stories))('contains no secret (%s)', async (_, happen) => {
    const output = captureOutput();

    const { secrets, messages } = await happen();

    const logged = output.text();
    for (const message of messages) expect(logged).toContain(`"message":"${message}"`);
    for (const secret of [...service.keys, ...secrets]) expect(logged).not.toContain(secret);
    // Send ids, addresses, words, webhook secrets.
    expect(logged).not.toMatch(/snd_|example\.com|most private|whsec_/);
  });
});
