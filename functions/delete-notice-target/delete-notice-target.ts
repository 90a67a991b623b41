import { newAuditEntry } from '#shared/audit/audit-entry';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { noticeTargetPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { shownTarget } from '#shared/notice-targets/notice-target';
import { readTargets, replaceTargets, targetIn } from '#shared/notice-targets/notice-target-store';
import { targetWords } from '#shared/notice-targets/target-view';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/notice-targets/{key}',
    access: { key: 'required', scope: 'manage_organization', freshSession: true },
    ...noticeTargetPath,
    answers: { 204: { description: 'The target is deleted.' } },
    errors: ['concurrent_change'],
    isLimited: true,
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
    },
    words: {
      section: 'Organization',
      summary: 'Stop notices to a target',
      description:
        'Its URL or routing key is forgotten, and notices that still wait for it are dropped.',
      fields: { key: targetWords.key },
      example: { path: { key: 'on-call' } },
    },
  },
  async ({ caller: { organizationId, actor }, path: { key } }, { table, now }) => {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const before = await readTargets(table, organizationId);
      const target = targetIn(before, key);
      if (target === undefined) throw new ServiceError('notice_target_not_found');
      const { [key]: _, ...others } = before.targets;
      const change = { action: 'notice_target.deleted', target: key, before: shownTarget(target) };
      const entry = newAuditEntry(organizationId, actor, change, now());
      if ((await replaceTargets(table, organizationId, before, others, entry)) === 'stored') return;
    }
    throw new ServiceError('concurrent_change');
  },
);

const maxTries = 2;
