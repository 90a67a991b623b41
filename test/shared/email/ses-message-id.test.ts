import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creationOf, providerMessageIdIn, tellsCreation } from '#shared/email/ses-message-id';
import { sesMessageId } from '../../support/ses-event-builder.ts';

describe("the time in SES's message id", () => {
  it("is as in the example of AWS's documents", () => {
    const id = '00000137860315fd-34208509-5b74-41f3-95c5-22c1edc3c924-000000';
    const timestamp = '2012-05-25T14:59:38.237-07:00';

    expect(creationOf(id)?.until).toBe(Date.parse(timestamp) + 1_000);
  });

  it('leads to every send that it is said to lead to, and to a window of six seconds', () => {
    const times = fc.integer({ min: 1e12, max: 2e12 });
    fc.assert(
      fc.property(times, fc.integer({ min: -10_000, max: 10_000 }), (time, apart) => {
        const creation = creationOf(sesMessageId(time));
        const createdAt = time + apart;
        const isInside =
          creation !== undefined && createdAt >= creation.since && createdAt < creation.until;

        expect(tellsCreation(sesMessageId(time), createdAt)).toBe(isInside);
        expect(isInside).toBe(apart >= -5_000 && apart < 1_000);
      }),
      { examples: [-5_001, -5_000, 999, 1_000].map((apart) => [1e12, apart]) },
    );
  });

  it.each([
    'test-3ceb88f6-90d1-4ac9-b0e7-00d9a2cbc3fb',
    '3ceb88f6-90d1-4ac9-b0e7-00d9a2cbc3fb',
    'EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000',
    '010001729000efde',
    '',
  ])('is not in %j', (id) => {
    expect(creationOf(id)).toBeUndefined();
    expect(tellsCreation(id, 1_591_553_690_718)).toBe(false);
  });
});

describe('a message id in a text', () => {
  const id = '010001729000efde-3ceb88f6-90d1-4ac9-b0e7-00d9a2cbc3fb-000000';

  it.each([id, `<${id}@email.amazonses.com>`, `${id}@eu-west-1.amazonses.com`])('%s', (text) => {
    expect(providerMessageIdIn(text)).toBe(id);
  });

  it.each(['ann@example.com', 'a b', '', 'x'.repeat(256)])('is none in %j', (text) => {
    expect(providerMessageIdIn(text)).toBeUndefined();
  });
});
