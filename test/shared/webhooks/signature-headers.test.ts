import { describe, expect, it } from 'vitest';
import { withoutAddressInJson } from '#shared/contacts/erased-address';
import { resendMessage } from '#shared/webhook-deliveries/resend-message';
import { formatOf, readSignatureHeaders } from '#shared/webhooks/signature-headers';
import { buildEmailEvent } from '../../support/delivery-builder.ts';

const values = { webhookId: 'msg_1', timestamp: '1', signature: 'v1,AA' };

describe('the headers of a message', () => {
  it.each([
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    ['Webhook-Id', 'WEBHOOK-TIMESTAMP', 'Webhook-Signature'],
  ])('are read in any case: %s', (id, timestamp, signature) => {
    const headers = { [id]: 'msg_1', [timestamp]: '1', [signature]: 'v1,AA', host: 'example.com' };

    expect(readSignatureHeaders(headers)).toEqual({ ...values, isMisnamed: false });
  });

  it.each([
    ['HTTP_WEBHOOK_ID', 'HTTP_WEBHOOK_TIMESTAMP', 'HTTP_WEBHOOK_SIGNATURE'],
    ['webhook_id', 'webhook_timestamp', 'webhook_signature'],
    ['x-webhook-id', 'x-webhook-timestamp', 'x-webhook-signature'],
    ['svix-id', 'svix-timestamp', 'svix-signature'],
  ])('are read, and said to be misnamed: %s', (id, timestamp, signature) => {
    const headers = { [id]: 'msg_1', [timestamp]: '1', [signature]: 'v1,AA' };

    expect(readSignatureHeaders(headers)).toEqual({ ...values, isMisnamed: true });
  });

  it('say nothing when they are of something else', () => {
    expect(readSignatureHeaders({ 'x-hub-signature-256': 'sha256=00' })).toEqual({
      isMisnamed: false,
    });
  });
});

it('knows a message in Resend’s form after an erasure', () => {
  const body = resendMessage(buildEmailEvent()) ?? '';

  const erased = withoutAddressInJson(body, 'ann@example.com');

  expect(erased).not.toContain('ann@');
  expect(formatOf(erased)).toBe('resend');
});
