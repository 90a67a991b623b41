import { describe, expect, it } from 'vitest';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { indexContacts } from '../../../functions/index-contacts/index-contacts.ts';
import { buildContactRecord } from '../../support/counted-changes-builder.ts';

const organizationId = newOrganizationId();
const idOf = (email: string) => contactIdOf(organizationId, email);

async function indexedOf(...Records: readonly unknown[]) {
  const indexed: (readonly [string, string])[] = [];
  await indexContacts(
    { Records: [...Records] },
    {
      index: async (id, email) => {
        indexed.push([id, email]);
      },
    },
  );
  return indexed;
}

describe('indexContacts', () => {
  it('puts each new contact of a batch into the list once', async () => {
    const ann = buildContactRecord(organizationId, 'ann@example.com');
    const ben = buildContactRecord(organizationId, 'ben@example.com');

    expect(await indexedOf(ann, ben, ann)).toEqual([
      [idOf('ann@example.com'), 'ann@example.com'],
      [idOf('ben@example.com'), 'ben@example.com'],
    ]);
  });

  it('skips contacts that are listed, erased, gone or unreadable', async () => {
    const listed = buildContactRecord(organizationId, 'ann@example.com', {
      gsi2pk: { S: 'ORG#1#CONTACTS' },
    });
    const { dynamodb } = buildContactRecord(organizationId, 'ann@example.com');
    const { email: _, ...erased } = dynamodb.NewImage ?? {};

    expect(
      await indexedOf(
        listed,
        { dynamodb: { ...dynamodb, NewImage: erased } },
        { dynamodb: { Keys: dynamodb.Keys } },
        { dynamodb: { ...dynamodb, NewImage: { ...dynamodb.NewImage, id: { S: 'con_1' } } } },
        null,
      ),
    ).toEqual([]);
  });

  it("fails as a whole when one can't be stored, so that Lambda retries the batch", async () => {
    const fault = new Error('throttled');
    const batch = { Records: [buildContactRecord(organizationId, 'ann@example.com')] };

    await expect(indexContacts(batch, { index: () => Promise.reject(fault) })).rejects.toBe(fault);
  });
});
