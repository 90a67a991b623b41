import { describe, expect, it } from 'vitest';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { withChecksum } from '../support/api-key-builder.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { resultOf, type ServiceCaller } from '../support/service-caller.ts';

const service = await useFaultyService();

const sends = { scopes: ['send_email'] } as const;
const sendsAndReads = { scopes: ['send_email', 'read_sends'] } as const;
const scopes = (list: { readonly scopes: readonly ('send_email' | 'read_sends')[] }) => ({
  apiKey: { scopes: [...list.scopes] },
});

describe('an id of another organization', () => {
  it('is unknown to a key, even one that may read sends', async () => {
    const owner = await service.newCaller(scopes(sendsAndReads));
    const stranger = await service.newCaller(scopes(sendsAndReads));
    const { sendId } = resultOf(await owner.send());

    const answer = await stranger.requestTimeline(sendId);
    const own = await owner.requestTimeline(sendId);

    expect(answer).toMatchObject({ status: 404, problem: { code: 'send_not_found' } });
    expect(answer.text).not.toContain('ann@example.com');
    expect(own.status).toBe(200);
  });

  it('is unknown to a key even when the id alone would read the send', async () => {
    const owner = await service.newCaller();
    const stranger = await service.newCaller(scopes(sendsAndReads));
    const { sendId } = resultOf(await owner.send());

    const answer = await stranger.requestTimeline(sendId);

    expect(answer.status).toBe(404);
  });

  it("is unknown with its organization part replaced by the caller's own, too", async () => {
    const owner = await service.newCaller();
    const stranger = await service.newCaller(scopes(sendsAndReads));
    const { sendId } = resultOf(await owner.send());
    const ownPart = stranger.organizationId.slice('org_'.length);
    const forged = `snd_${ownPart}${sendId.slice('snd_'.length + ownPart.length)}`;

    const answer = await stranger.requestTimeline(forged);

    expect(answer.status).toBe(404);
  });

  it('reads nothing without a key when its sender’s key had scopes', async () => {
    const owner = await service.newCaller(scopes(sends));
    const { sendId } = resultOf(await owner.send());

    const answer = await fetch(`${service.url()}/api/v1/sends/${sendId}`);

    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('ann@example.com');
  });
});

describe('an id known except for its random end, which an idempotency key reveals', () => {
  const guess = async (caller: ServiceCaller) => {
    const { sendId } = resultOf(await caller.send({}, { 'idempotency-key': 'order-1' }));
    return `${sendId.slice(0, -16)}${'a'.repeat(16)}`;
  };

  it('is unknown without a key', async () => {
    const guessed = await guess(await service.newCaller());

    const answer = await fetch(`${service.url()}/api/v1/sends/${guessed}`);

    expect(answer.status).toBe(404);
  });

  it('is unknown to a key that may read sends', async () => {
    const owner = await service.newCaller(scopes(sendsAndReads));
    const guessed = await guess(owner);

    const answer = await owner.requestTimeline(guessed);

    expect(answer).toMatchObject({ status: 404, problem: { code: 'send_not_found' } });
  });
});

describe('a key of another organization', () => {
  it("doesn't become the caller's own when its organization part is replaced", async () => {
    const owner = await service.newCaller();
    const stranger = await service.newCaller();
    const [, strangerId = '', strangerSecret = ''] = stranger.apiKey.slice(0, -8).split('_');
    const ownerPart = owner.organizationId.slice('org_'.length);
    const forged = withChecksum(
      `esk_${ownerPart}${strangerId.slice(ownerPart.length)}_${strangerSecret}`,
    );

    const answer = await owner.send({}, { authorization: `Bearer ${forged}` });

    expect(answer).toMatchObject({ status: 401, problem: { code: 'invalid_api_key' } });
    expect(service.ses.count('SendEmail')).toBe(0);
  });

  it("doesn't work with the caller's own secret", async () => {
    const owner = await service.newCaller();
    const stranger = await service.newCaller();
    const [, ownerId] = owner.apiKey.split('_');
    const [, , strangerSecret] = stranger.apiKey.slice(0, -8).split('_');
    const forged = withChecksum(`esk_${ownerId}_${strangerSecret}`);

    const answer = await stranger.send({}, { authorization: `Bearer ${forged}` });

    expect(answer).toMatchObject({ status: 401, problem: { code: 'invalid_api_key' } });
    expect(service.ses.count('SendEmail')).toBe(0);
  });
});

describe('an idempotency key used by another organization', () => {
  it('is free: the same request is a separate send, and each replays its own', async () => {
    const one = await service.newCaller();
    const other = await service.newCaller();
    const key = { 'idempotency-key': 'order-1' };
    const first = resultOf(await one.send({}, key));

    const second = resultOf(await other.send({}, key));

    expect(second.reused).toBe(false);
    expect(second.sendId).not.toBe(first.sendId);
    expect(await service.inbox()).toHaveLength(2);
    expect(resultOf(await one.send({}, key))).toEqual({ ...first, reused: true });
    expect(resultOf(await other.send({}, key))).toEqual({ ...second, reused: true });
  });
});

describe('an address suppressed by another organization', () => {
  it("still gets this organization's email", async () => {
    const one = await service.newCaller();
    const other = await service.newCaller();
    const { organizationId } = other;
    const now = Date.now();
    await suppressAddress(
      service.table,
      organizationId,
      { identity: 'ann@example.com', reason: 'bounce' },
      now,
    );

    const result = resultOf(await one.send({ to: 'ann@example.com' }));

    expect(result.status).toBe('sent');
  });
});
