import { describe, expect, it } from 'vitest';
import { verdictOf } from '#shared/send-history/verdict';
import { endpoint } from '../../../functions/get-send/get-send.ts';
import { buildClaim } from '../../support/claim-builder.ts';

const outcome = { outcome: 'sent', outcomeAt: 1 };
const parse = (send: object, events: readonly object[] = []) =>
  endpoint.answers[200].body.parse({
    send: { ...outcome, ...send },
    verdict: verdictOf({ outcome: 'sent' }),
    recipients: [],
    messages: [],
    events,
    webhooks: [],
  });

describe('the response', () => {
  it('has the documented fields of a send', () => {
    const send = buildClaim({ status: 'sent' });

    const response = parse({ ...send, _id: send.id });

    expect(response.send).toMatchObject({
      _id: send.id,
      toEmail: 'ann@example.com',
      subject: 'Your receipt',
      status: 'sent',
      idempotencyKey: 'key-1',
      feedbackId: send.feedbackId,
      createdAt: send.createdAt,
      updatedAt: send.updatedAt,
    });
  });

  it('has the failed attempts', () => {
    const attempts = [{ attempt: 1, at: 1_000, reason: 'Throttled' }];
    const send = buildClaim({ attempt: 2, attempts });

    const response = parse({ ...send, _id: send.id });

    expect(response.send.attempts).toEqual(attempts);
  });

  it('shows no keys and indexes', () => {
    const keys = { pk: 'ORG#1', sk: 'SEND', gsi2pk: 'ORG#1', gsi2sk: '1' };
    const send = { ...buildClaim(), ...keys };

    const response = parse({ ...send, _id: send.id }, [
      { type: 'sent', ts: 1, pk: 'ORG#1', sk: 'EVENT#sent' },
    ]);

    expect(JSON.stringify(response)).not.toContain('ORG#1');
  });

  it('shows nothing about claims', () => {
    const send = buildClaim({
      status: 'failed',
      provenAt: 1_000,
      deliveredAt: 1_000,
      opens: 1,
      doubtUntil: 1_000,
      providerMessageId: 'message-1',
    });

    const response = parse({ ...send, _id: send.id });

    const shown = Object.keys(response.send);
    const hidden = Object.keys(send).filter((name) => !shown.includes(name));
    expect(hidden.toSorted()).toEqual([
      'attempt',
      'claimId',
      'claimedAt',
      'deliveredAt',
      'doubtUntil',
      'expiresAt',
      'fingerprint',
      'id',
      'isReadableById',
      'leaseExpiresAt',
      'moreTo',
      'opens',
      'provenAt',
      'providerMessageId',
    ]);
  });
});
