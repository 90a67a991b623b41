import type { RequestTo } from '#shared/endpoints/endpoint';
import { readSends, type SendListStore, sendPositionSchema } from '#shared/sends/send-list-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { timeAt } from '#shared/table/list-position';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

/** Lists the sends of the caller's organization, newest first. */
export async function listSends(
  { caller, query: { limit, cursor, ...filters } }: RequestTo<typeof endpoint>,
  reading: { readonly sends: SendListStore; readonly now: () => number },
) {
  const { organizationId, cursorOwner: owner } = caller;
  const { to, from: since, until, status, outcome, template, key, tag, test } = filters;
  // A test key sees its own world only.
  const isTest = caller.apiKey.test === true || test === 'true';
  const scope = { list: isTest ? 'test sends' : 'sends', owner, filters };
  const before = openCursor(cursor, sendPositionSchema, scope);
  const { found, next } = await readSends(
    organizationId,
    {
      isTest,
      before,
      since,
      until,
      limit,
      status,
      outcome,
      to: to && contactIdOf(organizationId, to.identity),
      templateId: template,
      apiKeyId: key,
      tag,
    },
    reading,
  );
  return {
    sends: found,
    nextCursor: sealCursor(next, scope),
    lookedUntil: next === undefined ? null : timeAt(next),
  };
}
