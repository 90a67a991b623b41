import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type Alarm, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { quotaNearPercent } from '#shared/config/organization-limits';
import type { CountName } from '#shared/observability/metrics';
import type { FunctionName } from '../../../functions/endpoints.ts';
import type { Settings } from '../../settings/declaration.ts';
import { sendFunctions } from '../function-catalogue.ts';
import { maxRecordAgeHours } from '../pipelines/table-stream-settings.ts';
import { defaultThrottleOf } from '../route-throttles.ts';
import type { ServiceFunctions } from '../service-functions.ts';
import { eventsThatWait } from './events-that-wait.ts';
import { ServiceAlarm } from './service-alarm.ts';
import { serviceMetric, serviceNameOf } from './service-metric.ts';

type ServiceAlarmsProps = {
  readonly config: Settings;
  readonly functions: ServiceFunctions;
  readonly api: HttpApi;
  readonly anonymousRequests: IMetric;
  readonly throttledRequests: IMetric;
  readonly retryQueue: IQueue;
  readonly alarmTopic: ITopic;
};

/**
 * The alarms for sends and for the API: few, and each worth waking someone. Other parts have their own;
 * infra/RUNBOOK.md lists them all. An organization with high bounce or complaint rates gets a notice
 * (`shared/usage/rate-notices.ts`); the account's rates are in `reputation-alarms.ts`.
 */
export class ServiceAlarms extends Construct {
  /** These ring within minutes if a new version is bad. */
  readonly ofVersions: readonly Alarm[];

  constructor(scope: Construct, id: string, props: ServiceAlarmsProps) {
    super(scope, id);
    for (const name of sendFunctions) this.#sendsDie(props, name);
    this.#providerEventsAreLate(props);
    this.#providerEventsWait(props);
    this.#providerEventsAreMissing(props);
    this.#usageIsNotCounted(props);
    this.#sesThrottles(props);
    this.#sesRefuses(props);
    this.#schedulesStop(props);
    const fails = this.#apiFails(props);
    this.#apiIsFlooded(props);
    this.#bytesAreServed(props);
    this.#apiThrottles(props);
    this.#strangersCall(props);
    this.#dayIsUsed(props, 'near', quotaNearPercent);
    this.#dayIsUsed(props, 'up', 100);
    this.ofVersions = [fails, this.#itemsAreUnreadable(props)];
  }

  /** Handlers answer every error themselves, so this only counts timeouts, crashes and exhausted memory. */
  #sendsDie({ functions, alarmTopic }: ServiceAlarmsProps, name: FunctionName): void {
    new ServiceAlarm(this, `${name}-errors`, {
      metric: functions.get(name).lambda.metricErrors({ period: Duration.minutes(5) }),
      threshold: 1,
      impact: `${name} crashed or timed out in the last 5 minutes, so at least one caller doesn't know whether its email went out.`,
      firstStep:
        "Find the cause in the function's log; callers can safely retry with their idempotency keys.",
      runbook: 'requests-fail',
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
        "SES's Send events lag by more than half the doubt window. Once they lag by all of it, retrying a send in doubt can deliver it twice.",
      firstStep:
        'Check the errors of record-provider-event. If there are none, SES or SNS is slow: raise doubtWindowSeconds until it recovers.',
      runbook: 'sess-events-are-late',
      alarmTopic,
    });
  }

  /**
   * By the number of messages: the age of the oldest one ignores messages that were received three times, and most
   * failing ones get there within seconds (SQS guide, "Available CloudWatch metrics for Amazon SQS"). An event that is
   * recorded at its first retries isn't there in each of these minutes.
   */
  #providerEventsWait({ config, retryQueue, alarmTopic }: ServiceAlarmsProps): void {
    const minutes = minutesToWait(config.doubtWindowSeconds);
    new ServiceAlarm(this, 'provider-events-waiting', {
      metric: eventsThatWait(retryQueue, {
        label: 'Provider events in the retry queue',
        statistic: 'Minimum',
        period: Duration.minutes(1),
      }),
      threshold: 1,
      periods: minutes,
      impact: `SES events have been waiting in the retry queue for ${minutes} minutes: bounced or complaining recipients may still be mailed, and retrying a send in doubt can deliver it twice.`,
      firstStep:
        'Read the errors of record-provider-event, and check whether Lambda throttles it. Nothing is lost for a day.',
      runbook: 'sess-events-are-late',
      alarmTopic,
    });
  }

  /**
   * Two periods, because a burst at the end of one has its events in the next. Test emails, which have no SES events,
   * are counted as `simulated`.
   */
  #providerEventsAreMissing({ alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(15);
    const sum = (metricName: CountName, dimensions: Readonly<Record<string, string>>) =>
      serviceMetric(this, metricName, { dimensions, statistic: 'Sum', period });
    new ServiceAlarm(this, 'provider-events-missing', {
      metric: new MathExpression({
        label: 'Emails that SES accepted without a single event',
        expression:
          'IF(FILL(events, 0) > 0, 0, FILL(atOnce, 0) + FILL(globally, 0) + FILL(later, 0))',
        usingMetrics: {
          events: serviceMetric(this, 'ProviderEventLag', { statistic: 'SampleCount', period }),
          atOnce: sum('SendSettled', { endpoint: 'send', status: 'sent' }),
          globally: sum('SendSettled', { endpoint: 'send-global', status: 'sent' }),
          later: sum('WaitingSendAttempted', { outcome: 'sent' }),
        },
        period,
      }),
      threshold: fewestWithoutEvents,
      periods: 2,
      impact: `SES accepted at least ${fewestWithoutEvents} emails in each of two 15-minute periods, and no Send event was recorded: retrying a send in doubt can deliver it twice.`,
      firstStep:
        "If provider-events-waiting rings too, start there. Otherwise check the configuration set's event destination, the topic's policy and its subscription for drift: events missed by these don't come back.",
      runbook: 'sess-events-are-late',
      alarmTopic,
    });
  }

  /** A function that isn't invoked has no iterator age, so `UsageCounting/late` stays silent. */
  #usageIsNotCounted({ functions, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(15);
    new ServiceAlarm(this, 'usage-not-counted', {
      metric: new MathExpression({
        label: "Emails while count-usage doesn't run",
        expression: 'IF(FILL(runs, 0) > 0, 0, FILL(emails, 0))',
        usingMetrics: {
          runs: functions.get('count-usage').lambda.metricInvocations({ statistic: 'Sum', period }),
          emails: serviceMetric(this, 'ProviderEventLag', { statistic: 'SampleCount', period }),
        },
        period,
      }),
      threshold: fewestWithoutEvents,
      periods: 2,
      impact: `count-usage hasn't run for 30 minutes while emails went out: usage figures and daily-limit notices are frozen, and changes not counted within ${maxRecordAgeHours} hours are lost.`,
      firstStep:
        'In the Lambda console, check whether its trigger is disabled or reports a problem, and whether Lambda throttles it.',
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }

  /**
   * An organization beyond its own limits is refused before SES is called, and a burst ends within two periods.
   * Compared with Send events, because every email that SES accepts has one, whichever function sent it.
   */
  #sesThrottles({ alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'sends-throttled', {
      metric: new MathExpression({
        label: 'Sends that SES throttled, percent',
        expression: `IF(FILL(throttled, 0) >= ${fewestThrottled}, 100 * throttled / (throttled + FILL(taken, 0)), 0)`,
        usingMetrics: {
          throttled: serviceMetric(this, 'SendThrottled', { statistic: 'Sum', period }),
          taken: serviceMetric(this, 'ProviderEventLag', { statistic: 'SampleCount', period }),
        },
        period,
      }),
      threshold: throttledPercent,
      periods: 3,
      impact: `SES has throttled at least ${throttledPercent}% of sends for 15 minutes: callers get 429 provider_throttled, and queued emails wait.`,
      firstStep:
        'Find the heaviest senders on the dashboard and move bulk to mode "queued"; if you\'ve grown, ask SES for a higher quota or rate.',
      runbook: 'the-ses-quota-runs-out',
      alarmTopic,
    });
  }

  /**
   * No other alarm counts refusals that a sender may have caused. But if no other email goes out, the cause may be
   * ours, or the only organization needs help. It doesn't roll back versions: in a quiet hour, a single organization
   * could undo a deployment.
   */
  #sesRefuses({ alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(15);
    new ServiceAlarm(this, 'sends-refused', {
      metric: new MathExpression({
        label: 'Sends that SES refused, while it accepted none',
        expression: 'IF(FILL(taken, 0) > 0, 0, FILL(refused, 0))',
        usingMetrics: {
          refused: serviceMetric(this, 'SendRefused', {
            dimensions: { fault: 'sender' },
            statistic: 'Sum',
            period,
          }),
          taken: serviceMetric(this, 'ProviderEventLag', { statistic: 'SampleCount', period }),
        },
        period,
      }),
      threshold: fewestRefused,
      impact: `No email goes out: SES refused at least ${fewestRefused} in 15 minutes and accepted none, and callers get 500 provider_rejected.`,
      firstStep: `Run npm run -s manage -- doctor --stack ${serviceNameOf(this)}: the domain may no longer be verified, or the account is in the SES sandbox. If a deployment just finished, go back.`,
      runbook: 'requests-fail',
      alarmTopic,
    });
  }

  /** For schedules whose absence nothing else shows. One alarm, because they usually share the cause. */
  #schedulesStop({ functions, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.hours(3);
    const runs = (name: FunctionName) =>
      functions.get(name).lambda.metricInvocations({ statistic: 'Sum', period });
    new ServiceAlarm(this, 'schedules-stopped', {
      metric: new MathExpression({
        label: 'Runs of the schedule that ran least',
        expression: 'MIN([FILL(checks, 0), FILL(notices, 0), FILL(purges, 0)])',
        usingMetrics: {
          checks: runs('check-identities'),
          notices: runs('send-notices'),
          purges: runs('purge-organizations'),
        },
        period,
      }),
      minimum: 1,
      impact:
        "check-identities, send-notices or purge-organizations hasn't run for 3 hours: new domains stay pending, notices aren't sent, or deleted organizations' data isn't removed.",
      firstStep:
        'Look for a disabled schedule in the EventBridge Scheduler console, and check whether Lambda throttles the function. After a first deployment, wait for the first runs.',
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }

  #itemsAreUnreadable({ alarmTopic }: ServiceAlarmsProps): Alarm {
    return new ServiceAlarm(this, 'stored-item-unreadable', {
      metric: serviceMetric(this, 'SchemaMismatch', {
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      impact:
        "A stored item can't be read, so requests that need it get 500; or an answer doesn't match its declaration.",
      firstStep:
        'Search the logs for itemFields, and fix that item or go back to the version that wrote it. If they have answerFields instead, the request still succeeded.',
      runbook: 'requests-fail',
      alarmTopic,
    });
  }

  /**
   * A batch gets 200 even if its emails fail. A 500 is the sender's fault if SES refuses the email for a reason that
   * the sender caused: `shared/email/refusals.ts`. The functions' own metrics would miss the 503s that API Gateway
   * returns when no execution is free.
   */
  #apiFails({ api, alarmTopic }: ServiceAlarmsProps): Alarm {
    const period = Duration.minutes(5);
    return new ServiceAlarm(this, 'http-5xx', {
      metric: new MathExpression({
        label: '5xx answers that no sender caused, and failed emails in batches',
        expression: 'FILL(answers, 0) - FILL(sendersFaults, 0) + FILL(inBatches, 0)',
        usingMetrics: {
          answers: api.metricServerError({ statistic: 'Sum', period }),
          sendersFaults: serviceMetric(this, 'SendersFaultAnswered', { statistic: 'Sum', period }),
          inBatches: serviceMetric(this, 'BatchEmailFailed', { statistic: 'Sum', period }),
        },
        period,
      }),
      // A few happen when SES doesn't answer in time, and callers retry them.
      threshold: fewestFailed,
      impact: `At least ${fewestFailed} requests or batch emails failed with 5xx in 5 minutes: their emails weren't sent, or their outcome is unknown.`,
      firstStep:
        "Find the route in the access log and the cause in its function's log, by request id. 503s leave no function log: the account hit its Lambda concurrency limit.",
      runbook: 'requests-fail',
      alarmTopic,
    });
  }

  #apiIsFlooded({ config, api, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'http-requests', {
      metric: api.metricCount({ statistic: 'Sum', period }),
      threshold: floodOf(config, period),
      impact:
        'For 5 minutes, the API had at least half the requests that one sending route may take. A flood costs money and takes concurrency from sends.',
      firstStep:
        "If you've grown, raise lambdaConcurrency. Otherwise find the source addresses in the access log, and block them with CloudFront and WAF.",
      runbook: 'strangers-flood-the-api',
      alarmTopic,
    });
  }

  /**
   * AWS charges for outgoing bytes, and throttles only count requests. The metric includes incoming bytes, so requests
   * with large attachments count too.
   */
  #bytesAreServed({ config, api, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    const bytes = bytesOfFlood * floodOf(config, period);
    new ServiceAlarm(this, 'http-bytes', {
      metric: api.metricDataProcessed({ statistic: 'Sum', period }),
      threshold: bytes,
      impact: `The API moved at least ${Math.round(bytes / 1e6)} MB in 5 minutes, far more than its usual requests would, and AWS charges for outgoing bytes.`,
      firstStep:
        'Find the source addresses and routes in the access log. Have programs upload large attachments first; block anyone else, or revoke their key.',
      runbook: 'strangers-flood-the-api',
      alarmTopic,
    });
  }

  #apiThrottles({ throttledRequests, alarmTopic }: ServiceAlarmsProps): void {
    new ServiceAlarm(this, 'requests-throttled', {
      metric: throttledRequests,
      threshold: fewestThrottledRequests,
      impact: `Callers get 429: API Gateway refused at least ${fewestThrottledRequests} requests in 5 minutes, because a route exceeded its throttle. Callers that retry lose nothing.`,
      firstStep:
        "If you've grown, raise lambdaConcurrency or apiRequestsPerSecond. Otherwise find the source addresses in the access log, and block them.",
      runbook: 'strangers-flood-the-api',
      alarmTopic,
    });
  }

  /** A program that retries with a revoked key once a second stays below the minimum. */
  #strangersCall({ api, anonymousRequests, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'anonymous-requests', {
      metric: new MathExpression({
        label: 'Requests without a known key, percent',
        expression: `IF(FILL(anonymous, 0) >= ${fewestAnonymous}, 100 * anonymous / requests, 0)`,
        usingMetrics: {
          anonymous: anonymousRequests,
          requests: api.metricCount({ statistic: 'Sum', period }),
        },
        period,
      }),
      threshold: anonymousPercent,
      impact: `At least ${anonymousPercent}% of the requests in 5 minutes, ${fewestAnonymous} or more, had no known key or no route: somebody is guessing or probing, or a program uses a revoked key. None of them can send.`,
      firstStep:
        'Find the source addresses and routes in the access log, and block them with CloudFront and WAF.',
      runbook: 'strangers-flood-the-api',
      alarmTopic,
    });
  }

  /** From 80% up, count-usage publishes every percent. */
  #dayIsUsed({ alarmTopic }: ServiceAlarmsProps, how: 'near' | 'up', percent: number): void {
    new ServiceAlarm(this, `organization-day-used-${how}`, {
      metric: serviceMetric(this, 'OrganizationQuotaUsed', {
        statistic: 'Maximum',
        period: Duration.minutes(5),
      }),
      threshold: percent,
      impact:
        how === 'near'
          ? `An organization has used ${percent}% of one of its daily limits, and may use up the rest today. It has been notified.`
          : 'An organization has reached one of its daily limits: requests beyond it are refused until midnight UTC. It has been notified.',
      firstStep:
        'Find the organization and the limit on the dashboard. If it has grown, raise the limit; otherwise check its keys.',
      runbook: 'one-organization-takes-too-much',
      alarmTopic,
    });
  }
}

/** The number of requests in this period when one route runs at half its throttle. */
const floodOf = (config: Settings, period: Duration): number =>
  (defaultThrottleOf(config).rateLimit * period.toSeconds()) / 2;

/** Per request of such a flood. A normal answer has some 1 to 5 KB. */
const bytesOfFlood = 40_000;
/** A program that retries immediately after a 429 makes this many requests in a minute. */
const fewestThrottledRequests = 100;

/** At least three, so an event that is retried once or twice rings no alarm. */
const minutesToWait = (doubtWindowSeconds: number): number =>
  Math.min(Math.max(Math.ceil(doubtWindowSeconds / 2 / 60), 3), 15);

const fewestWithoutEvents = 20;
const fewestRefused = 20;
const fewestFailed = 5;
const fewestThrottled = 20;
const throttledPercent = 50;
const fewestAnonymous = 300;
const anonymousPercent = 20;
