import { describe, expect, it } from 'vitest';
import { createTemplate } from '#shared/templates/template-store';
import { newTemplateId } from '#shared/tokens/resource-id';
import { anyEntry } from '../support/audit-entry-builder.ts';
import { dynamodbError, sesError } from '../support/aws-answers.ts';
import { answerInstead, runBefore } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf } from '../support/service-caller.ts';
import {
  claim,
  commitWithOutbox,
  isNoteOfKeyUse,
  noteOfKeyUse,
  operationsOf,
} from '../support/table-requests.ts';
import { buildTemplate } from '../support/template-builder.ts';

const service = await useFaultyService();

const key = { 'idempotency-key': 'order-1' };
const dynamodbCalls = () => operationsOf(service.dynamodb.requests);

describe('the AWS calls of a send', () => {
  it('to a known contact are three to DynamoDB, without a transaction, and one to SES', async () => {
    const caller = await service.newCaller({ hasWebhook: false });
    await caller.send();
    service.dynamodb.clear();
    service.ses.clear();

    resultOf(await caller.send({}, key));

    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'PutItem', 'UpdateItem']);
    expect(operationsOf(service.ses.requests)).toEqual(['SendEmail']);
  });

  it('with a subscribed webhook endpoint are as many, the last a transaction', async () => {
    const caller = await service.newCaller({ hasWebhook: true });
    await caller.send();
    service.dynamodb.clear();
    service.ses.clear();

    resultOf(await caller.send({}, key));

    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'PutItem', 'TransactWriteItems']);
    expect(operationsOf(service.ses.requests)).toEqual(['SendEmail']);
  });

  it('with a rate cap are one more', async () => {
    const caller = await service.newCaller({ apiKey: { perMinuteCap: 10 }, hasWebhook: false });
    await caller.send();
    service.dynamodb.clear();

    resultOf(await caller.send({}, key));

    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'UpdateItem', 'PutItem', 'UpdateItem']);
  });

  it('with a daily cap are one more, and one for each cap', async () => {
    const counted: string[][] = [];
    for (const apiKey of [{ dailyCap: 10 }, { dailyCap: 10, perMinuteCap: 10 }]) {
      const caller = await service.newCaller({ apiKey, hasWebhook: false });
      await caller.send();
      service.dynamodb.clear();
      resultOf(await caller.send({}, key));
      counted.push(dynamodbCalls());
    }

    expect(counted).toEqual([
      ['BatchGetItem', 'UpdateItem', 'PutItem', 'UpdateItem'],
      ['BatchGetItem', 'UpdateItem', 'UpdateItem', 'PutItem', 'UpdateItem'],
    ]);
  });

  it('with a rate of the organization are one more', async () => {
    const caller = await service.newCaller({ limits: { sendsPerSecond: 100 }, hasWebhook: false });
    await caller.send();
    service.dynamodb.clear();

    resultOf(await caller.send({}, key));

    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'UpdateItem', 'PutItem', 'UpdateItem']);
  });

  it("with a key whose use wasn't recorded for an hour record it once, in parallel", async () => {
    const caller = await service.newCaller({ apiKey: { lastUsedAt: 0 }, hasWebhook: false });
    const note = Promise.withResolvers<void>();
    const claimed = Promise.withResolvers<void>();
    // Each arrives only when the other has: in sequence, neither ever would.
    service.dynamodb.inject({
      ...noteOfKeyUse,
      action: runBefore(() => {
        note.resolve();
        return claimed.promise;
      }),
    });
    service.dynamodb.inject({
      ...claim,
      action: runBefore(() => {
        claimed.resolve();
        return note.promise;
      }),
    });

    resultOf(await caller.send({}, key));
    const first = service.dynamodb.requests.filter(({ body }) => isNoteOfKeyUse(body));
    service.dynamodb.clear();
    resultOf(await caller.send());

    expect(first).toHaveLength(1);
    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'PutItem', 'UpdateItem']);
  });

  it.each([
    ['is refused', answerInstead(dynamodbError('ResourceNotFoundException'))],
    ['is never answered', runBefore(() => new Promise<void>(() => {}))],
  ])('succeed even if recording the key’s use %s', async (_what, action) => {
    const caller = await service.newCaller({ apiKey: { lastUsedAt: 0 }, hasWebhook: false });
    service.dynamodb.inject({ ...noteOfKeyUse, action });

    const result = resultOf(await caller.send({}, key));

    expect(result.status).toBe('sent');
  });

  it('to fifty recipients are one more, which reads them once the key is known', async () => {
    const caller = await service.newCaller({ hasWebhook: false });
    const cc = Array.from({ length: 49 }, (_, index) => `ann+${index}@example.com`);
    await caller.send({ cc });
    service.dynamodb.clear();

    resultOf(await caller.send({ cc }, key));

    // One by which each of them is found is claimed with the send.
    expect(dynamodbCalls()).toEqual([
      'BatchGetItem',
      'BatchGetItem',
      'TransactWriteItems',
      'UpdateItem',
    ]);
  });

  it('to a new contact store the contact in parallel with the commit', async () => {
    const caller = await service.newCaller();
    const contact = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    // Each arrives only when the other has: in sequence, neither ever would.
    service.dynamodb.inject({
      operation: 'UpdateItem',
      action: runBefore(() => {
        contact.resolve();
        return commit.promise;
      }),
    });
    service.dynamodb.inject({
      ...commitWithOutbox,
      action: runBefore(() => {
        commit.resolve();
        return contact.promise;
      }),
    });

    resultOf(await caller.send({}, key));

    expect(dynamodbCalls().toSorted()).toEqual([
      'BatchGetItem',
      'PutItem',
      'TransactWriteItems',
      'UpdateItem',
    ]);
  });

  it('by a template read template and recipient in parallel once the key is known', async () => {
    const caller = await service.newCaller();
    await caller.send();
    const template = buildTemplate({ id: newTemplateId(caller.organizationId) });
    await createTemplate(service.table, template, anyEntry());
    service.dynamodb.clear();
    const reads = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    for (const [index, read] of reads.entries()) {
      // Each arrives only when the other has: in sequence, neither ever would.
      service.dynamodb.inject({
        operation: 'BatchGetItem',
        matches: (keys) => !JSON.stringify(keys).includes('"KEY#'),
        action: runBefore(() => {
          read.resolve();
          return reads[1 - index]?.promise;
        }),
      });
    }
    const body = { to: 'ann@example.com', templateId: template.id, variables: { name: 'Ann' } };

    resultOf(await caller.post(JSON.stringify(body), key));

    expect(dynamodbCalls()).toEqual([
      'BatchGetItem',
      'BatchGetItem',
      'BatchGetItem',
      'PutItem',
      'TransactWriteItems',
    ]);
  });

  it('by an alias are as many once the function has seen the alias', async () => {
    const caller = await service.newCaller();
    const id = newTemplateId(caller.organizationId);
    await createTemplate(service.table, buildTemplate({ id, alias: 'receipt' }), anyEntry());
    const body = JSON.stringify({ to: 'ann@example.com', template: 'receipt' });
    await caller.post(body);
    await caller.post(body);
    service.dynamodb.clear();

    resultOf(await caller.post(body, key));

    expect(dynamodbCalls()).toEqual([
      'BatchGetItem',
      'BatchGetItem',
      'BatchGetItem',
      'PutItem',
      'TransactWriteItems',
    ]);
  });

  it('are two to DynamoDB and none to SES for a replay', async () => {
    const caller = await service.newCaller();
    await caller.send({}, key);
    service.dynamodb.clear();
    service.ses.clear();

    resultOf(await caller.send({}, key));

    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'PutItem']);
    expect(operationsOf(service.ses.requests)).toEqual([]);
  });

  it("are one more for a failed send's retry, which claims the existing send", async () => {
    const caller = await service.newCaller({ hasWebhook: false });
    await caller.send();
    const refuse = answerInstead(sesError('MessageRejected'));
    service.ses.inject({ operation: 'SendEmail', action: refuse });
    await caller.send({}, key);
    service.dynamodb.clear();

    resultOf(await caller.send({}, key));

    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'PutItem', 'PutItem', 'UpdateItem']);
  });

  it('without an idempotency key are three to DynamoDB as well', async () => {
    const caller = await service.newCaller({ hasWebhook: false });
    await caller.send();
    service.dynamodb.clear();

    resultOf(await caller.send());

    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'PutItem', 'UpdateItem']);
  });

  it('to a suppressed address are two to DynamoDB and none to SES', async () => {
    const caller = await service.newCaller();
    await caller.send({ to: 'bounce@simulator.amazonses.com' });
    await service.deliverProviderEvents();
    service.dynamodb.clear();
    service.ses.clear();

    resultOf(await caller.send({ to: 'bounce@simulator.amazonses.com' }, key));

    // Its endpoint wants everything, so the claim has the delivery with it.
    expect(dynamodbCalls()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect(operationsOf(service.ses.requests)).toEqual([]);
  });
});

describe('the AWS calls of a timeline', () => {
  it("are its key's, then one, whatever has happened to the send", async () => {
    const caller = await service.newCaller();
    const { sendId } = resultOf(await caller.send({ to: 'complaint@simulator.amazonses.com' }));
    await service.deliverProviderEvents();
    service.dynamodb.clear();

    const { events } = await caller.timeline(sendId);

    expect(events.map(({ type }) => type)).toEqual(['sent', 'delivered', 'complained']);
    expect(dynamodbCalls().toSorted()).toEqual(['GetItem', 'GetItem', 'Query']);
  });
});
