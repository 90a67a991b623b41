import { describe, expect, it } from 'vitest';
import type { ContactSelection } from '#shared/contacts/contact-list-store';
import { sealCursor } from '#shared/table/cursor';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/list-contacts/endpoint.ts';
import { listContacts } from '../../../functions/list-contacts/list-contacts.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();
const { organizationId, credential, cursorOwner: owner } = manager;
const scope = { list: 'contacts', owner, filters: { prefix: '' } };

async function askedWith(query: Record<string, string>) {
  const asked: [OrganizationId, ContactSelection][] = [];
  await listContacts(credential, () => endpoint.query.parse(query), {
    ...manager,
    contacts: {
      read: async (...question) => {
        asked.push(question);
        return { contacts: [], next: undefined };
      },
    },
  });
  return asked;
}

describe('listContacts', () => {
  it.each([
    { query: {}, selection: { prefix: '', limit: 20, after: undefined } },
    { query: { prefix: 'Ann@' }, selection: { prefix: 'ann@', limit: 20, after: undefined } },
    {
      query: { limit: '2', cursor: sealCursor('ann@example.com', scope) ?? '' },
      selection: { prefix: '', limit: 2, after: 'ann@example.com' },
    },
  ])('reads for $query the contacts of the key’s organization', async ({ query, selection }) => {
    expect(await askedWith(query)).toEqual([[organizationId, selection]]);
  });

  it('reads nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((presented, authentication) =>
      listContacts(presented, unexpected('the query'), {
        ...authentication,
        contacts: { read: unexpected('contacts.read') },
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
