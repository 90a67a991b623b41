import { defineEndpoint } from '#shared/endpoints/endpoint';
import { readTargets } from '#shared/notice-targets/notice-target-store';
import { maxTargets } from '#shared/notice-targets/target-types';
import {
  exampleTarget,
  noticeTargetViewSchema,
  targetViewOf,
  targetWords,
} from '#shared/notice-targets/target-view';
import { pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/notice-targets',
    access: { key: 'required', scope: ['settings_read', 'manage_organization'] },
    answers: {
      200: {
        body: pageSchema(noticeTargetViewSchema),
        description: 'The targets.',
        example: { data: [exampleTarget], nextCursor: null },
      },
    },
    lambda: { stack: 'Organizations', tableActions: ['GetItem'] },
    words: {
      section: 'Organization',
      summary: 'List where notices go besides email',
      description: `All of them on one page, at most ${maxTargets}. Whoever has a target’s URL or routing key can write there, so only its last characters are shown.`,
      fields: targetWords,
    },
  },
  async ({ caller }, { table }) => {
    const found = await readTargets(table, caller.organizationId);
    const data = Object.entries(found.targets)
      .map(([key, target]) => targetViewOf(key, target, found))
      .toSorted((one, other) => one.createdAt - other.createdAt);
    return { data, nextCursor: null };
  },
);
