import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { readStreamRecord } from '#shared/usage/counted-changes';
import {
  type FilterPattern,
  type FilterTest,
  usageStream,
} from '../../../../infra/constructs/pipelines/table-stream-settings.ts';
import { passesFilter } from '../../../../infra/local/dynamodb/stream-filter.ts';
import { anyEntry } from '../../../support/audit-entry-builder.ts';
import {
  buildAuditRecord,
  buildEventRecord,
  buildMessageRecord,
  buildQuotaRecord,
  buildSentRecord,
  recordedAt,
} from '../../../support/counted-changes-builder.ts';

describe('a filter', () => {
  const record = { dynamodb: { Keys: { sk: { S: 'EVENT#sent' } }, NewImage: { n: { N: '1' } } } };
  const keysLike = (test: FilterTest): FilterPattern => ({
    dynamodb: { Keys: { sk: { S: [test] } } },
  });
  const oldImageLike = (test: FilterTest): FilterPattern => ({
    dynamodb: { OldImage: { sk: { S: [test] } } },
  });

  const sentAndOther: FilterPattern = {
    dynamodb: { NewImage: { n: { N: ['1'] } }, Keys: { sk: { S: ['SEND'] } } },
  };

  it.each<{ pattern: FilterPattern; passes: boolean }>([
    { pattern: {}, passes: true },
    { pattern: keysLike('EVENT#sent'), passes: true },
    { pattern: keysLike('EVENT#'), passes: false },
    { pattern: keysLike({ prefix: 'EVENT#' }), passes: true },
    { pattern: keysLike({ prefix: 'SEND' }), passes: false },
    { pattern: oldImageLike('EVENT#sent'), passes: false },
    { pattern: oldImageLike({ prefix: '' }), passes: false },
    { pattern: keysLike({ exists: true }), passes: true },
    { pattern: keysLike({ exists: false }), passes: false },
    { pattern: oldImageLike({ exists: true }), passes: false },
    { pattern: sentAndOther, passes: false },
  ])('$pattern passes the record: $passes', ({ pattern, passes }) => {
    expect(passesFilter(record, pattern)).toBe(passes);
  });
});

describe('the usage filters', () => {
  const facts = { organizationId: newOrganizationId(), sequence: 1 };
  const { dynamodb: sent } = buildSentRecord(facts);
  const { dynamodb: event } = buildEventRecord('opened', facts);
  const { dynamodb: message } = buildMessageRecord(facts);
  const { OldImage: _old, ...sentAtOnce } = sent;
  const eventWhile = (status: string, attribute: string) => {
    const before = { ...sent.NewImage, status: { S: status } };
    const event = { [attribute]: { N: '1' }, openedAt: { N: '1' } };
    return { ...sent, OldImage: before, NewImage: { ...before, ...event } };
  };
  const { NewImage: _new, ...removed } = { ...event, OldImage: event.NewImage };

  const use = { name: 'UPLOADS', at: recordedAt, used: 1, most: 10 };
  const { dynamodb: quota } = buildQuotaRecord(facts, use, { ...use, used: 2 });
  const { most: _most, ...unlimited } = quota.NewImage ?? {};

  const passes = (dynamodb: object) =>
    usageStream.filters.some((pattern) => passesFilter({ dynamodb }, pattern));

  it.each([
    { what: 'a send that becomes sent', dynamodb: sent },
    { what: 'a send stored as sent', dynamodb: sentAtOnce },
    { what: 'a send that is delivered', dynamodb: eventWhile('sent', 'deliveredAt') },
    { what: 'a send that is opened', dynamodb: eventWhile('sent', 'opens') },
    { what: 'a delivery of what was rejected', dynamodb: eventWhile('failed', 'deliveredAt') },
    { what: 'an open before the commit', dynamodb: eventWhile('sending', 'opens') },
    { what: 'a new event', dynamodb: event },
    { what: 'a further message of a send', dynamodb: message },
  ])('pass what counts: $what', ({ dynamodb }) => {
    expect(passes(dynamodb)).toBe(true);
    expect(readStreamRecord({ dynamodb }).kind).toBe('counts');
  });

  it("pass a request's use of a limit", () => {
    expect(passes(quota)).toBe(true);
  });

  it('pass an audit entry once', () => {
    const { dynamodb } = buildAuditRecord(anyEntry(), 1);

    expect(passes(dynamodb)).toBe(true);
    expect(passes({ ...dynamodb, OldImage: dynamodb.NewImage, NewImage: undefined })).toBe(false);
  });

  it.each([
    { what: 'a send that was sent', dynamodb: { ...sent, OldImage: sent.NewImage } },
    { what: 'a repeated open', dynamodb: { ...event, OldImage: event.NewImage } },
    { what: 'an event that is removed', dynamodb: removed },
    { what: 'a message that is changed', dynamodb: { ...message, OldImage: message.NewImage } },
    { what: 'a day without a limit', dynamodb: { ...quota, NewImage: unlimited } },
    { what: 'a limit’s day that is forgotten', dynamodb: { ...quota, NewImage: undefined } },
  ])('pass records that the function then ignores: $what', ({ dynamodb }) => {
    expect(passes(dynamodb)).toBe(true);
    expect(readStreamRecord({ dynamodb }).kind).toBe('counts nothing');
  });

  it.each([
    { what: 'a send that is claimed', dynamodb: { ...sentAtOnce, NewImage: sent.OldImage } },
    {
      what: 'a send that fails',
      dynamodb: { ...sent, OldImage: sent.NewImage, NewImage: sent.OldImage },
    },
    {
      what: 'a webhook delivery',
      dynamodb: { ...event, Keys: { ...event.Keys, sk: { S: 'DELIVERY#1' } } },
    },
    {
      what: 'a counter of the usage',
      dynamodb: { ...event, Keys: { ...event.Keys, sk: { S: '2026-11#shardId-1' } } },
    },
  ])('drop $what', ({ dynamodb }) => {
    expect(passes(dynamodb)).toBe(false);
  });
});
