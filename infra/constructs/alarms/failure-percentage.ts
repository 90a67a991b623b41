import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { CountName } from '#shared/observability/metrics';
import { serviceMetric } from './service-metric.ts';

type FailurePercentageProps = {
  readonly label: string;
  readonly counted: CountName;
  /** The dimension that holds the result. */
  readonly by: string;
  readonly succeeded: string;
  readonly failed: readonly string[];
  readonly period: Duration;
};

/** With fewer attempts in a period, a single sender's bad day would be a high percentage. */
const fewestAttempts = 20;

export function failurePercentage(
  scope: Construct,
  { label, counted, by, succeeded, failed, period }: FailurePercentageProps,
): IMetric {
  const results = [succeeded, ...failed].map((result) => {
    const dimensions = { [by]: result };
    return [
      result,
      serviceMetric(scope, counted, { dimensions, statistic: 'Sum', period }),
    ] as const;
  });
  const failures = `(${failed.map(countOf).join(' + ')})`;
  const all = `(${failures} + ${countOf(succeeded)})`;
  return new MathExpression({
    label,
    expression: `IF(${all} >= ${fewestAttempts}, 100 * ${failures} / ${all}, 0)`,
    usingMetrics: Object.fromEntries(results),
    period,
  });
}

/** A result that never occurred has no data, and would leave the sum without data too. */
const countOf = (result: string) => `FILL(${result}, 0)`;
