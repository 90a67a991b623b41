import { organizationOf } from '#shared/access/admit-caller';
import { limitDeliveries } from '#shared/access/limit-day';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { noticeTargetPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import type { Alert } from '#shared/notice-targets/alert-message';
import {
  readTargets,
  recordTargetState,
  targetIn,
} from '#shared/notice-targets/notice-target-store';
import { postsAlerts } from '#shared/notice-targets/post-alert';
import { stateAfter } from '#shared/notice-targets/target-state';
import {
  exampleTarget,
  noticeTargetViewSchema,
  targetViewOf,
  targetWords,
} from '#shared/notice-targets/target-view';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/notice-targets/{key}/test',
    access: { key: 'required', scope: 'manage_organization' },
    ...noticeTargetPath,
    answers: {
      200: {
        body: noticeTargetViewSchema,
        description: 'What came of it: `lastFailure`, or `lastSentAt` alone.',
        example: exampleTarget,
      },
    },
    errors: ['delivery_limit_reached'],
    uses: { alerts: postsAlerts },
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'UpdateItem'],
      countsInDay: true,
    },
    words: {
      section: 'Organization',
      summary: 'Send a target for notices a test',
      description:
        'Waits for its answer, at most five seconds, and isn’t repeated. PagerDuty gets an incident of the severity `info` that’s resolved at once.',
      fields: targetWords,
      example: { path: { key: 'on-call' } },
    },
  },
  async ({ caller, path: { key } }, { table, now, limitsOfDeployment, alerts: { post } }) => {
    const { organizationId } = caller;
    const [{ name }, found] = await Promise.all([
      organizationOf(table, caller),
      readTargets(table, organizationId),
    ]);
    const target = targetIn(found, key);
    if (target === undefined) throw new ServiceError('notice_target_not_found');
    await limitDeliveries(caller, 1, now(), { table, limitsOfDeployment });

    const at = now();
    const alert: Alert = {
      source: name,
      subject: 'A test of your notices',
      text: 'Notices about your email service will look like this.',
      severity: 'info',
      dedupKey: `${organizationId}:test:${at}`,
      action: 'trigger',
      at,
    };
    const outcome = await post(target, alert);
    if (target.type === 'pagerduty' && outcome.kind === 'delivered') {
      await post(target, { ...alert, action: 'resolve' });
    }

    const state = stateAfter(found.states.get(key), outcome, now());
    await recordTargetState(table, organizationId, key, found, state);
    return targetViewOf(key, target, { states: new Map([[key, state]]) });
  },
);
