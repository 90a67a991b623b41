import { claimPositionSchema, type DomainClaimStore } from '#shared/identity/domain-claim-store';
import { type CursorOwner, openCursor, sealCursor } from '#shared/table/cursor';
import type { ListDomainClaimsQuery } from './endpoint.ts';

/**
 * Lists who wants which domain, and who has it, newest claim first.
 *
 * @throws ServiceError `validation_failed`
 */
export async function listDomainClaims(
  { limit, cursor }: ListDomainClaimsQuery,
  owner: CursorOwner,
  { now, list }: Pick<DomainClaimStore, 'now' | 'list'>,
) {
  const scope = { list: 'domain-claims', owner };
  const before = openCursor(cursor, claimPositionSchema, scope);
  const { claims, next } = await list({ before, limit }, now());
  return { data: claims, nextCursor: sealCursor(next, scope) };
}
