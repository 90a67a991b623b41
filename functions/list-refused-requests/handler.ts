import { openRefusalListStore, refusalPositionSchema } from '#shared/access/refusal-list-store';
import { serve } from '#shared/endpoints/serve';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { timeAt } from '#shared/table/list-position';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { refusals: openRefusalListStore },
  async ({ caller, query }, { refusals, now }) => {
    const { limit, cursor, ...filters } = query;
    const { key: apiKeyId, from: since, ...others } = filters;
    const scope = { list: 'refused requests', owner: caller.cursorOwner, filters };
    const before = openCursor(cursor, refusalPositionSchema, scope);
    const search = { before, limit, since, apiKeyId, ...others };
    const { found, next } = await refusals.list(caller.organizationId, search, now());
    return {
      data: found,
      nextCursor: sealCursor(next, scope),
      lookedUntil: next === undefined ? null : timeAt(next),
    };
  },
);
