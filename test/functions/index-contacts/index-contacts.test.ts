import { describe, expect, it } from 'vitest';
import { readContactPage } from '#shared/contacts/contact-list-store';
import { ensureContact, eraseContact } from '#shared/contacts/contact-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import { indexContacts } from '../../../functions/index-contacts/index-contacts.ts';
import { type Account, openAccount } from '../../support/account.ts';
import { buildContactRecord } from '../../support/counted-changes-builder.ts';

/** An account with these contacts, not in its list yet. */
async function openUnlisted(...emails: readonly string[]) {
  const account = await openAccount();
  const { table, organizationId } = account;
  for (const email of emails) await ensureContact(table, organizationId, email, 1_000);
  return account;
}

/** Indexes a batch of the stream. */
const index = (account: Account, ...Records: readonly unknown[]) =>
  account.callsOf(() => indexContacts({ Records: [...Records] }, account));

async function listedIn({ table, organizationId }: Account) {
  const { contacts } = await readContactPage(table, organizationId, { prefix: '', limit: 100 });
  return contacts.map(({ email }) => email);
}

describe('indexContacts', () => {
  it('puts each new contact of a batch into the list once', async () => {
    const account = await openUnlisted('ann@example.com', 'ben@example.com');
    const ann = buildContactRecord(account.organizationId, 'ann@example.com');
    const ben = buildContactRecord(account.organizationId, 'ben@example.com');

    const calls = await index(account, ann, ben, ann);

    expect(await listedIn(account)).toEqual(['ann@example.com', 'ben@example.com']);
    expect(calls).toEqual(['UpdateItem', 'UpdateItem']);
  });

  it("doesn't list a person who was erased since the batch was made", async () => {
    const account = await openUnlisted('ann@example.com');
    const { table, organizationId } = account;
    await eraseContact(table, contactIdOf(organizationId, 'ann@example.com'), 2_000);

    await index(account, buildContactRecord(organizationId, 'ann@example.com'));

    expect(JSON.stringify(account.items())).not.toContain('ann@example.com');
  });

  it('makes no calls for contacts that are listed, erased, gone or unreadable', async () => {
    const account = await openUnlisted('ann@example.com');
    const listed = buildContactRecord(account.organizationId, 'ann@example.com', {
      gsi2pk: { S: 'ORG#1#CONTACTS' },
    });
    const { dynamodb } = buildContactRecord(account.organizationId, 'ann@example.com');
    const { email: _, ...erased } = dynamodb.NewImage ?? {};

    const calls = await index(
      account,
      listed,
      { dynamodb: { ...dynamodb, NewImage: erased } },
      { dynamodb: { Keys: dynamodb.Keys } },
      { dynamodb: { ...dynamodb, NewImage: { ...dynamodb.NewImage, id: { S: 'con_1' } } } },
      null,
    );

    expect(calls).toEqual([]);
  });

  it("fails as a whole when one contact can't be stored, so that Lambda retries the batch", async () => {
    const account = await openUnlisted('ann@example.com');
    const fault = new Error('throttled');
    account.beforeNextWrite(() => Promise.reject(fault));

    const indexing = index(account, buildContactRecord(account.organizationId, 'ann@example.com'));

    await expect(indexing).rejects.toBe(fault);
  });
});
