import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, type ServiceCaller } from '../support/service-caller.ts';

const service = await useFaultyService();

const suppress = ({ organizationId }: ServiceCaller, identity: string, reason: SuppressionReason) =>
  suppressAddress(service.table, organizationId, { identity, reason }, Date.now());

describe('an address that bounced', () => {
  it('gets no more email from the very next send on', async () => {
    const caller = await service.newCaller();
    const bounced = resultOf(await caller.send({ to: 'bounce@simulator.amazonses.com' }));
    await service.deliverProviderEvents();
    service.ses.clear();

    const next = resultOf(await caller.send({ to: 'Bounce@Simulator.AmazonSES.com' }));

    expect(bounced.status).toBe('sent');
    expect(next).toMatchObject({
      status: 'suppressed',
      suppressedRecipients: [{ reason: 'bounce' }],
    });
    expect(next.messageId).toBeUndefined();
    expect(service.ses.count('SendEmail')).toBe(0);
    expect(await caller.timeline(next.sendId)).toMatchObject({
      send: { status: 'suppressed', suppressedRecipients: [{ reason: 'bounce' }] },
      messages: [],
      events: [],
    });
  });

  it('completes the idempotency key of a send to it', async () => {
    const caller = await service.newCaller();
    await suppress(caller, 'ann@example.com', 'bounce');
    const key = { 'idempotency-key': 'order-1' };
    const first = resultOf(await caller.send({ to: 'ann@example.com' }, key));

    const second = resultOf(await caller.send({ to: 'ann@example.com' }, key));

    expect(first).toMatchObject({ status: 'suppressed', reused: false });
    expect(second).toEqual({ ...first, reused: true });
  });
});

describe('an address with a soft bounce', () => {
  it('gets the next email', async () => {
    const caller = await service.newCaller();
    const { sendId } = resultOf(await caller.send({ to: 'ooto@simulator.amazonses.com' }));
    await service.deliverProviderEvents();

    const next = resultOf(await caller.send({ to: 'ooto@simulator.amazonses.com' }));

    expect((await caller.timeline(sendId)).events).toContainEqual(
      expect.objectContaining({ type: 'bounced', reason: 'Transient/General' }),
    );
    expect(next.status).toBe('sent');
  });
});

describe('an address that complained', () => {
  it('gets no more email from the very next send on', async () => {
    const caller = await service.newCaller();
    await caller.send({ to: 'complaint@simulator.amazonses.com' });
    await service.deliverProviderEvents();
    service.ses.clear();

    const next = resultOf(await caller.send({ to: 'complaint@simulator.amazonses.com' }));

    expect(next).toMatchObject({
      status: 'suppressed',
      suppressedRecipients: [{ reason: 'complaint' }],
    });
    expect(service.ses.count('SendEmail')).toBe(0);
  });
});

describe('an address that unsubscribed', () => {
  it('still gets transactional email and no bulk email', async () => {
    const caller = await service.newCaller();
    await suppress(caller, 'ann@example.com', 'unsubscribe');

    const byDefault = resultOf(await caller.send({ to: 'ann@example.com' }));
    const bulk = resultOf(await caller.send({ to: 'ann@example.com', policyKey: 'bulk' }));

    expect(byDefault.status).toBe('sent');
    expect(bulk).toMatchObject({
      status: 'suppressed',
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'unsubscribe' }],
    });
    expect(await service.inbox()).toMatchObject([{ messageId: byDefault.messageId }]);
  });
});

describe('suppressed addresses in cc and bcc', () => {
  it('are left out of the email and named in response and timeline', async () => {
    const caller = await service.newCaller();
    await suppress(caller, 'ben@example.com', 'bounce');
    await suppress(caller, 'dan@example.com', 'complaint');

    const result = resultOf(
      await caller.send({
        to: 'ann@example.com',
        cc: ['ben@example.com', 'cleo@example.com'],
        bcc: ['dan@example.com', 'eve@example.com'],
      }),
    );

    const left = [
      { email: 'ben@example.com', reason: 'bounce' },
      { email: 'dan@example.com', reason: 'complaint' },
    ];
    expect(result).toMatchObject({ status: 'sent', suppressedRecipients: left });
    expect(await service.inbox()).toMatchObject([
      {
        destination: {
          to: ['ann@example.com'],
          cc: ['cleo@example.com'],
          bcc: ['eve@example.com'],
        },
      },
    ]);
    const { send } = await caller.timeline(result.sendId);
    expect(send.suppressedRecipients).toEqual(left);
  });
});
