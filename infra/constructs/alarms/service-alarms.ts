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
import { defaultThrottleOf } from '../route-throttles.ts';
import type { ServiceFunctions } from '../service-functions.ts';
import { eventsThatWait } from './events-that-wait.ts';
import { ServiceAlarm } from './service-alarm.ts';
import { serviceMetric } from './service-metric.ts';

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
 * The alarms for sends and for the API: few, each worth waking somebody for. Other parts have their own; infra/RUNBOOK.md
 * lists them all. An organization with high bounce or complaint rates gets a notice (`shared/usage/rate-notices.ts`); the
 * account's rates are in `reputation-alarms.ts`.
 */
export class ServiceAlarms extends Construct {
  /** The ones that ring within minutes when a new version is bad. */
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
      impact: `${name} died mid-request, so its caller doesn't know whether the email went out. Retrying with an idempotency key is safe; without one, it may send twice. Read the function's log for the timeout or crash.`,
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
        "Retries may soon send emails twice: SES's Send events lag by more than half the doubt window. Once they lag by all of it, retrying a send in doubt delivers it again, because SES's proof of the first delivery hasn't arrived yet. If provider-events-waiting rings too, or the log of record-provider-event has errors, the cause is ours: do what that alarm says. Otherwise SES or SNS is slow: raise doubtWindowSeconds until it recovers.",
      runbook: "SES's events are late",
      alarmTopic,
    });
  }

  /**
   * By the number of messages: the age of the oldest one ignores messages that were received three times, and most
   * failing ones get there within seconds (SQS guide, "Available CloudWatch metrics for Amazon SQS"). An event that is
   * recorded at its first retries isn't there in each of these minutes.
   */
  #providerEventsWait({ config, retryQueue, alarmTopic }: ServiceAlarmsProps): void {
    new ServiceAlarm(this, 'provider-events-waiting', {
      metric: eventsThatWait(retryQueue, {
        label: 'Provider events in the retry queue',
        statistic: 'Minimum',
        period: Duration.minutes(1),
      }),
      threshold: 1,
      periods: minutesToWait(config.doubtWindowSeconds),
      impact:
        "Some or all SES events can't be recorded and wait in the retry queue: bounced or complaining recipients may still be mailed, and timelines lack events. Retrying a send in doubt delivers it twice, unless its failed event could at least mark the send (metric ProviderEventNotMarked counts the rest; nothing gets marked while the function doesn't run). Read the errors of record-provider-event, and check whether Lambda throttles it. Nothing is lost for a day: once the cause is fixed, the events are recorded within minutes.",
      runbook: "SES's events are late",
      alarmTopic,
    });
  }

  /**
   * Two periods, because a burst at the end of one has its events in the next. Test emails, which have no SES events, are
   * counted as `simulated`.
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
      impact: `No Send event has come from SES for 30 minutes, although it accepted at least ${fewestWithoutEvents} emails in each half of them: bounced and complaining recipients keep getting mail, timelines stay empty, and retrying a send in doubt delivers it twice. If provider-events-waiting rings too, do what that alarm says. Otherwise somebody changed the configuration set's event destination, the topic's policy or its subscription: find the difference with cdk diff or drift detection, then deploy again. The missed events won't come back.`,
      runbook: "SES's events are late",
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
      impact: `Usage isn't counted: count-usage hasn't run for 30 minutes, although at least ${fewestWithoutEvents} emails went out in each half of them. Usage figures and daily-limit notices are frozen, and whatever isn't counted within 23 hours is lost for good. In the Lambda console, check whether its trigger (the table's stream) is disabled or reports a problem (a permission, a KMS key), and whether Lambda throttles the function.`,
      runbook: 'Work in the background fails',
      alarmTopic,
    });
  }

  /**
   * An organization beyond its own limits is refused before SES is asked, and a burst is over within two periods.
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
      impact: `SES has throttled at least ${throttledPercent}% of sends for 15 minutes: callers get 429 provider_throttled, and queued emails wait, then fail after sendPatienceSeconds. Either the account's quota of recipients in 24 hours is used up (metric SesQuotaUsed), or more goes out than its rate allows: the dashboard says whose emails. Ask SES for more, and have bulk programs send with mode "queued".`,
      runbook: 'The SES quota runs out',
      alarmTopic,
    });
  }

  /**
   * No other alarm counts refusals that a sender may have caused. But when nothing else goes out at all, the cause may be
   * ours, or the only organization needs its operator. It doesn't roll back versions: in a quiet hour, a single
   * organization could undo a deployment.
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
      impact: `No email goes out: in 15 minutes SES refused at least ${fewestRefused} and accepted none. Callers get 500 provider_rejected. Read SES's reason in the timelines. MessageRejected: the sending domain is no longer verified, or the account is in the SES sandbox (npm run manage -- doctor). BadRequestException after a deployment: go back to the previous version. If only one organization is refused, it needs a working domain.`,
      runbook: 'Requests fail',
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
        "check-identities, send-notices or purge-organizations hasn't run for 3 hours: new domains stay pending and lost ones in use, organizations get no notices, or data of deleted organizations stays in the table. In the EventBridge Scheduler console, check which schedule is disabled or can't invoke its function, and whether Lambda throttles the function. (After the first deployment this rings until each has run.)",
      runbook: 'Work in the background fails',
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
        'This version can\'t read a stored item, and requests that need it get 500. It happens after an upgrade or a restore, or when somebody edited the item by hand. The log has the item and its fields (itemFields). Fix the item, or go back to the version that wrote it. If the log says "answer not as declared" instead, the answer went out anyway, but clients that check its fields (answerFields) may reject it.',
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  /**
   * A batch is answered 200, whatever becomes of its emails. A 500 is the sender's fault when SES refuses the email for a
   * reason that the sender caused: `shared/email/refusals.ts`. The functions' own metrics alone would miss the 503s that
   * the gateway answers when no execution is free.
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
      threshold: 5,
      impact:
        'Callers get 5xx, for whole requests or for emails in a batch: those emails weren\'t sent, or their outcome is unknown. The access log names the route, and the function\'s log the cause, under the same request id (in a batch: "email of a batch failed"). 503s leave no function log: the account hit its Lambda concurrency limit.',
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  #apiIsFlooded({ config, api, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'http-requests', {
      metric: api.metricCount({ statistic: 'Sum', period }),
      threshold: floodOf(config, period),
      impact:
        "API traffic has reached half of what one route may take, for 5 minutes; a flood costs money and takes concurrency that sends need. If you've grown, raise lambdaConcurrency. Otherwise somebody is flooding the API: find the source addresses and routes in the access log, and block them with CloudFront and WAF, or lower linkRequestsPerSecond.",
      runbook: 'Strangers flood the API',
      alarmTopic,
    });
  }

  /**
   * AWS charges for outgoing bytes, and throttles only count requests. The metric includes incoming bytes, so emails that
   * callers hand over with their files count too.
   */
  #bytesAreServed({ config, api, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'http-bytes', {
      metric: api.metricDataProcessed({ statistic: 'Sum', period }),
      threshold: bytesOfFlood * floodOf(config, period),
      impact:
        'The API has moved far more bytes than its usual requests would, for 5 minutes, and AWS charges for every byte that goes out. Either programs send large attachments inside their requests: have them upload the files instead. Or somebody keeps fetching documents, contents or exports: find the source addresses and routes in the access log, and block them with CloudFront and WAF, or revoke the key.',
      runbook: 'Strangers flood the API',
      alarmTopic,
    });
  }

  #apiThrottles({ throttledRequests, alarmTopic }: ServiceAlarmsProps): void {
    new ServiceAlarm(this, 'requests-throttled', {
      metric: throttledRequests,
      threshold: fewestThrottledRequests,
      impact: `Callers get 429: API Gateway refused at least ${fewestThrottledRequests} requests in 5 minutes, because a route got more than its throttle allows. Callers that retry lose nothing. If you've grown, raise lambdaConcurrency or apiRequestsPerSecond. Otherwise somebody is flooding the API and crowding out the others: find the source addresses and routes in the access log.`,
      runbook: 'Strangers flood the API',
      alarmTopic,
    });
  }

  /** A program with a revoked key asks at most once a second: fewer than the sample. */
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
      impact: `At least ${anonymousPercent}% of the requests in 5 minutes, and at least ${fewestAnonymous}, came without a known key: somebody is guessing keys or probing for holes, or a program still uses a revoked key. None of these requests can send. Find the source addresses and routes in the access log, and block them with CloudFront and WAF.`,
      runbook: 'Strangers flood the API',
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
      impact: `An organization has ${percent < 100 ? `used ${percent}% of one of today's limits, and may use up the rest` : `reached one of today's limits: requests beyond it are refused until midnight UTC`}. It has been notified. The dashboard says which organization and which limit. If it has grown, raise the limit; if not, look at its keys.`,
      runbook: 'One organization takes too much',
      alarmTopic,
    });
  }
}

/** The number of requests in this period when one route runs at half its throttle. */
const floodOf = (config: Settings, period: Duration): number =>
  (defaultThrottleOf(config).rateLimit * period.toSeconds()) / 2;

/** Per request of such a flood. A normal answer has some 1 to 5 KB. */
const bytesOfFlood = 40_000;
/** A program that retries at once after a 429 makes this many in a minute. */
const fewestThrottledRequests = 100;

/** At least three, so that an event that is retried once or twice rings no alarm. */
const minutesToWait = (doubtWindowSeconds: number): number =>
  Math.min(Math.max(Math.ceil(doubtWindowSeconds / 2 / 60), 3), 15);

const fewestWithoutEvents = 20;
const fewestRefused = 20;
const fewestThrottled = 20;
const throttledPercent = 50;
const fewestAnonymous = 300;
const anonymousPercent = 20;
