import * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { alarmTargetsEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import type { NoticeTarget } from './notice-target.ts';
import { maxTargets, pagerDutyRegions } from './target-types.ts';

// Where the operator's alarms go besides email: a secret of the operator's own, since URLs and routing keys are secrets.

const operatorsTarget = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('slack'), url: z.url() }),
  z.strictObject({ type: z.literal('teams'), url: z.url() }),
  z.strictObject({
    type: z.literal('pagerduty'),
    routingKey: z.string().check(z.minLength(1)),
    region: z._default(z.enum(pagerDutyRegions), 'us'),
  }),
]);

const moments = { createdAt: 0, updatedAt: 0 };

/** JSON.parse quotes what it can't read, and that's a secret. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the secret with the targets for alarms is no JSON');
  }
}

/** The secret's text: `[{"type": "slack", "url": "https://hooks.slack.com/…"}]`. */
export const alarmTargetsSchema = z.pipe(
  z.string(),
  z.transform((text): readonly NoticeTarget[] =>
    z
      .array(operatorsTarget)
      .check(z.maxLength(maxTargets))
      .parse(parsed(text))
      .map((target) => ({ ...target, ...moments })),
  ),
);

/** None if the deployment names no secret. */
export const readsAlarmTargets = /* @__PURE__ */ capability(
  { environment: alarmTargetsEnvironment, readsAlarmTargets: true },
  ({ ALARM_TARGETS_SECRET_ID: secretId }) =>
    secretId === undefined ? async () => [] : secretReader(secretId, alarmTargetsSchema),
);
