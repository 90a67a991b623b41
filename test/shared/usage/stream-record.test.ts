import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '#shared/events/event';
import { contactKey, organizationKey, usageKey } from '#shared/table/keys';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { readStreamRecord } from '#shared/usage/stream-record';
import {
  buildEventRecord,
  buildSentRecord,
  recordedAt,
  type StreamRecord,
} from '../../support/stream-record-builder.ts';

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

describe('a send that becomes sent', () => {
  it('counts as one send in the month it was sent', () => {
    const reading = readStreamRecord(buildSentRecord(facts));

    expect(reading).toEqual({
      kind: 'counts',
      entry: {
        organizationId,
        month: '2026-06',
        sequence: '7'.padStart(40, '0'),
        counts: { sends: 1, globalSends: 0, attachments: 0, attachmentBytes: 0 },
      },
    });
  });

  it('through send-global, with attachments, counts as all of that', () => {
    const record = buildSentRecord(facts, {
      endpoint: { S: 'send-global' },
      attachmentCount: { N: '3' },
      attachmentBytes: { N: '10485760' },
    });

    expect(readStreamRecord(record)).toMatchObject({
      entry: {
        counts: { sends: 1, globalSends: 1, attachments: 3, attachmentBytes: 10_485_760 },
      },
    });
  });

  it('and was written before its endpoint was stored counts as a send', () => {
    const { dynamodb } = buildSentRecord(facts);
    const { endpoint: _endpoint, ...NewImage } = dynamodb.NewImage ?? {};

    const reading = readStreamRecord(withImages({ dynamodb }, { NewImage }));

    expect(reading).toMatchObject({ entry: { counts: { sends: 1, globalSends: 0 } } });
  });

  it('counts as well when it is stored as sent at once', () => {
    const { OldImage: _old, ...dynamodb } = buildSentRecord(facts).dynamodb;

    expect(readStreamRecord({ dynamodb })).toMatchObject({ entry: { counts: { sends: 1 } } });
  });

  it.each([
    { what: 'was sent before', OldImage: { status: { S: 'sent' } } },
    { what: 'becomes suppressed', NewImage: { status: { S: 'suppressed' } } },
    { what: 'fails after it was sent', NewImage: { status: { S: 'failed' } } },
  ])('counts nothing when it $what', ({ what: _what, ...images }) => {
    expect(readStreamRecord(withImages(buildSentRecord(facts), images))).toEqual(countsNothing);
  });

  it('counts nothing when it is deleted', () => {
    const { NewImage, ...dynamodb } = buildSentRecord(facts).dynamodb;

    const reading = readStreamRecord({ dynamodb: { ...dynamodb, OldImage: NewImage } });

    expect(reading).toEqual(countsNothing);
  });
});

describe('an event', () => {
  it.each(eventTypes)('%s counts as such, in the month it happened', (type) => {
    const at = Date.UTC(2027, 0, 1) - 1;

    const reading = readStreamRecord(buildEventRecord(type, { ...facts, at }));

    expect(reading).toMatchObject({ entry: { month: '2026-12', counts: { [type]: 1 } } });
  });

  it('that is counted up counts no second time', () => {
    const { dynamodb } = buildEventRecord('opened', facts);
    const OldImage = { ...dynamodb.NewImage, hits: { N: '1' } };

    const reading = readStreamRecord(withImages({ dynamodb }, { OldImage }));

    expect(reading).toEqual(countsNothing);
  });
});

describe('any other item', () => {
  it.each([
    organizationKey(organizationId),
    contactKey(contactIdOf(organizationId, 'ann@example.com')),
    usageKey(organizationId, '2026-06', 'shardId-1'),
  ])('counts nothing: $sk', ({ pk, sk }) => {
    const Keys = { pk: { S: pk }, sk: { S: sk } };
    const NewImage = { ...Keys, status: { S: 'sent' }, updatedAt: { N: `${recordedAt}` } };

    const reading = readStreamRecord({ dynamodb: { SequenceNumber: '7', Keys, NewImage } });

    expect(reading).toEqual(countsNothing);
  });
});

describe('a record that cannot be read', () => {
  const sequence = '7'.padStart(40, '0');
  const sent = buildSentRecord(facts);
  const event = buildEventRecord('opened', facts);

  it.each([
    { fault: 'a send without a time', record: withAttribute(sent, 'updatedAt', undefined) },
    { fault: 'a time that is none', record: withAttribute(sent, 'updatedAt', { N: 'NaN' }) },
    { fault: 'a time past the calendar', record: withAttribute(sent, 'updatedAt', { N: '9e15' }) },
    { fault: 'a time before it', record: withAttribute(event, 'ts', { N: '-1' }) },
    { fault: 'an unknown endpoint', record: withAttribute(sent, 'endpoint', { S: 'other' }) },
    { fault: 'half a byte', record: withAttribute(sent, 'attachmentBytes', { N: '0.5' }) },
    { fault: 'an unknown event', record: withAttribute(event, 'type', { S: 'read' }) },
    {
      fault: "a partition that is no organization's",
      record: withImages(sent, { Keys: { pk: { S: 'ORG#acme' }, sk: { S: 'SEND' } } }),
    },
  ])('is told with its sequence: $fault', ({ record }) => {
    expect(readStreamRecord(record)).toEqual({ kind: 'unreadable', sequence });
  });

  it('is told, whatever it is, and never thrown', () => {
    fc.assert(
      fc.property(fc.anything(), (record) => {
        expect(readStreamRecord(record)).toEqual({ kind: 'unreadable', sequence: undefined });
      }),
    );
  });
});

describe('the sequence', () => {
  it('is in the order of the numbers, up to the forty digits they may have', () => {
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
