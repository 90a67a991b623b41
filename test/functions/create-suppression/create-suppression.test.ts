import { describe, expect, it } from 'vitest';
import { contactIdOf, newWebhookId } from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import { endpoint } from '../../../functions/create-suppression/create-suppression.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { storedAmong } from '../../support/stored-delivery.ts';
import {
  openSuppressionAccount,
  type SuppressionAccount,
} from '../../support/suppression-account.ts';

const run = (account: SuppressionAccount) => {
  const body = endpoint.body.parse({
    email: 'Ann <Ann@example.com>',
    diagnostic: 'asked by phone',
  });
  return endpoint.run({ ...account, body }, account);
};

describe('createSuppression', () => {
  it('suppresses the address manually, audits who did it, and returns what is stored', async () => {
    const account = await openSuppressionAccount();
    const { organizationId, apiKey, now } = account;

    const answer = await run(account);

    const contactId = contactIdOf(organizationId, 'ann@example.com');
    const manual = { reason: 'manual', at: now(), diagnostic: 'asked by phone' };
    expect(answer).toEqual({ email: 'ann@example.com', contactId, ...manual });
    expect(await account.suppressionsOf()).toEqual([expect.objectContaining(manual)]);
    expect(await account.audit()).toMatchObject([
      {
        actor: apiKey.id,
        action: 'suppression.created',
        target: contactId,
        after: { reason: 'manual' },
      },
    ]);
  });

  it('changes nothing about an address that is already suppressed by hand', async () => {
    const account = await openSuppressionAccount();
    await run(account);
    const before = account.items();
    account.clock.at += 1_000;

    const answer = await run(account);

    expect(answer.at).toBe(account.now() - 1_000);
    expect(account.items()).toEqual(before);
  });

  it('wakes the queue once the report to webhooks is stored', async () => {
    const account = await openSuppressionAccount();
    const { table, organizationId, caller } = account;
    const webhooks = { [newWebhookId(organizationId)]: { eventTypes: [] } };
    const subscribed = { ...caller.subscribed, webhooks };
    const woken: unknown[] = [];
    const wakeQueue = async (deliveries: readonly DeliveryReference[]) => {
      woken.push(...(await storedAmong(table, deliveries)));
    };

    await run({ ...account, caller: { ...caller, subscribed }, wakeQueue });

    expect(woken).toMatchObject([{ type: 'suppression.added' }]);
  });

  it('returns concurrent_change when another request lifts the suppression before it is read', async () => {
    const account = await openSuppressionAccount();
    const wakeQueue = async () => {
      await account.liftElsewhere('manual');
    };

    const error = await serviceErrorOf(() => run({ ...account, wakeQueue }));

    expect(error.code).toBe('concurrent_change');
  });
});
