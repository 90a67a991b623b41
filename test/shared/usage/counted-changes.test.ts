import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '#shared/events/event';
import { deliveryKey } from '#shared/table/delivery-keys';
import { contactKey, organizationKey, usageKey } from '#shared/table/keys';
import {
  apiKeyOwnPart,
  contactIdOf,
  newApiKeyId,
  newOrganizationId,
} from '#shared/tokens/resource-id';
import { readStreamRecord } from '#shared/usage/counted-changes';
import { sumUsage } from '#shared/usage/usage-counts';
import {
  buildEventRecord,
  buildHardenedRecord,
  buildMessageRecord,
  buildSentRecord,
  buildUnsentRecord,
  recordedAt,
  type StreamRecord,
} from '../../support/counted-changes-builder.ts';
import { buildDelivery } from '../webhooks/webhook-builder.ts';

const organizationId = newOrganizationId();
const facts = { organizationId, sequence: 7 };

const countsNothing = { kind: 'counts nothing' };

const withImages = (
  { dynamodb }: StreamRecord,
  change: Partial<StreamRecord['dynamodb']>,
): unknown => ({ dynamodb: { ...dynamodb, ...change } });

const withAttribute = ({ dynamodb }: StreamRecord, name: string, value: unknown): unknown => ({
  dynamodb: { ...dynamodb, NewImage: { ...dynamodb.NewImage, [name]: value } },
});

describe("a send that SES didn't take", () => {
  const failures = (count: number) => ({
    attempts: { L: Array.from({ length: count }, () => ({ S: 'Rejected' })) },
  });

  it.each([
    ['stored as suppressed', buildUnsentRecord(facts, 'suppressed')],
    ['that failed', buildUnsentRecord(facts, 'failed', 'sending', failures(1))],
    ['that was canceled', buildUnsentRecord(facts, 'canceled', 'scheduled')],
    ['that was suppressed when it was due', buildUnsentRecord(facts, 'suppressed', 'sending')],
  ])('counts once as stored: %s', (_what, record) => {
    expect(readStreamRecord(record)).toMatchObject({
      kind: 'counts',
      entry: { organizationId, at: recordedAt, counts: { unsent: 1 } },
    });
  });

  it.each([
    ['failed again', buildUnsentRecord(facts, 'failed', 'sending', failures(2))],
    ['was freed as failed', buildUnsentRecord(facts, 'failed', 'failed', failures(1))],
    [
      'was rejected after SES had taken it',
      buildUnsentRecord(facts, 'failed', 'sent', failures(1)),
    ],
    ['was a test', buildUnsentRecord(facts, 'suppressed', undefined, { test: { BOOL: true } })],
  ])('counts nothing when it %s', (_what, record) => {
    expect(readStreamRecord(record)).toEqual(countsNothing);
  });
});

describe('a send that becomes sent', () => {
  it('counts as one send and its sent event, at the time it was sent', () => {
    const reading = readStreamRecord(buildSentRecord(facts));

    expect(reading).toEqual({
      kind: 'counts',
      entry: {
        organizationId,
        at: recordedAt,
        sequence: '7'.padStart(40, '0'),
        counts: {
          sends: 1,
          sent: 1,
          recipients: 1,
          globalSends: 0,
          attachments: 0,
          attachmentBytes: 0,
        },
      },
    });
  });

  it('names the key that made it, where it has one', () => {
    const apiKeyId = newApiKeyId(organizationId);

    const reading = readStreamRecord(
      buildSentRecord(facts, { apiKey: { S: apiKeyOwnPart(apiKeyId) } }),
    );

    expect(reading).toMatchObject({ entry: { apiKeyId } });
  });

  it('is unreadable when it names an invalid key', () => {
    const reading = readStreamRecord(buildSentRecord(facts, { apiKey: { S: 'someone' } }));

    expect(reading.kind).toBe('unreadable');
  });

  it('through send-global, with attachments, counts each of these', () => {
    const record = buildSentRecord(facts, {
      endpoint: { S: 'send-global' },
      attachmentCount: { N: '3' },
      attachmentBytes: { N: '10485760' },
    });

    expect(readStreamRecord(record)).toMatchObject({
      entry: {
        counts: {
          sends: 1,
          sent: 1,
          globalSends: 1,
          attachments: 3,
          attachmentBytes: 10_485_760,
        },
      },
    });
  });

  it('counts everyone who got it, and nobody who was left out', () => {
    const list = (count: number) => ({ L: Array.from({ length: count }, () => ({ S: 'a' })) });
    const { dynamodb } = buildSentRecord(facts);
    const addressed = {
      ...{ moreTo: list(4), cc: list(3), bcc: list(40) },
      suppressedRecipients: list(2),
    };

    const reading = readStreamRecord({
      dynamodb: { ...dynamodb, NewImage: { ...dynamodb.NewImage, ...addressed } },
    });

    expect(reading).toMatchObject({ entry: { counts: { sends: 1, recipients: 46 } } });
  });

  it('counts even when it is stored as sent at once', () => {
    const { OldImage: _old, ...dynamodb } = buildSentRecord(facts).dynamodb;

    expect(readStreamRecord({ dynamodb })).toMatchObject({ entry: { counts: { sends: 1 } } });
  });

  const { OldImage: claimed = {}, NewImage: sent = {} } = buildSentRecord(facts).dynamodb;
  const failed = { ...sent, status: { S: 'failed' } };

  it.each([
    { what: 'is changed otherwise', OldImage: sent },
    { what: 'becomes suppressed', NewImage: { ...claimed, status: { S: 'suppressed' } } },
    { what: 'is rejected after it was sent', OldImage: sent, NewImage: failed },
    { what: 'is found failed, whatever message it has', NewImage: failed },
    { what: 'fails without a message', NewImage: { ...claimed, status: { S: 'failed' } } },
    { what: 'is proven to be out by an open', NewImage: { ...claimed, provenAt: { N: '1' } } },
    { what: 'makes its next attempt', OldImage: failed, NewImage: claimed },
    { what: 'is claimed anew after it expired', OldImage: sent, NewImage: claimed },
  ])('counts nothing when it $what', ({ what: _what, ...images }) => {
    expect(readStreamRecord(withImages(buildSentRecord(facts), images))).toEqual(countsNothing);
  });

  it('counts nothing when it is deleted', () => {
    const { NewImage, ...dynamodb } = buildSentRecord(facts).dynamodb;

    const reading = readStreamRecord({ dynamodb: { ...dynamodb, OldImage: NewImage } });

    expect(reading).toEqual(countsNothing);
  });
});

describe("a send's event", () => {
  const { NewImage: sent = {} } = buildSentRecord(facts).dynamodb;
  const n = (at: number) => ({ N: `${at}` });
  const delivered = { ...sent, deliveredAt: n(recordedAt + 5) };
  const seen = { ...delivered, opens: n(1), machineOpenedAt: n(recordedAt + 7) };
  const opened = { ...seen, opens: n(2), openedAt: n(recordedAt + 9) };
  const read = (OldImage: object, NewImage: object, more: object = {}) => {
    const { dynamodb } = buildSentRecord(facts);
    return readStreamRecord({ dynamodb: { ...dynamodb, OldImage, NewImage, ...more } });
  };

  it.each([
    ['its delivery', sent, delivered, { delivered: 1 }, 5],
    ['its first open', delivered, seen, { opened: 1 }, 7],
    ['an open by a person at once', delivered, opened, { opened: 1 }, 9],
  ])('counts once, at its own time: %s', (_what, before, after, counts, later) => {
    expect(read(before, after)).toMatchObject({ entry: { at: recordedAt + later, counts } });
  });

  const next = { ...opened, status: { S: 'sending' } };

  it.each([
    ['a further open', seen, opened],
    ['an earlier report of the delivery', delivered, { ...delivered, deliveredAt: n(recordedAt) }],
    ['a next attempt, which keeps it', opened, next],
    ['the claim of another send in its slot', opened, sent],
    ['when its first click came', opened, { ...opened, firstClickAt: n(1) }],
  ])('counts nothing further: %s', (_what, before, after) => {
    expect(read(before, after)).toEqual(countsNothing);
  });

  it('counts nothing after the send expired', () => {
    const expiring = { ...delivered, expiresAt: n(1_000) };

    expect(read(sent, expiring, { ApproximateCreationDateTime: 1_000 })).toEqual(countsNothing);
    expect(read(sent, expiring, { ApproximateCreationDateTime: 999 }).kind).toBe('counts');
  });

  it('counts nothing for a test email', () => {
    const test = { test: { BOOL: true } };

    expect(read({ ...sent, ...test }, { ...delivered, ...test })).toEqual(countsNothing);
  });

  it('is unreadable when its time is invalid', () => {
    expect(read(sent, { ...sent, deliveredAt: { S: 'today' } }).kind).toBe('unreadable');
  });
});

describe('an event stored again by a process that was frozen for long', () => {
  const stored = ({ expiresAt, at }: { expiresAt: number; at: number }) => {
    const { dynamodb } = buildEventRecord('opened', facts);
    const NewImage = { ...dynamodb.NewImage, expiresAt: { N: `${expiresAt}` } };
    const change = { ...dynamodb, NewImage, ApproximateCreationDateTime: at };
    return readStreamRecord({ dynamodb: change });
  };

  it('counts nothing when the send had expired and was deleted before', () => {
    expect(stored({ expiresAt: 1_000, at: 1_000 })).toEqual(countsNothing);
  });

  it('counts until then', () => {
    expect(stored({ expiresAt: 1_000, at: 999.9 })).toMatchObject({
      entry: { counts: { opened: 1 } },
    });
  });
});

describe("a send's whole life", () => {
  const { Keys } = buildSentRecord(facts).dynamodb;
  const claimed = { ...Keys, endpoint: { S: 'send' }, status: { S: 'sending' } };
  const withMessage = (status: string, message: string) => ({
    ...claimed,
    status: { S: status },
    providerMessageId: { S: message },
    sentAt: { N: `${recordedAt}` },
  });
  const failed = { ...claimed, status: { S: 'failed' } };

  /** What these successive states of a send's item count. */
  const countsOf = (...states: readonly StreamRecord['dynamodb']['NewImage'][]) =>
    sumUsage(
      states.flatMap((NewImage, index) => {
        const OldImage = states[index - 1];
        const images = { ...(OldImage && { OldImage }), ...(NewImage && { NewImage }) };
        const reading = readStreamRecord({
          dynamodb: { SequenceNumber: `${index}`, Keys, ...images },
        });
        return reading.kind === 'counts' ? [reading.entry.counts] : [];
      }),
    );

  it.each([
    { what: 'a claim and its commit', states: [claimed, withMessage('sent', '1')], emails: 1 },
    {
      what: 'a Send event before its Reject',
      states: [claimed, withMessage('sent', '1'), withMessage('failed', '1')],
      emails: 1,
    },
    {
      what: 'a late message of an attempt that had failed',
      states: [claimed, failed, withMessage('sent', '1')],
      emails: 1,
    },
    {
      what: 'a next attempt after a failure without a message',
      states: [claimed, failed, claimed, withMessage('sent', '1')],
      emails: 1,
    },
    {
      what: 'a next attempt after a message that was rejected: two emails that SES accepted',
      states: [
        claimed,
        withMessage('sent', '1'),
        withMessage('failed', '1'),
        claimed,
        withMessage('sent', '2'),
      ],
      emails: 2,
    },
    {
      what: 'a late message in the place of one that was rejected',
      states: [
        claimed,
        withMessage('sent', '1'),
        withMessage('failed', '1'),
        withMessage('sent', '2'),
      ],
      emails: 2,
    },
    {
      what: 'a life that ends: the item is deleted',
      states: [claimed, withMessage('sent', '1'), undefined],
      emails: 1,
    },
    { what: 'two attempts in doubt', states: [claimed, claimed], emails: 0 },
  ])('counts each accepted email once: $what', ({ states, emails }) => {
    expect(countsOf(...states)).toMatchObject({ sends: emails, sent: emails });
  });
});

describe("a send's further message", () => {
  const record = buildMessageRecord(facts);
  const { NewImage: message = {} } = record.dynamodb;

  it('counts as one more sent event at the time it was sent, and as no send', () => {
    expect(readStreamRecord(record)).toEqual({
      kind: 'counts',
      entry: {
        organizationId,
        at: recordedAt,
        sequence: '7'.padStart(40, '0'),
        counts: { sent: 1 },
      },
    });
  });

  it('counts nothing when it is changed or deleted', () => {
    const { NewImage: _new, ...deleted } = { ...record.dynamodb, OldImage: message };
    const changed = withImages(record, { OldImage: message });

    expect(readStreamRecord(changed)).toEqual(countsNothing);
    expect(readStreamRecord({ dynamodb: deleted })).toEqual(countsNothing);
  });
});

describe('an event', () => {
  // `sent` is read from the send itself.
  it('that is a delay counts nothing, as what follows it does', () => {
    const record = buildEventRecord('delayed', {
      organizationId: newOrganizationId(),
      sequence: '1',
    });

    expect(readStreamRecord(record)).toEqual({ kind: 'counts nothing' });
  });

  it.each(eventTypes.filter((type) => type !== 'sent' && type !== 'delayed'))(
    '%s counts as such, at the time it happened',
    (type) => {
      const at = Date.UTC(2027, 0, 1) - 1;

      const reading = readStreamRecord(buildEventRecord(type, { ...facts, at }));

      expect(reading).toMatchObject({ entry: { at, counts: { [type]: 1 } } });
    },
  );

  it("that is counted up isn't counted a second time", () => {
    const { dynamodb } = buildEventRecord('opened', facts);
    const OldImage = { ...dynamodb.NewImage, hits: { N: '1' } };

    const reading = readStreamRecord(withImages({ dynamodb }, { OldImage }));

    expect(reading).toEqual(countsNothing);
  });
});

describe('a bounce', () => {
  const { dynamodb } = buildEventRecord('bounced', facts);
  const of = (...emails: readonly string[]) => ({
    ...dynamodb.NewImage,
    recipients: { L: emails.map((email) => ({ M: { email: { S: email } } })) },
  });

  it('counts its recipients beside itself', () => {
    const reading = readStreamRecord({ dynamodb: { ...dynamodb, NewImage: of('ann@…', 'bob@…') } });

    expect(reading).toMatchObject({
      entry: { counts: { bounced: 1, bouncedRecipients: 2 } },
    });
  });

  it("merged with a further recipient's bounce counts that recipient, and no second bounce", () => {
    const reading = readStreamRecord({
      dynamodb: { ...dynamodb, OldImage: of('ann@…'), NewImage: of('ann@…', 'bob@…') },
    });

    expect(reading).toMatchObject({
      kind: 'counts',
      entry: { counts: { bouncedRecipients: 1 } },
    });
    expect(reading).not.toHaveProperty('entry.counts.bounced');
  });

  const because = (reason: string) => ({ ...dynamodb.NewImage, reason: { S: reason } });

  it.each([
    ['Transient/MailboxFull', { bounced: 1, softBounced: 1, bouncedRecipients: 1 }],
    ['Permanent/General', { bounced: 1, bouncedRecipients: 1 }],
    ['provider_suppressed', { bounced: 1, bouncedRecipients: 1 }],
  ])('with the reason %s counts %o', (reason, counts) => {
    const reading = readStreamRecord({ dynamodb: { ...dynamodb, NewImage: because(reason) } });

    expect(reading).toMatchObject({ entry: { counts } });
    expect(Object.keys('entry' in reading ? reading.entry.counts : {})).toEqual(
      Object.keys(counts),
    );
  });

  it('that was soft and turns out hard no longer counts as soft, and counts once', () => {
    const reading = readStreamRecord(buildHardenedRecord(facts));

    expect(reading).toMatchObject({ entry: { counts: { softBounced: -1 } } });
    expect(reading).not.toHaveProperty('entry.counts.bounced');
  });

  it('counts nothing more when its recipient is named later, or erased', () => {
    const named = { ...dynamodb, OldImage: dynamodb.NewImage, NewImage: of('ann@…') };
    const erased = { ...dynamodb, OldImage: of('ann@…'), NewImage: dynamodb.NewImage };

    expect(readStreamRecord({ dynamodb: named })).toEqual(countsNothing);
    expect(readStreamRecord({ dynamodb: erased })).toEqual(countsNothing);
  });
});

describe('any other item', () => {
  it.each([
    organizationKey(organizationId),
    contactKey(contactIdOf(organizationId, 'ann@example.com')),
    usageKey(organizationId, '2026-06', 'shardId-1'),
    deliveryKey(buildDelivery().id),
  ])('counts nothing: $sk', ({ pk, sk }) => {
    const Keys = { pk: { S: pk }, sk: { S: sk } };
    const NewImage = { ...buildSentRecord(facts).dynamodb.NewImage, ...Keys };

    const reading = readStreamRecord({ dynamodb: { SequenceNumber: '7', Keys, NewImage } });

    expect(reading).toEqual(countsNothing);
  });
});

describe('an unreadable record', () => {
  const sequence = '7'.padStart(40, '0');
  const sent = buildSentRecord(facts);
  const event = buildEventRecord('opened', facts);
  const message = buildMessageRecord(facts);

  it.each([
    { fault: 'a send without a time', record: withAttribute(sent, 'sentAt', undefined) },
    { fault: 'a time that is none', record: withAttribute(sent, 'sentAt', { N: 'NaN' }) },
    { fault: 'a time past the calendar', record: withAttribute(sent, 'sentAt', { N: '9e15' }) },
    { fault: 'a time before it', record: withAttribute(event, 'ts', { N: '-1' }) },
    { fault: 'a message without a time', record: withAttribute(message, 'sentAt', undefined) },
    { fault: 'an unknown endpoint', record: withAttribute(sent, 'endpoint', { S: 'other' }) },
    { fault: 'half a byte', record: withAttribute(sent, 'attachmentBytes', { N: '0.5' }) },
    { fault: 'an unknown event', record: withAttribute(event, 'type', { S: 'read' }) },
    {
      fault: "a partition that is no organization's",
      record: withImages(sent, { Keys: { pk: { S: 'ORG#acme' }, sk: { S: 'SEND' } } }),
    },
  ])('is reported with its sequence: $fault', ({ record }) => {
    expect(readStreamRecord(record)).toEqual({ kind: 'unreadable', sequence });
  });

  it('is reported, whatever it contains, and never thrown', () => {
    fc.assert(
      fc.property(fc.anything(), (record) => {
        expect(readStreamRecord(record)).toEqual({ kind: 'unreadable', sequence: undefined });
      }),
    );
  });
});

describe('the sequence number', () => {
  it('is ordered numerically, up to its maximum of forty digits', () => {
    const digits = fc.integer({ min: 0, max: 9 });
    const anyNumber = fc
      .array(digits, { minLength: 1, maxLength: 40 })
      .map((all) => BigInt(all.join('')));

    fc.assert(
      fc.property(anyNumber, anyNumber, (one, other) => {
        const [first, second] = [one, other].map((sequence) => {
          const reading = readStreamRecord(
            buildSentRecord({ organizationId, sequence: `${sequence}` }),
          );
          return reading.kind === 'counts' ? reading.entry.sequence : '';
        });

        expect((first ?? '') < (second ?? '')).toBe(one < other);
      }),
    );
  });
});

describe("a test email's record", () => {
  it.each([
    ['a send', buildSentRecord(facts)],
    ['a further message', buildMessageRecord(facts)],
    ['an event', buildEventRecord('bounced', facts)],
  ])('counts nothing: %s', (_what, record) => {
    expect(readStreamRecord(record)).toMatchObject({ kind: 'counts' });
    expect(readStreamRecord(withAttribute(record, 'test', { BOOL: true }))).toEqual(countsNothing);
  });
});
