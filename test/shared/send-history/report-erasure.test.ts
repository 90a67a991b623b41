import { describe, expect, it } from 'vitest';
import { eraseFromReport } from '#shared/send-history/record-event';
import { sentEventOf } from '#shared/sending/send-webhook-event';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { createDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { buildClaim, claimNow } from '../../support/claim-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const acceptance = { providerMessageId: 'message-1', at: claimNow + 500 };

/** A send that DynamoDB has deleted, and a pending delivery about it. The process thaws when the table is read. */
async function prepare({ thawsAfterMs }: { readonly thawsAfterMs: number }) {
  const organizationId = newOrganizationId();
  const send = buildClaim({ organizationId });
  const webhooks = { [newWebhookId(organizationId)]: { eventTypes: [] } };
  let clock = claimNow + 1_000;
  let isFrozen = false;
  const { table, items } = openMemoryTable({
    intercept: async (call, run) => {
      if (isFrozen && call.operation === 'GetItem') clock += thawsAfterMs;
      return run();
    },
  });
  const owner = { parent: send.feedbackId, expiresAt: send.expiresAt };
  await createDeliveries(
    table,
    deliveriesOf(sentEventOf(send, acceptance), owner, webhooks, claimNow),
  );
  const erase = () => {
    isFrozen = true;
    const { feedbackId, toEmail } = send;
    const report = { feedbackId, ...acceptance, identities: [toEmail] };
    return eraseFromReport(table, report, () => clock);
  };
  return { erase, items, expiresMs: send.expiresAt * 1_000 - clock };
}

describe('a pending report about a deleted send', () => {
  it("isn't sent any more, and expires at once", async () => {
    const { erase, items } = await prepare({ thawsAfterMs: 0 });

    await erase();

    expect(items()).toHaveLength(1);
    expect(items()[0]).not.toHaveProperty('gsi1pk');
    expect(items()[0]).toHaveProperty('expiresAt', Math.floor(claimNow / 1_000) + 1);
  });

  it('is left alone when it expires while the process is frozen', async () => {
    const { expiresMs } = await prepare({ thawsAfterMs: 0 });
    const { erase, items } = await prepare({ thawsAfterMs: expiresMs });
    const before = items();

    await erase();

    expect(items()).toEqual(before);
  });
});
