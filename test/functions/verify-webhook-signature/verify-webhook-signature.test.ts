import { describe, expect, it } from 'vitest';
import { newWebhookId } from '#shared/tokens/resource-id';
import { signMessage } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import {
  endpoint,
  endpoint as verifyWebhookSignature,
} from '../../../functions/verify-webhook-signature/verify-webhook-signature.ts';
import {
  buildDelivery,
  buildSecret,
  buildWebhook,
  webhookNow as now,
} from '../../shared/webhooks/webhook-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeDeliveryLogStore, fakeWebhookStore } from '../../support/webhook-stores.ts';

/** A webhook with one delivery in its log, and the reads of the log. */
function prepare(overrides: Partial<Webhook> = {}) {
  const manager = buildManager();
  const webhook = buildWebhook({ id: newWebhookId(manager.organizationId), ...overrides });
  const delivery = buildDelivery({ webhookId: webhook.id });
  let logReads = 0;
  const verification = {
    now: () => now,
    webhooks: fakeWebhookStore({ get: async () => webhook }),
    deliveryLogs: fakeDeliveryLogStore({
      findEntries: async () => {
        logReads += 1;
        return [];
      },
      getDeliveries: async () => new Map(),
    }),
  };
  const headers = signMessage(delivery.messageId, delivery.body, [webhook.secret], now);
  const verify = (body: unknown) =>
    verifyWebhookSignature.run(
      { ...manager, path: { id: webhook.id }, body: endpoint.body.parse(body) },
      verification,
    );
  return { verify, webhook, delivery, headers: { ...headers }, reads: () => logReads };
}

describe('verifyWebhookSignature', () => {
  it('confirms a valid message, by its headers or field by field, without reading the log', async () => {
    const { verify, delivery, headers, reads } = prepare();
    const payload = delivery.body;

    const byHeaders = await verify({ payload, headers });
    const byFields = await verify({
      payload,
      webhookId: headers['webhook-id'],
      timestamp: Number(headers['webhook-timestamp']),
      signature: headers['webhook-signature'],
    });

    expect(byHeaders).toEqual({ fits: true, causes: [] });
    expect(byFields).toEqual(byHeaders);
    expect(reads()).toBe(0);
  });

  it('says what is wrong and what to do, and nothing about the secret', async () => {
    const { verify, delivery, headers, webhook } = prepare({
      previousSecrets: [{ secret: buildSecret('b'), expiresAt: 0 }],
    });

    const answer = await verify({ payload: `${delivery.body}\n`, headers });

    const explanation = expect.stringContaining('line break');
    expect(answer).toEqual({ fits: false, causes: [{ code: 'trailing_newline', explanation }] });
    expect(endpoint.answers[200].body.parse(answer)).toEqual(answer);
    const text = JSON.stringify(answer);
    for (const secret of [webhook.secret, buildSecret('b')]) {
      expect(text).not.toContain(secret.slice('whsec_'.length));
    }
  });

  it('looks up the sent body when the message explains nothing', async () => {
    const { verify, headers, reads } = prepare();

    const answer = await verify({ payload: '{}', headers });

    expect(answer.causes.map(({ code }) => code)).toEqual(['unknown']);
    expect(reads()).toBe(1);
  });

  it('reports wrong header names, beside any other error', async () => {
    const { verify, delivery, headers } = prepare();
    const renamed = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`x-${name}`, value]),
    );

    const misnamed = await verify({ payload: `${delivery.body}\n`, headers: renamed });
    const foreign = await verify({ payload: delivery.body, headers: { 'x-hub-signature': 'x' } });

    expect(misnamed.causes.map(({ code }) => code)).toEqual(['header_names', 'trailing_newline']);
    expect(foreign.causes.map(({ code }) => code)).toEqual(['header_names']);
  });

  it('rejects a request with neither headers nor all three fields', async () => {
    const { verify } = prepare();

    const error = await serviceErrorOf(() => verify({ payload: '{}', webhookId: 'msg_1' }));

    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'timestamp' }] });
  });
});
