import { eventKey, sendKey } from '#shared/table/keys';
import { feedbackIdOf, newSendId, type OrganizationId } from '#shared/tokens/resource-id';

type Image = Readonly<Record<string, { readonly S: string } | { readonly N: string }>>;

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

/** A send that becomes `sent`. */
export function buildSentRecord(
  { organizationId, sequence, at = recordedAt }: Facts,
  attributes: Image = {},
): StreamRecord {
  const sendId = newSendId(organizationId);
  const Keys = keysOf(sendKey(feedbackIdOf(sendId)));
  const before = { ...Keys, id: { S: sendId }, endpoint: { S: 'send' }, ...attributes };
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys,
      OldImage: { ...before, status: { S: 'sending' }, updatedAt: { N: '1' } },
      NewImage: { ...before, status: { S: 'sent' }, updatedAt: { N: `${at}` } },
    },
  };
}

/** An event that is there for the first time. */
export function buildEventRecord(
  type: string,
  { organizationId, sequence, at = recordedAt }: Facts,
): StreamRecord {
  const Keys = keysOf(eventKey(feedbackIdOf(newSendId(organizationId)), type, 'message-1'));
  return {
    dynamodb: {
      SequenceNumber: `${sequence}`,
      Keys,
      NewImage: { ...Keys, type: { S: type }, ts: { N: `${at}` } },
    },
  };
}
