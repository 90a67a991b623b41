import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type Alarm, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { quotaNearPercent } from '#shared/config/organization-limits';
import type { FunctionName } from '../../../functions/endpoints.ts';
import type { Settings } from '../../settings/declaration.ts';
import { sendFunctions } from '../function-catalogue.ts';
import { defaultThrottleOf } from '../route-throttles.ts';
import type { ServiceFunctions } from '../service-functions.ts';
import { ServiceAlarm } from './service-alarm.ts';
import { serviceMetric } from './service-metric.ts';

export type ServiceAlarmsProps = {
  readonly config: Settings;
  readonly functions: ServiceFunctions;
  readonly api: HttpApi;
  readonly anonymousRequests: IMetric;
  readonly retryQueue: IQueue;
  readonly alarmTopic: ITopic;
};

/**
 * The alarms for sends and for the API: few, each worth being woken for. Other parts have their own:
 * `webhook-alarms.ts`, `usage-counting.ts`, `table-stream-trigger.ts`, `dead-letter-queue.ts`, `identity-checks.ts`,
 * `tenant-events.ts`, `notice-sending.ts`, `organization-purge.ts`. infra/RUNBOOK.md lists them all. An organization
 * with high rates gets a notice (`shared/usage/rate-notices.ts`); the account's rates: `reputation-alarms.ts`.
 */
export class ServiceAlarms extends Construct {
  /** Those that ring within minutes when a new version is bad. */
  readonly ofVersions: readonly Alarm[];

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    for (const name of sendFunctions) this.#sendsDie(props, name);
    this.#providerEventsAreLate(props);
    this.#providerEventsWait(props);
    const fails = this.#apiFails(props);
    this.#apiIsFlooded(props);
    this.#strangersCall(props);
    this.#dayIsUsed(props, 'near', quotaNearPercent);
    this.#dayIsUsed(props, 'up', 100);
    this.ofVersions = [fails, this.#itemsAreUnreadable(props)];
  }

  /** Handlers answer every error themselves, so this counts timeouts, crashes and exhausted memory. */
  #sendsDie({ functions, alarmTopic }: ServiceAlarmsProps, name: FunctionName): void {
    new ServiceAlarm(this, `${name}-errors`, {
      metric: functions.get(name).lambda.metricErrors({ period: Duration.minutes(5) }),
      threshold: 1,
      impact: `${name} died in mid-request: the caller does not know whether the email went out. Retries with an idempotency key are safe; without one they may send twice. Read its log for the timeout or crash.`,
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  #providerEventsAreLate({ config, alarmTopic }: ServiceAlarmsProps): void {
    new ServiceAlarm(this, 'provider-events-late', {
      metric: serviceMetric(this, 'ProviderEventLag', {
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: (config.doubtWindowSeconds * 1_000) / 2,
      impact:
        "Send events of SES arrive later than half the doubt window. Beyond all of it, a retried send of unknown outcome goes out a second time, as SES's proof of the first is still on its way. If provider-events-waiting rings too, the cause is ours: do what that says. Else SES or SNS is slow: raise doubtWindowSeconds until it is over.",
      runbook: "SES's events are late",
      alarmTopic,
    });
  }

  /** Needed too, as an intake that doesn't run publishes no lateness. */
  #providerEventsWait({ config, retryQueue, alarmTopic }: ServiceAlarmsProps): void {
    new ServiceAlarm(this, 'provider-events-waiting', {
      metric: retryQueue.metricApproximateAgeOfOldestMessage({
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: config.doubtWindowSeconds / 2,
      impact:
        'Provider events cannot be recorded and wait in the retry queue: bounced or complaining recipients may still be mailed, and timelines lack events. A send of unknown outcome goes out a second time when it is retried, unless its event could mark it (metric ProviderEventNotMarked; nothing marks while the function does not run). Read the errors of record-provider-event, and whether it is throttled. Nothing is lost for a day: the events are recorded within minutes after the cause is fixed.',
      runbook: "SES's events are late",
      alarmTopic,
    });
  }

  #itemsAreUnreadable({ alarmTopic }: ServiceAlarmsProps): Alarm {
    return new ServiceAlarm(this, 'stored-item-unreadable', {
      metric: serviceMetric(this, 'StoredItemUnreadable', {
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      impact:
        "An item of the table can't be read by this version, and requests that need it get 500: after an upgrade or a restore, or because it was edited by hand. The log has the item and its fields (itemFields). Fix the item, or go back to the version that wrote it.",
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  #apiFails({ api, alarmTopic }: ServiceAlarmsProps): Alarm {
    return new ServiceAlarm(this, 'http-5xx', {
      metric: api.metricServerError({ statistic: 'Sum', period: Duration.minutes(5) }),
      // A few happen when SES doesn't answer in time, and callers retry them.
      threshold: 5,
      impact:
        'Callers get 5xx answers: emails are not sent, or with an unknown outcome. The access log names the route, the function log the cause (same request id). Of a 503 no function logs anything: the account ran all the functions that it may at a time.',
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  /** A flood costs money and takes concurrency that sends need. */
  #apiIsFlooded({ config, api, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'http-requests', {
      metric: api.metricCount({ statistic: 'Sum', period }),
      threshold: (defaultThrottleOf(config).rateLimit * period.toSeconds()) / 2,
      impact:
        'For five minutes the API got half of what one route takes at most. Either you have grown: raise lambdaConcurrency. Or somebody floods it: the access log has the source addresses and routes. Block them at CloudFront and WAF, or lower linkRequestsPerSecond.',
      runbook: 'Strangers flood the API',
      alarmTopic,
    });
  }

  /** A program with a revoked key asks once a second at most: fewer than the sample. */
  #strangersCall({ api, anonymousRequests, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'anonymous-requests', {
      metric: new MathExpression({
        label: 'Requests without a known key, in percent',
        expression: `IF(FILL(anonymous, 0) >= ${fewestAnonymous}, 100 * anonymous / requests, 0)`,
        usingMetrics: {
          anonymous: anonymousRequests,
          requests: api.metricCount({ statistic: 'Sum', period }),
        },
        period,
      }),
      threshold: anonymousPercent,
      impact: `Of all requests of five minutes, ${anonymousPercent}% came without a known key, and ${fewestAnonymous} at least: somebody tries keys or looks for holes, or a program goes on with a key that was revoked. None of them sends. The access log has source addresses and routes: block them at CloudFront and WAF.`,
      runbook: 'Strangers flood the API',
      alarmTopic,
    });
  }

  /** count-usage publishes each hundredth from 80% on. */
  #dayIsUsed({ alarmTopic }: ServiceAlarmsProps, how: 'near' | 'up', percent: number): void {
    new ServiceAlarm(this, `organization-day-used-${how}`, {
      metric: serviceMetric(this, 'OrganizationQuotaUsed', {
        statistic: 'Maximum',
        period: Duration.minutes(5),
      }),
      threshold: percent,
      impact: `An organization has ${percent < 100 ? `used ${percent}% of one of today's limits, and may use up the rest` : `reached one of today's limits: requests beyond it are refused until midnight UTC`}. It has a notice. The dashboard says which organization and limit. Raise the limit if it has grown, and look at its keys if it hasn't.`,
      runbook: 'One organization takes too much',
      alarmTopic,
    });
  }
}

const fewestAnonymous = 300;
const anonymousPercent = 20;
