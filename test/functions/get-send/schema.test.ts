import { describe, expect, it } from 'vitest';
import { responseSchema } from '../../../functions/get-send/schema.ts';
import { buildSend } from '../../support/send-builder.ts';

describe('the response', () => {
  it("has the contract's fields of a send", () => {
    const send = buildSend({ status: 'sent', idempotencyKey: 'key-1' });

    const response = responseSchema.parse({
      send: { ...send, _id: send.id },
      messages: [],
      events: [],
      webhooks: [],
    });

    expect(response.send).toMatchObject({
      _id: send.id,
      toEmail: 'ann@example.com',
      subject: 'Your receipt',
      status: 'sent',
      idempotencyKey: 'key-1',
      createdAt: send.createdAt,
      updatedAt: send.updatedAt,
    });
  });

  it('shows nothing of keys and indexes', () => {
    const send = { ...buildSend(), pk: 'ORG#1', sk: 'SEND', gsi2pk: 'ORG#1', gsi2sk: '1' };

    const response = responseSchema.parse({
      send: { ...send, _id: send.id },
      messages: [],
      events: [{ type: 'sent', ts: 1, pk: 'ORG#1', sk: 'EVENT#sent' }],
      webhooks: [],
    });

    expect(JSON.stringify(response)).not.toContain('ORG#1');
    expect(Object.keys(response.send)).not.toContain('isReadableById');
  });
});
