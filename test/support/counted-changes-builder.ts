import { dayNumberOf } from '#shared/access/rate-window';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { auditKey, contactKey, dayQuotaKey } from '#shared/table/keys';
import { eventKey, messageKey, sendKey } from '#shared/table/send-keys';
import { contactIdOf, type OrganizationId, slotIdOf } from '#shared/tokens/resource-id';

type Value =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly L: readonly { readonly S: string }[] }
  | { readonly M: Readonly<Record<string, { readonly S: string }>> };
type Image = Readonly<Record<string, Value>>;

/** A change of the table as its stream tells it to Lambda. */
export type StreamRecord = {
  readonly dynamodb: {
    readonly SequenceNumber: string;
    readonly Keys: Image;
    readonly OldImage?: Image;
    readonly NewImage?: Image;
  };
};

type Facts = {
  readonly organizationId: OrganizationId;
  readonly sequence: number | string;
  /** Epoch milliseconds. */
  readonly at?: number;
};

export const recordedAt = Date.UTC(2026, 5, 15);

const keysOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }): Image => ({
  pk: { S: pk },
  sk: { S: sk },
});

/** A send that becomes `sent`: SES accepted its message. */
export function buildSentRecord(
  { organizationId, sequence, at = recordedAt }: Facts,
  attributes: Image = {},
): StreamRecord {
  const Keys = keysOf(sendKey(slotIdOf(organizationId, undefined)));
  const before = { ...Keys, ...attributes };
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys,
      OldImage: { ...before, status: { S: 'sending' } },
      NewImage: {
        ...before,
        status: { S: 'sent' },
        providerMessageId: { S: 'message-1' },
        sentAt: { N: `${at}` },
      },
    },
  };
}

/** A send that ends, and SES took nothing of it; by default it was just stored. */
export function buildUnsentRecord(
  { organizationId, sequence, at = recordedAt }: Facts,
  status: 'suppressed' | 'failed' | 'canceled',
  before?: string,
  attributes: Image = {},
) {
  const Keys = keysOf(sendKey(slotIdOf(organizationId, undefined)));
  const ended = { ...Keys, ...attributes };
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      ApproximateCreationDateTime: at / 1_000,
      Keys,
      ...(before !== undefined && { OldImage: { ...Keys, status: { S: before } } }),
      NewImage: { ...ended, status: { S: status } },
    },
  };
}

/** A send whose delivery event just came. */
export function buildDeliveredRecord(
  { organizationId, sequence, at = recordedAt }: Facts,
  {
    tookMs,
    toEmail = 'ann@example.com',
    ...attributes
  }: { readonly tookMs: number; readonly toEmail?: string } & Partial<Record<'cc' | 'test', Value>>,
): StreamRecord {
  const { dynamodb } = buildSentRecord({ organizationId, sequence, at: at - tookMs });
  const before = { ...dynamodb.NewImage, toEmail: { S: toEmail }, ...attributes };
  return {
    dynamodb: {
      ...dynamodb,
      OldImage: before,
      NewImage: { ...before, deliveredAt: { N: `${at}` } },
    },
  };
}

/** A further message of a send, beside the one that the send itself holds. */
export function buildMessageRecord({
  organizationId,
  sequence,
  at = recordedAt,
}: Facts): StreamRecord {
  const Keys = keysOf(messageKey(slotIdOf(organizationId, undefined), 'message-2'));
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys,
      NewImage: { ...Keys, providerMessageId: { S: 'message-2' }, sentAt: { N: `${at}` } },
    },
  };
}

/** An event that is there for the first time. */
export function buildEventRecord(
  type: string,
  { organizationId, sequence, at = recordedAt }: Facts,
): StreamRecord {
  const Keys = keysOf(eventKey(slotIdOf(organizationId, undefined), type, 'message-1'));
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys,
      NewImage: { ...Keys, type: { S: type }, ts: { N: `${at}` } },
    },
  };
}

/** A soft bounce whose message then bounces for good. */
export function buildHardenedRecord(facts: Facts): StreamRecord {
  const { dynamodb } = buildEventRecord('bounced', facts);
  const because = (reason: string): Image => ({ ...dynamodb.NewImage, reason: { S: reason } });
  return {
    dynamodb: {
      ...dynamodb,
      OldImage: because('Transient/General'),
      NewImage: because('Permanent/General'),
    },
  };
}

type QuotaFacts = {
  readonly name: string;
  readonly at: number;
  readonly used: number;
  readonly most?: number;
  readonly fullAt?: number;
};

/** A request that counted in its organization's day, or found it full. */
export function buildQuotaRecord(
  { organizationId, sequence = 1 }: Pick<Facts, 'organizationId'> & Partial<Facts>,
  before: QuotaFacts,
  after: QuotaFacts,
): StreamRecord {
  const Keys = keysOf(dayQuotaKey(organizationId, after.name, dayNumberOf(after.at)));
  const imageOf = ({ used, most, fullAt }: QuotaFacts): Image => ({
    ...Keys,
    used: { N: `${used}` },
    ...(most !== undefined && { most: { N: `${most}` } }),
    ...(fullAt !== undefined && { fullAt: { N: `${fullAt}` } }),
  });
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys,
      OldImage: imageOf(before),
      NewImage: imageOf(after),
    },
  };
}

/** A contact that is there for the first time. */
export function buildContactRecord(
  organizationId: OrganizationId,
  email: string,
  attributes: Image = {},
): StreamRecord {
  const id = contactIdOf(organizationId, email);
  const Keys = keysOf(contactKey(id));
  return {
    dynamodb: {
      SequenceNumber: '1',
      Keys,
      NewImage: { ...Keys, id: { S: id }, email: { S: email }, ...attributes },
    },
  };
}

/** An audit entry as it's stored. Its values are texts. */
export function buildAuditRecord(
  { id, at, actor, session, action, target, after = {} }: AuditEntry,
  sequence: number,
): StreamRecord {
  const texts = Object.entries(after).map(([name, value]) => [name, { S: `${value}` }] as const);
  const Keys = keysOf(auditKey(id, at));
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys,
      NewImage: {
        ...Keys,
        id: { S: id },
        at: { N: `${at}` },
        actor: { S: actor },
        ...(session && { session: { S: session } }),
        action: { S: action },
        target: { S: target },
        after: { M: Object.fromEntries(texts) },
      },
    },
  };
}
