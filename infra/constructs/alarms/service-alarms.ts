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
 * The alarms for sends and for the API: few, each worth being woken for. Other parts have their own; infra/RUNBOOK.md
 * lists them all. An organization with high rates gets a notice (`shared/usage/rate-notices.ts`); the account's rates:
 * `reputation-alarms.ts`.
 */
export class ServiceAlarms extends Construct {
  /** Those that ring within minutes when a new version is bad. */
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
        "Send events of SES arrive later than half the doubt window. Beyond all of it, a retried send of unknown outcome goes out a second time, as SES's proof of the first is still on its way. If provider-events-waiting rings too, or the log of record-provider-event has errors, the cause is ours: do what that alarm says. Else SES or SNS is slow: raise doubtWindowSeconds until it is over.",
      runbook: "SES's events are late",
      alarmTopic,
    });
  }

  /**
   * By the number of messages. The age of the oldest one leaves out all that were received three times, as most of those
   * that fail were within seconds (SQS guide, "Available CloudWatch metrics for Amazon SQS"). An event that is recorded
   * at its first retries isn't there in each of these minutes.
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
        'Provider events, all or some, cannot be recorded and wait in the retry queue: bounced or complaining recipients may still be mailed, and timelines lack events. A send of unknown outcome goes out a second time when it is retried, unless its event could mark it (metric ProviderEventNotMarked; nothing marks while the function does not run). Read the errors of record-provider-event, and whether it is throttled. Nothing is lost for a day: the events are recorded within minutes after the cause is fixed.',
      runbook: "SES's events are late",
      alarmTopic,
    });
  }

  /**
   * Two periods, as a burst at the end of one has its events in the next. Test emails, which have no events of SES, are
   * counted as `simulated`.
   */
  #providerEventsAreMissing({ alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(15);
    const sum = (metricName: CountName, dimensions: Readonly<Record<string, string>>) =>
      serviceMetric(this, metricName, { dimensions, statistic: 'Sum', period });
    new ServiceAlarm(this, 'provider-events-missing', {
      metric: new MathExpression({
        label: 'Emails that SES took without a single event',
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
      impact: `In each of two quarters of an hour SES took ${fewestWithoutEvents} emails and more, and no Send event came: bounced and complaining recipients go on being mailed, timelines stay empty, and a send of unknown outcome goes out a second time when it is retried. If provider-events-waiting rings too, do what that says. Else the configuration set's event destination, the topic's policy or its subscription was changed: deploy again, after cdk diff or drift detection has shown what differs. Events of that time do not come back.`,
      runbook: "SES's events are late",
      alarmTopic,
    });
  }

  /** A function that isn't invoked has no iterator age, so `UsageCounting/late` is silent. */
  #usageIsNotCounted({ functions, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(15);
    new ServiceAlarm(this, 'usage-not-counted', {
      metric: new MathExpression({
        label: 'Emails while count-usage does not run',
        expression: 'IF(FILL(runs, 0) > 0, 0, FILL(emails, 0))',
        usingMetrics: {
          runs: functions.get('count-usage').lambda.metricInvocations({ statistic: 'Sum', period }),
          emails: serviceMetric(this, 'ProviderEventLag', { statistic: 'SampleCount', period }),
        },
        period,
      }),
      threshold: fewestWithoutEvents,
      periods: 2,
      impact: `In each of two quarters of an hour ${fewestWithoutEvents} emails and more went out, and count-usage did not run: usage figures and notices of daily limits stand still, and what is not counted within 23 hours is lost for good. See in the Lambda console whether its trigger, the table's stream, is disabled or has a problem (a permission, a KMS key), and whether Lambda throttles it.`,
      runbook: 'Work in the background fails',
      alarmTopic,
    });
  }

  /**
   * An organization beyond its own limits is refused before SES is asked, and a burst is over within two periods.
   * Compared with Send events, as each email that SES takes has one, from whatever function.
   */
  #sesThrottles({ alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'sends-throttled', {
      metric: new MathExpression({
        label: 'Sends that SES was too busy for, in percent',
        expression: `IF(FILL(throttled, 0) >= ${fewestThrottled}, 100 * throttled / (throttled + FILL(taken, 0)), 0)`,
        usingMetrics: {
          throttled: serviceMetric(this, 'SendThrottled', { statistic: 'Sum', period }),
          taken: serviceMetric(this, 'ProviderEventLag', { statistic: 'SampleCount', period }),
        },
        period,
      }),
      threshold: throttledPercent,
      periods: 3,
      impact: `For a quarter of an hour SES has been too busy for ${throttledPercent}% of the sends and more: callers get 429 provider_throttled, and queued emails wait, and fail after sendPatienceSeconds. Either the account's recipients of 24 hours are used up (metric SesQuotaUsed), or more goes out than its rate allows: the dashboard says whose. Ask SES for more, and let bulk go out with mode "queued".`,
      runbook: 'The SES quota runs out',
      alarmTopic,
    });
  }

  /**
   * Refusals that a sender may have caused count in no other alarm. But when nothing else goes out at all, the cause may
   * be ours, or the only organization needs its operator. Not for versions: in a quiet hour, a single organization could
   * roll a deployment back.
   */
  #sesRefuses({ alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(15);
    new ServiceAlarm(this, 'sends-refused', {
      metric: new MathExpression({
        label: 'Sends that SES refused, while it took none',
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
      impact: `In a quarter of an hour SES refused ${fewestRefused} emails and more, and took none: callers get 500 provider_rejected. The timelines have SES's reason. MessageRejected: the sending domain is no longer verified, or the account is in SES's sandbox (npm run manage -- doctor). BadRequestException after a deployment: go back to the version before. If it is one organization only, it needs a working domain.`,
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  /** Of schedules whose absence nothing else shows. One alarm, as the cause is mostly the same. */
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
        'For three hours check-identities, send-notices or purge-organizations did not run: new domains stay pending and lost ones in use, organizations get no notices, or what deleted ones left stays in the table. See in the EventBridge Scheduler console which schedule is disabled or cannot invoke its function, and whether Lambda throttles that. (Right after the first deployment it rings until the first runs.)',
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
        'An item of the table can\'t be read by this version, and requests that need it get 500: after an upgrade or a restore, or because it was edited by hand. The log has the item and its fields (itemFields). Fix the item, or go back to the version that wrote it. If the log says "answer not as declared", the answer was sent all the same, and its fields are in answerFields: a client that checks them may refuse it.',
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  /**
   * A batch is answered 200, whatever becomes of its emails. A 500 is the sender's fault when SES refuses its email for
   * a reason of its own: `shared/email/refusals.ts`. Counted from the functions' own words alone, 503s of a gateway that
   * finds no free execution would be missing.
   */
  #apiFails({ api, alarmTopic }: ServiceAlarmsProps): Alarm {
    const period = Duration.minutes(5);
    return new ServiceAlarm(this, 'http-5xx', {
      metric: new MathExpression({
        label: 'Answers of 5xx that no sender caused, and emails of batches that failed',
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
        'Callers get 5xx answers, or such errors of emails in a batch: they are not sent, or with an unknown outcome. The access log names the route, the function log the cause (same request id; "email of a batch failed"). Of a 503 no function logs anything: the account ran all the functions that it may at a time.',
      runbook: 'Requests fail',
      alarmTopic,
    });
  }

  /** A flood costs money and takes concurrency that sends need. */
  #apiIsFlooded({ config, api, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'http-requests', {
      metric: api.metricCount({ statistic: 'Sum', period }),
      threshold: floodOf(config, period),
      impact:
        'For five minutes the API got half of what one route takes at most. Either you have grown: raise lambdaConcurrency. Or somebody floods it: the access log has the source addresses and routes. Block them at CloudFront and WAF, or lower linkRequestsPerSecond.',
      runbook: 'Strangers flood the API',
      alarmTopic,
    });
  }

  /**
   * AWS charges for what goes out, and throttles count requests. The metric has what comes in, too, so the emails that
   * callers hand over with their files count as well.
   */
  #bytesAreServed({ config, api, alarmTopic }: ServiceAlarmsProps): void {
    const period = Duration.minutes(5);
    new ServiceAlarm(this, 'http-bytes', {
      metric: api.metricDataProcessed({ statistic: 'Sum', period }),
      threshold: bytesOfFlood * floodOf(config, period),
      impact:
        'For five minutes the API received and answered more bytes than its usual requests have. Either programs send large attachments in their requests: let them upload these. Or somebody fetches documents, contents or exports again and again, and AWS charges for each byte: the access log has the source addresses and routes. Block them at CloudFront and WAF, or revoke the key.',
      runbook: 'Strangers flood the API',
      alarmTopic,
    });
  }

  #apiThrottles({ throttledRequests, alarmTopic }: ServiceAlarmsProps): void {
    new ServiceAlarm(this, 'requests-throttled', {
      metric: throttledRequests,
      threshold: fewestThrottledRequests,
      impact: `API Gateway refused ${fewestThrottledRequests} requests of five minutes and more, as a route was asked more often than its throttle allows: their callers got 429. Whoever repeats them loses nothing. Either you have grown: raise lambdaConcurrency, or apiRequestsPerSecond. Or somebody floods the API, and others find no room: the access log has the source addresses and routes.`,
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

/** Requests of so long: half of what one route takes. */
const floodOf = (config: Settings, period: Duration): number =>
  (defaultThrottleOf(config).rateLimit * period.toSeconds()) / 2;

/** For each request of a flood. An answer of the API has some 1 to 5 KB. */
const bytesOfFlood = 40_000;
/** A program that comes back at once after a 429 makes as many in a minute. */
const fewestThrottledRequests = 100;

/** At least three, so that an event that is retried once or twice rings nothing. */
const minutesToWait = (doubtWindowSeconds: number): number =>
  Math.min(Math.max(Math.ceil(doubtWindowSeconds / 2 / 60), 3), 15);

const fewestWithoutEvents = 20;
const fewestRefused = 20;
const fewestThrottled = 20;
const throttledPercent = 50;
const fewestAnonymous = 300;
const anonymousPercent = 20;
