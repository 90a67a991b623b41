import * as z from 'zod/mini';
import { is, isNew, onlyIf } from '#shared/table/conditional-update';
import { expiryAfter } from '#shared/table/expiry';
import {
  domainDeclarationKey,
  domainDeclarationsOf,
  type Key,
  organizationDeclarationKey,
} from '#shared/table/keys';
import { getItem, queryAll, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { storeIfUnchanged, type TransactionItem } from '#shared/table/writes';
import { apiKeyIdSchema, organizationIdSchema } from '#shared/tokens/resource-id';
import { type Declaration, rememberedDays } from './declaration.ts';

const declared = {
  declarer: z.string(),
  requests: z.array(z.string()),
  endedAt: z.optional(z.int()),
  organizationId: organizationIdSchema,
};

const organizationDeclarationSchema = z.object({
  ...declared,
  apiKeyId: apiKeyIdSchema,
  /** An earlier resource of the same name left the organization, and this one has taken it over. */
  isTakenUp: z.optional(z.literal(true)),
});
export type OrganizationDeclaration = z.infer<typeof organizationDeclarationSchema>;

const domainDeclarationSchema = z.object({
  ...declared,
  domain: z.string(),
  isFound: z.boolean(),
  /** Whether the stack publishes its DKIM and MAIL FROM records. */
  publishes: z.boolean(),
  publishesDmarc: z.boolean(),
});
export type DomainDeclaration = z.infer<typeof domainDeclarationSchema>;

/** Reads what a resource declares, strongly consistent. */
export async function getOrganizationDeclaration(
  table: Table,
  declarer: string,
): Promise<OrganizationDeclaration | undefined> {
  const item = await getItem(table, organizationDeclarationKey(declarer));
  return item && readItem('declaration', organizationDeclarationSchema, item);
}

/** All declarations of a domain, including ended ones, strongly consistent. */
export async function listDomainDeclarations(
  table: Table,
  domain: string,
): Promise<readonly DomainDeclaration[]> {
  const items = await queryAll(table, domainDeclarationsOf(domain));
  return items.map((item) => readItem('declaration', domainDeclarationSchema, item));
}

export async function storeOrganizationDeclaration(
  table: Table,
  before: OrganizationDeclaration | undefined,
  after: OrganizationDeclaration,
): Promise<'stored' | 'changed_meanwhile'> {
  return storeIfUnchanged(table, [putOrganizationDeclaration(before, after)]);
}

export async function storeDomainDeclaration(
  table: Table,
  before: DomainDeclaration | undefined,
  after: DomainDeclaration,
): Promise<'stored' | 'changed_meanwhile'> {
  const key = domainDeclarationKey(after.domain, after.declarer);
  return storeIfUnchanged(table, [putVersion(key, before, after)]);
}

export const putOrganizationDeclaration = (
  before: OrganizationDeclaration | undefined,
  after: OrganizationDeclaration,
): TransactionItem => putVersion(organizationDeclarationKey(after.declarer), before, after);

/** Each version has handled one more request, so its requests tell a write which version it read. */
const putVersion = (
  key: Key,
  before: Declaration | undefined,
  after: Declaration,
): TransactionItem => ({
  Put: {
    Item: {
      ...key,
      ...after,
      ...(after.endedAt !== undefined && { expiresAt: expiryAfter(after.endedAt, rememberedDays) }),
    },
    ...onlyIf(before === undefined ? isNew : is('requests', [...before.requests])),
  },
});
