import { describe, expect, it } from 'vitest';
import { newClaim } from '#shared/sending/new-claim';
import { feedbackIdOf, serviceSlotIdOf, slotIdIn, slotIdOf } from '#shared/tokens/resource-id';
import { buildAdmission } from '../../support/admission-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { doubtWindowMs } from '../../support/send-builder.ts';
import { buildSendRequest } from '../../support/send-request-builder.ts';

const now = 1_750_000_000_000;
const settings = { doubtWindowMs, sendRetentionDays: 90 };

const claim = (admission = buildAdmission()) => newClaim('send', admission, now, settings);

describe('newClaim', () => {
  it('is the first attempt of a send, and lasts for the doubt window', () => {
    expect(claim()).toMatchObject({
      status: 'sending',
      attempt: 1,
      attempts: [],
      claimedAt: now,
      leaseExpiresAt: now + doubtWindowMs,
      createdAt: now,
      updatedAt: now,
    });
  });

  it('is in the slot of its idempotency key, under an id that the key does not tell', () => {
    const admission = buildAdmission({ request: buildSendRequest({ idempotencyKey: 'key-1' }) });

    const [one, other] = [claim(admission), claim(admission)];

    const slotId = slotIdOf(admission.organization.id, 'key-1');
    expect([slotIdIn(one.id), slotIdIn(other.id)]).toEqual([slotId, slotId]);
    expect(one.id).not.toBe(other.id);
    expect(one.feedbackId).toBe(feedbackIdOf(one.id));
  });

  it('of a test key leaves the slot of its idempotency key to real emails', () => {
    const request = buildSendRequest({ idempotencyKey: 'key-1' });
    const real = buildAdmission({ request });

    const test = claim({ ...real, isTest: true });

    expect(test).toMatchObject({ test: true });
    expect(slotIdIn(test.id)).not.toBe(slotIdIn(claim(real).id));
    expect(slotIdIn(claim({ ...real, isTest: true }).id)).toBe(slotIdIn(test.id));
  });

  it('of the service itself is in a slot that no idempotency key leads to', () => {
    const request = buildSendRequest({ idempotencyKey: 'service-notice:key_spiking' });
    const admission = buildAdmission({ request });

    const ofService = slotIdIn(claim({ ...admission, apiKey: undefined }).id);

    const { id } = admission.organization;
    expect(ofService).toBe(serviceSlotIdOf(id, 'service-notice:key_spiking'));
    expect(ofService).not.toBe(slotIdIn(claim(admission).id));
  });

  it('has a slot of its own without an idempotency key', () => {
    const admission = buildAdmission();

    const [one, other] = [claim(admission), claim(admission)];

    expect(slotIdIn(one.id)).not.toBe(slotIdIn(other.id));
  });

  it('knows itself by a claim id of its own', () => {
    const admission = buildAdmission({ request: buildSendRequest({ idempotencyKey: 'key-1' }) });

    expect(claim(admission).claimId).not.toBe(claim(admission).claimId);
  });

  it.each([
    ['as long as the deployment keeps sends', undefined, 90],
    ['for fewer days when the organization says so', 7, 7],
    ['no longer than the deployment, whatever the organization says', 365, 90],
  ])('is remembered %s', (_what, ownDays, days) => {
    const organization = buildOrganization(
      ownDays === undefined ? {} : { sendRetentionDays: ownDays },
    );

    const { expiresAt } = claim(buildAdmission({ organization }));

    expect(expiresAt).toBe(now / 1000 + days * 86_400);
  });

  it('is complete when the `to` address is suppressed', () => {
    const suppressed = [{ email: 'ann@example.com', reason: 'bounce' }];
    const { recipients, ...admission } = buildAdmission();

    const send = claim({
      ...admission,
      recipients: { ...recipients, suppressed, isToSuppressed: true },
    });

    expect(send).toMatchObject({ status: 'suppressed', suppressedRecipients: suppressed });
  });

  it('names attachments and missing variables only when there are some', () => {
    const send = claim();

    expect(send).not.toHaveProperty('attachmentCount');
    expect(send).not.toHaveProperty('attachmentBytes');
    expect(send).not.toHaveProperty('templateId');
    expect(send).not.toHaveProperty('missingVariables');
  });
});
