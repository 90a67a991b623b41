import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  hostFaultOf,
  isSamePlace,
  type NoticeTarget,
  shownTarget,
} from '#shared/notice-targets/notice-target';
import { readTargets, replaceTargets, targetIn } from '#shared/notice-targets/notice-target-store';
import { type AlertPosting, postsAlerts } from '#shared/notice-targets/post-alert';
import { maxTargets, pagerDutyRegions, targetTypes } from '#shared/notice-targets/target-types';
import {
  exampleTarget,
  noticeTargetViewSchema,
  targetViewOf,
  targetWords,
} from '#shared/notice-targets/target-view';
import { resourceKey } from '#shared/organizations/organization-fields';
import { checkPublicUrl } from '#shared/outbound/public-url';
import type { TableAndClock } from '#shared/table/table-client';

const maxUrlLength = 2_000;

const declaration = defineEndpoint({
  route: 'PUT /api/v1/notice-targets/{key}',
  access: { key: 'required', scope: 'manage_organization', freshSession: true },
  path: z.object({ key: resourceKey }),
  body: z.strictObject({
    type: z.enum(targetTypes),
    url: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(maxUrlLength))),
    routingKey: z.exactOptional(
      z.string().check(
        z.regex(/^[A-Za-z0-9]{32}$/, {
          error: 'must be the integration key of an Events API v2 integration: 32 characters',
        }),
      ),
    ),
    region: z.exactOptional(z.enum(pagerDutyRegions)),
  }),
  answers: {
    200: {
      body: noticeTargetViewSchema,
      description: 'The target as it is now.',
      example: exampleTarget,
    },
  },
  errors: ['too_many_notice_targets', 'concurrent_change'],
  isLimited: true,
  uses: { alerts: postsAlerts },
  lambda: {
    stack: 'Organizations',
    tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
  },
  words: {
    section: 'Organization',
    summary: 'Send notices to Slack, Teams or PagerDuty',
    description: `Creates or replaces a target. Every notice goes there too, whether or not there is a \`noticeEmail\`, except the links that confirm an address and invitations. One that can’t be delivered is tried again for three days, apart from the email and from other targets; one that the target refuses isn’t. At most ${maxTargets} targets.`,
    fields: {
      ...targetWords,
      url: 'For `slack` and `teams`: the webhook’s URL.',
      routingKey: 'For `pagerduty`: the integration key.',
      region: 'For `pagerduty`: the service region of your account. Default: `us`.',
    },
    example: {
      path: { key: 'on-call' },
      body: { type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXXTm4T' },
    },
  },
});

type Putting = TableAndClock & { readonly alerts: Pick<AlertPosting, 'urlPolicy'> };

const maxTries = 2;

export const endpoint = defineEndpoint(declaration, putNoticeTarget);

export async function putNoticeTarget(
  { caller: { organizationId, actor }, path: { key }, body }: RequestTo<typeof declaration>,
  { table, now, alerts }: Putting,
) {
  const place = placeIn(body, alerts);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await readTargets(table, organizationId);
    const known = targetIn(before, key);
    const at = now();
    const target: NoticeTarget = { ...place, createdAt: known?.createdAt ?? at, updatedAt: at };
    if (known !== undefined && isSamePlace(known, target)) return targetViewOf(key, known, before);
    if (known === undefined && Object.keys(before.targets).length >= maxTargets) {
      throw new ServiceError('too_many_notice_targets');
    }
    const change = {
      action: 'notice_target.put',
      target: key,
      ...(known && { before: shownTarget(known) }),
      after: shownTarget(target),
    };
    const entry = newAuditEntry(organizationId, actor, change, at);
    const targets = { ...before.targets, [key]: target };
    if ((await replaceTargets(table, organizationId, before, targets, entry)) === 'stored') {
      return targetViewOf(key, target, { states: new Map() });
    }
  }
  throw new ServiceError('concurrent_change');
}

type Body = RequestTo<typeof declaration>['body'];

/** @throws ServiceError if a field is missing, or is another type's */
function placeIn({ type, url, routingKey, region }: Body, { urlPolicy }: Putting['alerts']) {
  if (type === 'pagerduty') {
    if (url !== undefined) throw invalidField('url', 'is not for pagerduty: give routingKey');
    if (routingKey === undefined) throw invalidField('routingKey', 'is required for pagerduty');
    return { type, routingKey, region: region ?? 'us' } as const;
  }
  if (routingKey !== undefined) throw invalidField('routingKey', `is not for ${type}: give url`);
  if (region !== undefined) throw invalidField('region', `is not for ${type}: leave it out`);
  if (url === undefined) throw invalidField('url', `is required for ${type}`);
  const checked = checkPublicUrl(url, urlPolicy);
  if (!checked.ok) throw invalidField('url', checked.reason);
  // The twin's receivers are on this machine.
  const fault = checked.url.protocol === 'http:' ? undefined : hostFaultOf(type, checked.url);
  if (fault !== undefined) throw invalidField('url', fault);
  return { type, url: checked.url.href } as const;
}
