import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { rememberedDays } from '#shared/declarations/declaration';
import {
  type DomainDeclaration,
  getOrganizationDeclaration,
  listDomainDeclarations,
  type OrganizationDeclaration,
  storeDomainDeclaration,
  storeOrganizationDeclaration,
} from '#shared/declarations/declaration-store';
import {
  endDomainAdoption,
  readDomainOwnership,
  storeDomainAdoption,
} from '#shared/identity/domain-store';
import { domainDeclarationKey } from '#shared/table/keys';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

const newDomain = () => `mail.${randomUUID()}.example`;

function newOrganizationDeclaration(): OrganizationDeclaration {
  const organizationId = newOrganizationId();
  return {
    declarer: randomUUID(),
    requests: ['one'],
    organizationId,
    apiKeyId: newApiKeyId(organizationId),
  };
}

const newDomainDeclaration = (domain: string): DomainDeclaration => ({
  declarer: randomUUID(),
  requests: ['one'],
  organizationId: newOrganizationId(),
  domain,
  isFound: false,
  publishes: true,
  publishesDmarc: false,
});

describe('a declared organization', () => {
  it('is read as it was stored, and is nobody else’s', async () => {
    const declaration = newOrganizationDeclaration();

    expect(await storeOrganizationDeclaration(table, undefined, declaration)).toBe('stored');

    expect(await getOrganizationDeclaration(table, declaration.declarer)).toEqual(declaration);
    expect(await getOrganizationDeclaration(table, randomUUID())).toBeUndefined();
  });

  it('is stored by one of two requests at once', async () => {
    const declaration = newOrganizationDeclaration();
    await storeOrganizationDeclaration(table, undefined, declaration);
    const twice = ['two', 'three'].map((request) =>
      storeOrganizationDeclaration(table, declaration, {
        ...declaration,
        requests: ['one', request],
      }),
    );

    const outcomes = await Promise.all(twice);

    expect(outcomes.toSorted()).toEqual(['changed_meanwhile', 'stored']);
    expect(await storeOrganizationDeclaration(table, undefined, declaration)).toBe(
      'changed_meanwhile',
    );
  });
});

describe('a declared domain', () => {
  it('has a declaration for each resource, and each goes some days after its end', async () => {
    const domain = newDomain();
    const [first, second] = [newDomainDeclaration(domain), newDomainDeclaration(domain)];
    for (const one of [first, second]) await storeDomainDeclaration(table, undefined, one);
    const endedAt = Date.parse('2026-11-23T12:00:00Z');
    const ended = { ...first, requests: ['one', 'two'], endedAt };

    expect(await storeDomainDeclaration(table, first, ended)).toBe('stored');

    const all = await listDomainDeclarations(table, domain);
    expect(all.toSorted((one, other) => one.declarer.localeCompare(other.declarer))).toEqual(
      [ended, second].toSorted((one, other) => one.declarer.localeCompare(other.declarer)),
    );
    const { Item } = await table.client.send(
      new GetCommand({
        TableName: table.name,
        Key: domainDeclarationKey(domain, first.declarer),
      }),
    );
    expect(Item?.['expiresAt']).toBe(endedAt / 1_000 + rememberedDays * 24 * 60 * 60);
  });

  it('leaves who has the domain as it is', async () => {
    const domain = newDomain();
    await storeDomainDeclaration(table, undefined, newDomainDeclaration(domain));

    expect(await readDomainOwnership(table, domain, Date.now())).toEqual({
      owner: undefined,
      claims: [],
      lease: undefined,
      adoption: undefined,
    });
  });
});

describe('an adopted domain', () => {
  it('keeps what was noted first, and is one organization’s', async () => {
    const domain = newDomain();
    const adoption = { organizationId: newOrganizationId(), forwardsBounces: true };
    const other = { organizationId: newOrganizationId(), forwardsBounces: true };

    expect(await storeDomainAdoption(table, domain, adoption)).toBe('stored');
    expect(await storeDomainAdoption(table, domain, { ...adoption, forwardsBounces: false })).toBe(
      'stored',
    );
    expect(await storeDomainAdoption(table, domain, other)).toBe('adopted_by_other');

    expect((await readDomainOwnership(table, domain, Date.now())).adoption).toEqual(adoption);
  });

  it('is given back, as often as that is said', async () => {
    const domain = newDomain();
    const adoption = { organizationId: newOrganizationId(), forwardsBounces: false };
    await storeDomainAdoption(table, domain, adoption);

    for (let time = 0; time < 2; time += 1) await endDomainAdoption(table, domain);

    expect((await readDomainOwnership(table, domain, Date.now())).adoption).toBeUndefined();
  });
});
