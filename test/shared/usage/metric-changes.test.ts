import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventAttributeNames } from '#shared/sending/event-attributes';
import { newOrganizationId, newTemplateId } from '#shared/tokens/resource-id';
import { readMetricChange } from '#shared/usage/metric-changes';
import {
  buildDeliveredRecord,
  buildEventRecord,
  buildMessageRecord,
  buildSentRecord,
  buildUnsentRecord,
  recordedAt,
  type StreamRecord,
} from '../../support/counted-changes-builder.ts';

const organizationId = newOrganizationId();
const facts = { organizationId, sequence: 7 };
type Image = StreamRecord['dynamodb']['NewImage'];

/** A sent email of which this becomes known. */
function buildChange(added: Image, before: Image = {}): StreamRecord {
  const { dynamodb } = buildSentRecord(facts, { toEmail: { S: 'ann@example.com' } });
  const known = { ...dynamodb.NewImage, ...before };
  return { dynamodb: { ...dynamodb, OldImage: known, NewImage: { ...known, ...added } } };
}

const at = (moment: number) => ({ N: `${moment}` });
const figuresIn = (record: unknown) =>
  readMetricChange(record).map(({ figure, at: moment, reason }) => [figure, moment, reason]);

describe('a change of a send', () => {
  it('that SES accepted counts by its domain, key, template, tags and receiver', () => {
    const templateId = newTemplateId(organizationId);

    const entries = readMetricChange(
      buildSentRecord(facts, {
        fromEmail: { S: 'hello@News.Example.com' },
        apiKey: { S: 'abcdefghijklmnop' },
        templateId: { S: templateId },
        tags: { M: { kind: { S: 'reset' }, env: { S: 'prod' } } },
        toEmail: { S: 'ann@Example.org' },
      }),
    );

    expect(entries).toEqual([
      {
        organizationId,
        sequence: '7'.padStart(40, '0'),
        figure: 'sent',
        at: recordedAt,
        values: {
          domain: ['news.example.com'],
          key: ['abcdefghijklmnop'],
          template: [templateId.slice(-16)],
          tag: ['kind:reset', 'env:prod'],
          receiver: ['example.org'],
        },
      },
    ]);
  });

  it('that got its delivery says how long it took', () => {
    const [entry, ...others] = readMetricChange(buildDeliveredRecord(facts, { tookMs: 900 }));

    expect(entry).toMatchObject({ figure: 'delivered', at: recordedAt, tookMs: 900 });
    expect(others).toEqual([]);
  });

  it('to several domains, or to an erased person, has no receiver', () => {
    const cc = { L: [{ S: 'ben@example.org' }] };
    for (const delivered of [
      { tookMs: 1, cc },
      { tookMs: 1, toEmail: 'erased' },
    ]) {
      expect(readMetricChange(buildDeliveredRecord(facts, delivered))[0]?.values.receiver).toEqual(
        [],
      );
    }
  });

  it.each([
    [{ firstDelayAt: at(5) }, ['delivery_delayed', 5, undefined]],
    [{ firstDeliveryAt: at(5) }, ['delivered', 5, undefined]],
    [{ firstComplaintAt: at(5) }, ['complained', 5, undefined]],
    [{ opens: at(1), openedAt: at(5) }, ['unique_opened', 5, undefined]],
    [{ firstOpenAt: at(5) }, ['unique_opened', 5, undefined]],
    [{ opens: at(1), machineOpenedAt: at(5) }, ['machine_opened', 5, undefined]],
    [{ firstClickAt: at(5) }, ['unique_clicked', 5, undefined]],
    [
      { firstBounceAt: at(5), bounceReason: { S: 'no_such_mailbox' } },
      ['bounced_permanent', 5, 'no_such_mailbox'],
    ],
    [
      { firstSoftBounceAt: at(5), bounceReason: { S: 'mailbox_full' } },
      ['bounced_transient', 5, 'mailbox_full'],
    ],
    [
      {
        firstSoftBounceAt: at(5),
        bounceReason: { S: 'unknown' },
        isUndetermined: { BOOL: true },
      },
      ['bounced_undetermined', 5, 'unknown'],
    ],
    [{ firstBounceAt: at(5) }, ['bounced_permanent', 5, 'unknown']],
    [
      { firstBounceAt: at(5), bounceReason: { S: 'of a later version' } },
      ['bounced_permanent', 5, 'unknown'],
    ],
  ])('with %o counts as %o', (added, expected) => {
    expect(figuresIn(buildChange(added))).toEqual([expected]);
  });

  it('counts an email once in each figure, however often it happens', () => {
    const again = { opens: at(2), deliveredAt: at(4), firstClickAt: at(3) };
    const known = { opens: at(1), deliveredAt: at(5), firstClickAt: at(5), openedAt: at(1) };

    expect(figuresIn(buildChange(again, known))).toEqual([]);
    expect(figuresIn(buildChange({ firstOpenAt: at(2) }, { openedAt: at(1) }))).toEqual([]);
    expect(figuresIn(buildChange({ firstDeliveryAt: at(2) }, { deliveredAt: at(1) }))).toEqual([]);
  });

  it('opened by a machine, then by a person, counts in both', () => {
    const record = buildChange({ openedAt: at(9), opens: at(2) }, { machineOpenedAt: at(1) });

    expect(figuresIn(record)).toEqual([['unique_opened', 9, undefined]]);
  });

  it.each([
    ['suppressed', 'suppressed'],
    ['failed', 'failed'],
    ['canceled', undefined],
  ] as const)('that ended %s counts for the reason %s', (status, reason) => {
    expect(figuresIn(buildUnsentRecord(facts, status))).toEqual([[status, recordedAt, reason]]);
  });

  it('that SES rejected after taking it counts as failed', () => {
    expect(figuresIn(buildUnsentRecord(facts, 'failed', 'sent'))).toEqual([
      ['failed', recordedAt, 'failed'],
    ]);
  });

  it('that fails again counts nothing more', () => {
    const attempts = { L: [{ S: '1' }, { S: '2' }] };

    expect(figuresIn(buildUnsentRecord(facts, 'failed', 'sending', { attempts }))).toEqual([]);
    expect(figuresIn(buildUnsentRecord(facts, 'failed', 'failed'))).toEqual([]);
  });

  it('of a next attempt carries the events of the one before, which counted already', () => {
    const { dynamodb } = buildChange({ deliveredAt: at(5), openedAt: at(6) });
    const { OldImage: _, ...claimed } = dynamodb;

    expect(readMetricChange({ dynamodb: claimed }).map(({ figure }) => figure)).toEqual(['sent']);
  });

  it('of a test email counts nothing', () => {
    const record = buildDeliveredRecord(facts, { tookMs: 1, test: { BOOL: true } });

    expect(readMetricChange(record)).toEqual([]);
  });

  it.each([
    ['an event', buildEventRecord('bounced', facts)],
    ['a further message', buildMessageRecord(facts)],
    ['a deleted send', { dynamodb: { ...buildSentRecord(facts).dynamodb, NewImage: undefined } }],
    ['nothing legible', { dynamodb: { Keys: 1 } }],
  ])('that is %s counts nothing', (_what, record) => {
    expect(readMetricChange(record)).toEqual([]);
  });

  it('counts nothing that isn’t new, whatever the send has', () => {
    const value = fc.oneof(
      fc.nat().map((number) => ({ N: `${number}` })),
      fc.string().map((text) => ({ S: text })),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...eventAttributeNames), value), (known) => {
        expect(readMetricChange(buildChange({}, known))).toEqual([]);
      }),
    );
  });
});
