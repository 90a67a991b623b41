import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryWidget,
  MathExpression,
  Metric,
  type MetricOptions,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { CountName, DurationName } from '#shared/observability/metrics';
import type { FunctionName } from '../../../functions/endpoints.ts';
import { sendFunctions } from '../function-catalogue.ts';
import type { ServiceFunctions } from '../service-functions.ts';
import { eventsThatWait } from './events-that-wait.ts';
import { alarmingRates, quotaUsedPercent } from './reputation-alarms.ts';
import {
  metricsNamespace,
  reputationMetric,
  serviceMetric,
  serviceNameOf,
} from './service-metric.ts';

type ServiceDashboardProps = {
  readonly api: HttpApi;
  readonly anonymousRequests: MathExpression;
  readonly table: Table;
  readonly functions: ServiceFunctions;
  readonly retryQueue: IQueue;
  readonly queues: Readonly<Record<string, IQueue>>;
};

const period = Duration.minutes(5);

/** One CloudWatch page for the operator. Its titles say which figures cover the whole AWS account. */
export class ServiceDashboard extends Construct {
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    super(scope, id);
    const rows: readonly (readonly IWidget[])[] = [
      [this.#sendsByOutcome(), this.#sendDurations(props), this.#answers(props)],
      [this.#refusals(props), this.#throttled(props), this.#doubt()],
      [this.#eventLag(), this.#queues(props), this.#lateness()],
      [this.#reputation(), this.#quota(), this.#harmedBy(props)],
      [this.#organizationDays(props), this.#webhooks(), this.#throttledFunctions(props)],
      costDrivers(props),
    ];
    this.dashboard = new Dashboard(this, 'Dashboard', {
      // Dashboard names are unique per account, across all Regions.
      dashboardName: `${serviceNameOf(this)}-${Stack.of(this).region}`,
      defaultInterval: Duration.hours(12),
      widgets: rows.map((row) => [...row]),
    });
  }

  #sendsByOutcome(): IWidget {
    return graph('Sends by outcome', [this.#eachOf('SendSettled', 'endpoint,status', 'status')], {
      stacked: true,
    });
  }

  #sendDurations({ functions }: ServiceDashboardProps): IWidget {
    const durations = sendFunctions.flatMap((name) =>
      ['p50', 'p99'].map((statistic) =>
        lambdaOf(functions, name).metricDuration({
          statistic,
          period,
          label: `${name} ${statistic}`,
        }),
      ),
    );
    return graph('Send request duration, ms', durations);
  }

  #answers({ api, anonymousRequests }: ServiceDashboardProps): IWidget {
    const options = { statistic: 'Sum', period };
    return graph('API answers', [
      api.metricCount({ ...options, label: 'Requests' }),
      api.metricClientError({ ...options, label: '4xx' }),
      api.metricServerError({ ...options, label: '5xx' }),
      serviceMetric(this, 'BatchEmailFailed', { statistic: 'Sum', period }).with({
        label: 'Failed emails in batches',
      }),
      serviceMetric(this, 'SendersFaultAnswered', { statistic: 'Sum', period }).with({
        label: '5xx caused by the sender',
      }),
      anonymousRequests.with({ label: 'Without a known key' }),
    ]);
  }

  #refusals({ functions }: ServiceDashboardProps): IWidget {
    return logTable('Refused sends, by error code', logGroupsOf(functions, sendFunctions), [
      'filter ispresent(code)',
      'stats count(*) as requests by code, status, route',
      'sort requests desc',
    ]);
  }

  #throttled({ functions }: ServiceDashboardProps): IWidget {
    return logTable(
      'Sends that SES throttled or refused, by organization',
      logGroupsOf(functions, [...sendFunctions, 'send-queued', 'run-send-queue']),
      [
        'filter ispresent(SendThrottled) or ispresent(SendRefused)',
        'stats count(SendThrottled) as throttled, count(SendRefused) as refused by organizationId, fault',
        'sort throttled desc, refused desc',
      ],
    );
  }

  #doubt(): IWidget {
    return graph('Sends in doubt', [this.#eachOf('SendInDoubt', 'found', 'found')]);
  }

  #eventLag(): IWidget {
    const lag = (statistic: 'Minimum' | 'Maximum') =>
      serviceMetric(this, 'ProviderEventLag', { statistic, period });
    return graph('Lag of SES Send events, ms', [lag('Maximum'), lag('Minimum')]);
  }

  #queues({ retryQueue, queues }: ServiceDashboardProps): IWidget {
    const options = { statistic: 'Maximum', period } as const;
    return graph('Waiting messages', [
      eventsThatWait(retryQueue, { ...options, label: 'Failed events' }),
      ...Object.entries(queues).map(([label, queue]) =>
        queue.metricApproximateNumberOfMessagesVisible({ ...options, label }),
      ),
    ]);
  }

  #lateness(): IWidget {
    const late = (metricName: DurationName, label: string) =>
      serviceMetric(this, metricName, { statistic: 'Maximum', period }).with({ label });
    return graph('Lateness of the oldest due item, ms', [
      late('WebhookOldestDueLateness', 'Webhook deliveries'),
      late('SendOldestDueLateness', 'Queued and scheduled emails'),
    ]);
  }

  #reputation(): IWidget {
    const { 'Reputation.BounceRate': bounces, 'Reputation.ComplaintRate': complaints } =
      alarmingRates;
    return graph(
      'Bounce and complaint rates of the AWS account',
      [
        reputationMetric('Reputation.BounceRate').with({ label: 'Bounces' }),
        reputationMetric('Reputation.ComplaintRate').with({ label: 'Complaints' }),
      ],
      {
        limits: {
          'SES reviews bounces': bounces.endangers,
          'SES reviews complaints': complaints.endangers,
        },
      },
    );
  }

  #quota(): IWidget {
    return graph(
      'Recipients in 24 hours, percent of the AWS account’s quota',
      [serviceMetric(this, 'SesQuotaUsed', { statistic: 'Maximum', period: Duration.minutes(15) })],
      { limits: { 'Alarm rings': quotaUsedPercent } },
    );
  }

  #harmedBy({ functions }: ServiceDashboardProps): IWidget {
    return logTable(
      'Bounces and complaints, by organization',
      logGroupsOf(functions, ['record-provider-event']),
      [
        'filter ispresent(event) and message = "provider event recorded"',
        // A feedback id starts with the organization's id.
        'stats count(*) as emails by concat("org_", substr(feedbackId, 4, 16)) as organization, event',
        'sort emails desc',
      ],
    );
  }

  #organizationDays({ functions }: ServiceDashboardProps): IWidget {
    return logTable(
      'Organizations that used 80% of a daily limit',
      logGroupsOf(functions, ['count-usage']),
      [
        'filter message = "day nearly used"',
        'stats max(percent) as used by organizationId, limit, datefloor(@timestamp, 1d) as day',
        'sort used desc',
      ],
    );
  }

  #webhooks(): IWidget {
    return graph('Webhook attempts, by result', [
      this.#eachOf('WebhookAttempted', 'result', 'result'),
    ]);
  }

  /** Invocations beyond the account's or a function's own concurrency. */
  #throttledFunctions({ functions }: ServiceDashboardProps): IWidget {
    const names: readonly FunctionName[] = [
      ...(['send-email', 'send-email-batch', 'send-queued'] as const),
      ...(['record-provider-event', 'deliver-webhooks', 'track-open'] as const),
    ];
    return graph(
      'Throttled Lambda invocations',
      names.map((name) =>
        lambdaOf(functions, name).metricThrottles({ statistic: 'Sum', period, label: name }),
      ),
    );
  }

  /** One line per value of a dimension that has occurred. */
  #eachOf(metricName: CountName, dimensions: string, shown: string): IMetric {
    const schema = `{${metricsNamespace},service,${dimensions}}`;
    const search = `SEARCH('${schema} MetricName="${metricName}" service="${serviceNameOf(this)}"', 'Sum', ${period.toSeconds()})`;
    return new MathExpression({ expression: search, label: `\${PROP('Dim.${shown}')}`, period });
  }
}

function costDrivers({ table, api, functions }: ServiceDashboardProps): IWidget[] {
  const sum = { statistic: 'Sum', period: Duration.hours(1) } satisfies MetricOptions;
  const lambda = (metricName: string, label: string) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, label, ...sum });
  return [
    graph('DynamoDB units per hour', [
      table.metricConsumedWriteCapacityUnits({ ...sum, label: 'Write units' }),
      table.metricConsumedReadCapacityUnits({ ...sum, label: 'Read units' }),
    ]),
    graph('Requests and invocations per hour', [
      api.metricCount({ ...sum, label: 'HTTP API requests' }),
      lambda('Invocations', 'Lambda invocations of the AWS account'),
    ]),
    graph('Log bytes per hour', [
      new Metric({
        namespace: 'AWS/Logs',
        metricName: 'IncomingBytes',
        label: 'All log groups of the AWS account',
        ...sum,
      }),
      lambdaOf(functions, 'record-provider-event').metricInvocations({
        ...sum,
        label: 'SES events',
      }),
    ]),
  ];
}

const lambdaOf = (functions: ServiceFunctions, name: FunctionName): IFunction =>
  functions.get(name).lambda;

const logGroupsOf = (functions: ServiceFunctions, names: readonly FunctionName[]): string[] =>
  names.map((name) => functions.get(name).lambda.logGroup.logGroupName);

const size = { width: 8, height: 6 };

function graph(
  title: string,
  left: readonly IMetric[],
  {
    stacked = false,
    limits = {},
  }: { readonly stacked?: boolean; readonly limits?: Readonly<Record<string, number>> } = {},
): IWidget {
  return new GraphWidget({
    title,
    left: [...left],
    leftYAxis: { min: 0 },
    leftAnnotations: Object.entries(limits).map(([label, value]) => ({ label, value })),
    stacked,
    ...size,
  });
}

const logTable = (title: string, logGroupNames: string[], queryLines: string[]): IWidget =>
  new LogQueryWidget({ title, logGroupNames, queryLines, ...size });
