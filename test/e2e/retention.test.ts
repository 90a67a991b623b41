import { describe, expect, it } from 'vitest';
import { expireSend } from '../support/expired-send.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, type ServiceCaller } from '../support/service-caller.ts';

const service = await useFaultyService();

const key = { 'idempotency-key': 'order-1' };
const to = 'complaint@simulator.amazonses.com';
const htmlContent = '<p><a href="https://example.com/">Read</a></p>';

/** A send, and what a mail client fetches when it shows the email. */
async function send(caller: ServiceCaller) {
  const { sendId } = resultOf(await caller.send({ to, htmlContent }, key));
  const html = (await service.inbox()).at(-1)?.body.html ?? '';
  const open = async () => {
    const pixel = `${service.url()}${/\/t\/o\/[\w.-]+/.exec(html)?.[0]}`;
    const { status } = await fetch(pixel, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/130' } });
    expect(status).toBe(200);
  };
  return { sendId, open };
}

/** A send to which everything possible happened, and whose retention is over. */
async function sendAndForget(caller: ServiceCaller) {
  const { sendId, open } = await send(caller);
  await service.deliverProviderEvents();
  await open();
  const { events, webhooks } = await caller.timeline(sendId);
  expect(events.map(({ type }) => type)).toEqual(['sent', 'delivered', 'complained', 'opened']);
  expect(webhooks).toHaveLength(4);
  await expireSend(service.table, sendId);
  return sendId;
}

const readById = (sendId: string) => fetch(`${service.url()}/api/v1/sends/${sendId}`);

describe('an expired send', () => {
  it("isn't found by its id", async () => {
    const caller = await service.newCaller();
    const sendId = await sendAndForget(caller);

    const { status } = await readById(sendId);

    expect(status).toBe(404);
  });

  it("isn't found with an API key", async () => {
    const caller = await service.newCaller({ apiKey: { scopes: ['send_email', 'read_sends'] } });
    const { sendId } = await send(caller);
    await expireSend(service.table, sendId);

    const answer = await caller.requestTimeline(sendId);

    expect(answer).toMatchObject({ status: 404, problem: { code: 'send_not_found' } });
  });

  it('leaves its idempotency key to a new send, which shows nothing of it', async () => {
    const caller = await service.newCaller();
    const forgottenId = await sendAndForget(caller);
    const fields = { to: 'ann@example.com', subject: 'Something else' };

    const anew = resultOf(await caller.send(fields, key));
    const replayed = resultOf(await caller.send(fields, key));

    expect(anew).toMatchObject({ status: 'sent', reused: false });
    expect(anew.sendId).not.toBe(forgottenId);
    expect(replayed).toEqual({ ...anew, reused: true });
    expect(await caller.timeline(anew.sendId)).toMatchObject({
      send: { subject: 'Something else', toEmail: 'ann@example.com' },
      ...onlySent(anew.messageId),
    });
    expect((await readById(forgottenId)).status).toBe(404);
  });

  it('adds nothing to the send that now has its key, by a late event or a hit', async () => {
    const caller = await service.newCaller();
    const { sendId, open } = await send(caller);
    await service.settled();
    const lateEvents = service.providerEvents.take();
    await expireSend(service.table, sendId);
    const anew = resultOf(await caller.send({}, key));

    for (const event of lateEvents) await service.providerEvents.deliver(event);
    await open();

    expect(lateEvents.map(({ eventType }) => eventType)).toEqual(['Send', 'Delivery', 'Complaint']);
    expect(await caller.timeline(anew.sendId)).toMatchObject({
      send: { status: 'sent' },
      ...onlySent(anew.messageId),
    });
  });

  it('still suppresses an address that complains about it', async () => {
    const caller = await service.newCaller();
    const { sendId } = await send(caller);
    await expireSend(service.table, sendId);

    await service.deliverProviderEvents();
    const next = resultOf(await caller.send({ to }));

    expect(next).toMatchObject({
      status: 'suppressed',
      suppressedRecipients: [{ email: to, reason: 'complaint' }],
    });
  });
});

const onlySent = (messageId: string | undefined) => ({
  messages: [{ providerMessageId: messageId }],
  events: [{ type: 'sent', providerMessageId: messageId }],
  webhooks: [{ type: 'email.sent' }],
});
