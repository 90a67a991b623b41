import { describe, expect, it } from 'vitest';
import { recipientsOf, withoutRecipients } from '#shared/sending/later/without-recipients';

const body = {
  to: ['ann@example.com', 'Ben <BEN@example.com>'],
  cc: 'ben@example.com',
  bcc: ['joben@example.com'],
  replyTo: ['Ben <ben@example.com>', 'office@example.com'],
  from: 'ben@example.com',
  idempotencyKey: 'for-ben@example.com',
  subject: 'Ben@example.com joins',
  metadata: { 'ben@example.com': [{ who: 'ben@example.com' }] },
  attachments: [{ filename: 'a.txt', contentBase64: 'aGVsbG8=' }],
};

describe('a waiting request', () => {
  it('lists its recipients, each by its identity', () => {
    expect(recipientsOf(body)).toEqual([
      ...['ann@example.com', 'ben@example.com', 'ben@example.com', 'joben@example.com'],
    ]);
    expect(recipientsOf('no request')).toEqual([]);
  });

  it('removes a person from lists and texts, drops its key, and is otherwise unchanged', () => {
    expect(withoutRecipients(body, ['ben@example.com'])).toEqual({
      to: ['ann@example.com'],
      bcc: ['joben@example.com'],
      replyTo: ['office@example.com'],
      from: 'ben@example.com',
      subject: 'erased joins',
      metadata: { erased: [{ who: 'erased' }] },
      attachments: body.attachments,
    });
  });

  it('doesn’t change when the removal is repeated', () => {
    const once = withoutRecipients(body, ['ben@example.com']);

    expect(withoutRecipients(once, ['ben@example.com'])).toEqual(once);
  });
});
