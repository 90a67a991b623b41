import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { defineFunction } from '#shared/endpoints/background-function';
import { readsAlarmTargets } from '#shared/notice-targets/alarm-targets';
import type { Alert } from '#shared/notice-targets/alert-message';
import type { NoticeTarget } from '#shared/notice-targets/notice-target';
import { type AlertPoster, postsAlerts } from '#shared/notice-targets/post-alert';
import type { RequestLog } from '#shared/observability/request-log';

/** CloudWatch's message about an alarm (CloudWatch guide, "Notifying users on alarm changes"), in SNS's event. */
const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmArn: z.string(),
  AlarmDescription: z.nullish(z.string()),
  NewStateValue: z.string(),
  NewStateReason: z.string(),
  StateChangeTime: z.string(),
});
type Alarm = z.output<typeof alarmSchema>;

const eventSchema = z.object({
  Records: z.array(z.object({ Sns: z.object({ Message: z.string() }) })),
});

export const backgroundFunction = defineFunction(
  {
    trigger: 'alarm-topic',
    event: eventSchema,
    uses: { alarmTargets: readsAlarmTargets, alerts: postsAlerts },
    lambda: { tableActions: [], timeoutSeconds: 60 },
  },
  ({ Records }, { alarmTargets, alerts: { post }, now }, log) =>
    forwardAlarms(
      Records.map(({ Sns }) => Sns.Message),
      { alarmTargets, post, now, pause: sleep },
      log,
    ),
);

type Forwarding = {
  readonly alarmTargets: () => Promise<readonly NoticeTarget[]>;
  readonly post: AlertPoster;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
};

/** Before the second and the third attempt. */
const pausesMs = [2_000, 10_000];

/**
 * Each target gets the alarm, whatever becomes of the others.
 *
 * @throws Error if one that might take it later hasn't after three attempts. Lambda then repeats the event twice, and
 *   those that have the alarm get it again.
 */
export async function forwardAlarms(
  messages: readonly string[],
  { alarmTargets, post, now, pause }: Forwarding,
  log: RequestLog,
): Promise<void> {
  const alerts = messages.flatMap((message) => alertOf(message, now()) ?? []);
  if (alerts.length === 0) return;
  const targets = await alarmTargets();
  const reach = async (target: NoticeTarget, alert: Alert): Promise<boolean> => {
    for (const wait of [...pausesMs, undefined]) {
      const outcome = await post(target, alert);
      const { kind } = outcome;
      log.info('alarm forwarded', { type: target.type, action: alert.action, outcome: kind });
      if (kind !== 'unreachable') return true;
      if (wait !== undefined) await pause(wait);
    }
    return false;
  };
  const reached = await Promise.all(
    targets.flatMap((target) => alerts.map((alert) => reach(target, alert))),
  );
  if (reached.includes(false)) throw new Error('a target for alarms could not be reached');
}

/** `undefined` for what isn't an alarm's news, such as the topic's own messages. */
export function alertOf(message: string, now: number): Alert | undefined {
  const alarm = alarmIn(message);
  if (alarm === undefined) return undefined;
  const { AlarmName: name, AlarmDescription: description, NewStateReason: reason } = alarm;
  const isOver = alarm.NewStateValue === 'OK';
  if (!isOver && alarm.NewStateValue !== 'ALARM') return undefined;
  const at = Date.parse(alarm.StateChangeTime);
  return {
    source: name,
    subject: `${isOver ? 'Over' : 'Alarm'}: ${name}`,
    text: [description, reason].filter(Boolean).join('\n\n'),
    severity: 'critical',
    dedupKey: alarm.AlarmArn,
    action: isOver ? 'resolve' : 'trigger',
    at: Number.isFinite(at) ? at : now,
  };
}

function alarmIn(message: string): Alarm | undefined {
  try {
    return z.safeParse(alarmSchema, JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}
