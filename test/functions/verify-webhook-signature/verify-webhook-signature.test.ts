import { describe, expect, it } from 'vitest';
import { signMessage } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import {
  endpoint,
  endpoint as verifyWebhookSignature,
} from '../../../functions/verify-webhook-signature/verify-webhook-signature.ts';
import { buildSecret, webhookNow as now } from '../../shared/webhooks/webhook-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { storeDelivery } from '../../support/stored-delivery.ts';
import { surroundings } from '../../support/surroundings.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';

/** A webhook with one delivery in its log. */
async function prepare(overrides: Partial<Webhook> = {}) {
  const account = await openWebhookAccount(overrides);
  const { caller, webhook, table } = account;
  const delivery = await storeDelivery(table, { webhookId: webhook.id });
  const headers = signMessage(delivery.messageId, delivery.body, [webhook.secret], now);
  const verify = (body: unknown) =>
    verifyWebhookSignature.run(
      { ...surroundings, caller, path: { id: webhook.id }, body: endpoint.body.parse(body) },
      account,
    );
  return { verify, webhook, delivery, headers: { ...headers }, callsOf: account.callsOf };
}

describe('verifyWebhookSignature', () => {
  it('confirms a valid message, by its headers or field by field, without reading the log', async () => {
    const { verify, delivery, headers, callsOf } = await prepare();
    const payload = delivery.body;

    const fields = {
      webhookId: headers['webhook-id'],
      timestamp: Number(headers['webhook-timestamp']),
      signature: headers['webhook-signature'],
    };

    const calls = await callsOf(async () => {
      expect(await verify({ payload, headers })).toEqual({ fits: true, causes: [] });
      expect(await verify({ payload, ...fields })).toEqual({ fits: true, causes: [] });
    });

    expect(calls).not.toContain('Query');
  });

  it('says what is wrong and what to do, and nothing about the secret', async () => {
    const { verify, delivery, headers, webhook } = await prepare({
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

  it('looks up the sent body when the message alone explains nothing', async () => {
    const { verify, headers } = await prepare();
    const unlike = { ...headers, 'webhook-id': 'msg_unlike_any_in_the_log' };

    const sent = await verify({ payload: '{}', headers });
    const unsent = await verify({ payload: '{}', headers: unlike });

    expect(sent.causes.map(({ code }) => code)).toEqual(['body_changed']);
    expect(unsent.causes.map(({ code }) => code)).toEqual(['unknown']);
  });

  it('reports wrong header names, beside any other error', async () => {
    const { verify, delivery, headers } = await prepare();
    const renamed = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`x-${name}`, value]),
    );

    const misnamed = await verify({ payload: `${delivery.body}\n`, headers: renamed });
    const foreign = await verify({ payload: delivery.body, headers: { 'x-hub-signature': 'x' } });

    expect(misnamed.causes.map(({ code }) => code)).toEqual(['header_names', 'trailing_newline']);
    expect(foreign.causes.map(({ code }) => code)).toEqual(['header_names']);
  });

  it('rejects a request with neither headers nor all three fields', async () => {
    const { verify } = await prepare();

    const error = await serviceErrorOf(() => verify({ payload: '{}', webhookId: 'msg_1' }));

    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'timestamp' }] });
  });
});
