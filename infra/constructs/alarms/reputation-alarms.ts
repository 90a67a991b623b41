import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { reviewPerMille } from '#shared/config/ses-settings';
import { ServiceAlarm } from './service-alarm.ts';
import { reputationMetric, serviceMetric, serviceNameOf } from './service-metric.ts';

/**
 * Fractions. AWS reviews the account at the higher one (`reviewPerMille`); the lower one leaves time to find the cause.
 */
export const alarmingRates = {
  'Reputation.BounceRate': { warns: 0.02, endangers: reviewPerMille.bounced / 1_000 },
  'Reputation.ComplaintRate': { warns: 0.0005, endangers: reviewPerMille.complained / 1_000 },
} as const;

/** Above this share of the account's 24-hour quota, a busy evening may use up the rest. */
export const quotaUsedPercent = 80;

/** Per day. */
const fewestEmails = 100;

/**
 * SES calculates a rate over a representative volume of the account's emails, not over a period (AWS Messaging Blog,
 * "Announcing the Reputation Dashboard"). A new account's first few bounces are a high rate too, so the alarms also
 * need a minimum number of emails in a sliding day.
 */
export class ReputationAlarms extends Construct {
  constructor(scope: Construct, id: string, { alarmTopic }: { readonly alarmTopic: ITopic }) {
    super(scope, id);
    const rates = [
      ['bounce', 'Reputation.BounceRate'],
      ['complaint', 'Reputation.ComplaintRate'],
    ] as const;
    for (const [kind, metricName] of rates) {
      const { warns, endangers } = alarmingRates[metricName];
      const metric = withMinimumOfEmails(reputationMetric(metricName));
      new ServiceAlarm(this, `${kind}-rate-rises`, {
        metric,
        threshold: warns,
        impact: `The account's ${kind} rate has reached ${percent(warns)}, on a day with at least ${fewestEmails} emails. At ${percent(endangers)} SES reviews the account.`,
        firstStep: `Find the organization on the dashboard, "Bounces and complaints, by organization".`,
        runbook: 'ses-reviews-or-pauses-the-account',
        alarmTopic,
      });
      new ServiceAlarm(this, `${kind}-rate-endangers`, {
        metric,
        threshold: endangers,
        impact: `The account's ${kind} rate has reached ${percent(endangers)}, on a day with at least ${fewestEmails} emails. SES may pause the account, and then no email goes out for anyone.`,
        firstStep: `Find the organization on the dashboard, and stop it now: npm run -s manage -- organizations pause <id> --stack ${serviceNameOf(this)}`,
        runbook: 'ses-reviews-or-pauses-the-account',
        alarmTopic,
      });
    }
    new ServiceAlarm(this, 'ses-quota-used', {
      metric: serviceMetric(this, 'SesQuotaUsed', {
        statistic: 'Maximum',
        period: Duration.minutes(15),
      }),
      threshold: quotaUsedPercent,
      impact: `The account has used ${quotaUsedPercent}% of its SES quota of recipients in 24 hours. At 100%, sends are refused and queued emails wait.`,
      firstStep:
        'Ask SES for more (Service Quotas, "Sending quota"), and check whether one organization sends far more than usual.',
      runbook: 'the-ses-quota-runs-out',
      alarmTopic,
    });
  }
}

/** On a day without emails, `sends` has no data, so neither does the alarm. */
const withMinimumOfEmails = (rate: Metric): IMetric =>
  new MathExpression({
    label: rate.metricName,
    expression: `IF(sends >= ${fewestEmails}, rate, 0)`,
    usingMetrics: {
      sends: new Metric({ namespace: rate.namespace, metricName: 'Send', statistic: 'Sum' }),
      rate: rate.with({ statistic: 'Maximum' }),
    },
    period: Duration.days(1),
  });

const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(2))}%`;
