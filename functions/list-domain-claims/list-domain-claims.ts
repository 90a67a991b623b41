import type { RequestTo } from '#shared/endpoints/endpoint';
import { claimPositionSchema, type DomainClaimStore } from '#shared/identity/domain-claim-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { endpoint } from './endpoint.ts';

export async function listDomainClaims(
  { caller: owner, query: { limit, cursor } }: RequestTo<typeof endpoint>,
  { now, list }: Pick<DomainClaimStore, 'now' | 'list'>,
) {
  const scope = { list: 'domain-claims', owner };
  const before = openCursor(cursor, claimPositionSchema, scope);
  const { claims, next } = await list({ before, limit }, now());
  return { data: claims, nextCursor: sealCursor(next, scope) };
}
