import { describe, expect, it } from 'vitest';
import type { ContactSelection } from '#shared/contacts/contact-list-store';
import { sealCursor } from '#shared/table/cursor';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/list-contacts/endpoint.ts';
import { listContacts } from '../../../functions/list-contacts/list-contacts.ts';
import { buildManager } from '../../support/manager-builder.ts';

const { organizationId, caller, cursorOwner: owner } = buildManager();
const scope = { list: 'contacts', owner, filters: { prefix: '' } };

async function askedWith(query: Record<string, string>) {
  const asked: [OrganizationId, ContactSelection][] = [];
  const read = async (...question: [OrganizationId, ContactSelection]) => {
    asked.push(question);
    return { contacts: [], next: undefined };
  };
  await listContacts({ caller, query: endpoint.query.parse(query) }, { contacts: { read } });
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
});
