import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { SesEvent } from '../../infra/local/ses/events.ts';
import { type Action, runAfter, runBefore } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { forEachInParallel } from '../support/in-parallel.ts';
import { createSeededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { resultOf, type SendResult, type ServiceCaller } from '../support/service-caller.ts';
import { claimedSendIds, commitWithOutbox } from '../support/table-requests.ts';
import { testSeed } from '../support/test-seed.ts';

const service = await useFaultyService({ doubtWindowSeconds: 120 });

const fates = ['success', 'bounce', 'complaint', 'ooto'] as const;
type Fate = (typeof fates)[number];

const recipientOf = (fate: Fate, index: number) => `${fate}+${index}@simulator.amazonses.com`;

type Gist = Awaited<ReturnType<typeof gist>>;

/** The content of a timeline, without ids and times, which differ from send to send. */
async function gist(caller: ServiceCaller, { sendId, messageId }: SendResult) {
  const { send, messages, events, webhooks } = await caller.timeline(sendId);
  const nameOf = (id: string | undefined) => (id === messageId ? 'the message' : id);
  return {
    status: send.status,
    messages: messages.map(({ providerMessageId }) => nameOf(providerMessageId)),
    events: events.map(({ type, reason, providerMessageId }) => ({
      type,
      reason,
      providerMessageId: nameOf(providerMessageId),
    })),
    // In the order they were written, which is the order of arrival.
    webhooks: webhooks.map(({ type }) => type).toSorted(),
  };
}

/** An organization, and the timelines when every event arrives once, in order, after the commit. */
async function cleanRun(hasWebhook: boolean) {
  const caller = await service.newCaller({ hasWebhook });
  const expected = new Map<Fate, Gist>();
  for (const fate of fates) {
    const result = resultOf(await caller.send({ to: recipientOf(fate, -1) }));
    await service.deliverProviderEvents();
    expected.set(fate, await gist(caller, result));
  }
  return { caller, expected };
}
type CleanRun = Awaited<ReturnType<typeof cleanRun>>;

const sesAnswer = z.object({ MessageId: z.string() });

const threeTimes = (events: readonly SesEvent[]) => [...events, ...events, ...events];

/** SES is faster than its own answer: some of an email's events arrive before the commit, all three times. */
const deliverBeforeAnswer =
  (random: SeededRandom, delivered: SesEvent[]): Action =>
  async ({ forward, respond }) => {
    const answer = await forward();
    const { MessageId } = sesAnswer.parse(JSON.parse(answer.body));
    await service.settled();
    const early = service.providerEvents.take(
      ({ mail }) => mail.messageId === MessageId && random.next() < 0.3,
    );
    for (const event of random.shuffle(threeTimes(early))) {
      await service.providerEvents.deliver(event);
    }
    delivered.push(...early);
    respond(answer);
  };

async function sendOne({ run, fate, to }: { run: CleanRun; fate: Fate; to: string }) {
  const answer = await run.caller.send({ to }, { 'idempotency-key': to });
  return { run, fate, result: resultOf(answer) };
}

describe('provider events of 24 sends, each delivered three times in random order', () => {
  it('give the same timelines as a clean run, even when some arrive before the commit', async () => {
    const random = createSeededRandom(testSeed);
    // A delivery would keep a duplicate out too, hence also an organization without a webhook.
    const runs = [await cleanRun(false), await cleanRun(true)];
    const early: SesEvent[] = [];
    const action = deliverBeforeAnswer(random, early);
    service.ses.inject({ operation: 'SendEmail', times: 24, action });

    const sends = runs.flatMap((run) =>
      Array.from({ length: 3 }).flatMap((_, index) =>
        fates.map((fate) => ({ run, fate, to: recipientOf(fate, index) })),
      ),
    );
    const results = await forEachInParallel(random.shuffle(sends), 10, sendOne);
    await service.settled();
    const late = service.providerEvents.take();
    const deliveries = random.shuffle(threeTimes(late));
    await forEachInParallel(deliveries, 10, service.providerEvents.deliver);

    const timelines = await forEachInParallel(results, 10, ({ run, result }) =>
      gist(run.caller, result),
    );
    expect(timelines).toEqual(results.map(({ run, fate }) => run.expected.get(fate)));
    expect(early.length + late.length).toBe(6 * (2 + 2 + 3 + 3));
    expect(await service.inbox()).toHaveLength(2 * fates.length + 24);
  });
});

describe('an email that SES took and then rejected for its content', () => {
  /** The event SES publishes in place of Delivery. */
  async function deliverReject(): Promise<void> {
    await service.settled();
    const [published] = service.providerEvents.take();
    await service.providerEvents.deliver({
      eventType: 'Reject',
      mail: published?.mail,
      reject: { reason: 'Bad content' },
    });
  }

  it('before the commit is refused to the caller, and a retry sends it again', async () => {
    const caller = await service.newCaller();
    service.ses.inject({ operation: 'SendEmail', action: runAfter(deliverReject) });
    const key = { 'idempotency-key': 'order-1' };

    const refused = await caller.send({}, key);
    const [sendId = ''] = claimedSendIds(service.dynamodb.requests);
    const failed = await caller.timeline(sendId);
    const retried = resultOf(await caller.send({}, key));

    const [rejected, accepted] = await service.inbox();
    expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
    expect(failed.send).toMatchObject({ status: 'failed', failureReason: 'Bad content' });
    expect(retried).toMatchObject({ sendId, status: 'sent', reused: false });
    expect(retried.messageId).toBe(accepted?.messageId);
    const { send, messages, events } = await caller.timeline(sendId);
    expect(send).toMatchObject({
      status: 'sent',
      attempts: [{ attempt: 1, reason: 'Bad content', providerMessageId: rejected?.messageId }],
    });
    const both = [rejected, accepted].map((email) => ({ providerMessageId: email?.messageId }));
    expect(messages).toMatchObject(both);
    expect(events).toMatchObject(both.map((one) => ({ type: 'sent', ...one })));
  });

  it('before the commit stays rejected, even if the commit arrives when a retry is under way', async () => {
    const caller = await service.newCaller();
    const key = { 'idempotency-key': 'order-1' };
    const commitArrived = Promise.withResolvers<void>();
    const retryIsAtSes = Promise.withResolvers<void>();
    const commitIsAnswered = Promise.withResolvers<void>();
    service.ses.inject({ operation: 'SendEmail', action: runAfter(deliverReject) });
    service.dynamodb.inject({
      ...commitWithOutbox,
      action: async ({ forward, respond }) => {
        commitArrived.resolve();
        await retryIsAtSes.promise;
        respond(await forward());
        commitIsAnswered.resolve();
      },
    });
    const meet = () => {
      retryIsAtSes.resolve();
      return commitIsAnswered.promise;
    };
    service.ses.inject({ operation: 'SendEmail', action: runBefore(meet) });

    const answer = caller.send({}, key);
    await commitArrived.promise;
    const retried = resultOf(await caller.send({}, key));
    const refused = await answer;

    const [rejected, accepted] = await service.inbox();
    expect(refused).toMatchObject({ status: 500, problem: { code: 'provider_rejected' } });
    expect(retried).toMatchObject({ status: 'sent', messageId: accepted?.messageId });
    const { send, messages } = await caller.timeline(retried.sendId);
    expect(send).toMatchObject({
      status: 'sent',
      attempts: [{ attempt: 1, reason: 'Bad content', providerMessageId: rejected?.messageId }],
    });
    expect(messages).toHaveLength(2);
    expect(resultOf(await caller.send({}, key))).toEqual({ ...retried, reused: true });
  });

  it('after the commit is shown as failed', async () => {
    const caller = await service.newCaller();
    const { sendId } = resultOf(await caller.send());

    await deliverReject();

    expect(await caller.timeline(sendId)).toMatchObject({
      send: { status: 'failed', failureReason: 'Bad content' },
    });
  });
});
