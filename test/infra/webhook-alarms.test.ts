import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CountName, DurationName } from '#shared/observability/metrics';
import type { AttemptResult } from '#shared/webhook-deliveries/attempt-delivery';
import { resourceAt, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();

/** What the functions publish: a name that differs would make an alarm that never rings. */
const attempted: CountName = 'WebhookAttempted';
const lateness: DurationName = 'WebhookOldestDueLateness';
const service = { Name: 'service', Value: 'EmailService' };

const metricsShape = z.array(
  z.object({
    Id: z.string(),
    Expression: z.string().optional(),
    MetricStat: z.unknown().optional(),
  }),
);

describe('the alarm on attempts that fail', () => {
  const { Properties } = resourceAt(stack, 'WebhookDelivery/Alarms/attempts-fail');
  const metrics = metricsShape.parse(Properties['Metrics']);
  const expression = metrics.find(({ Expression }) => Expression !== undefined)?.Expression ?? '';

  /** The expression's value, as CloudWatch would find it with these counts; none is no data. */
  function percentageOf(counts: Partial<Record<AttemptResult, number>>): unknown {
    const names = metrics.map(({ Id }) => Id);
    const values = names.map((name) => Object.entries(counts).find(([key]) => key === name)?.[1]);
    const functions = {
      FILL: (value: number | undefined, instead: number) => value ?? instead,
      IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
    };
    const evaluate = new Function('FILL', 'IF', ...names, `return ${expression};`);
    return evaluate(functions.FILL, functions.IF, ...values);
  }

  it.each(['delivered', 'rescheduled', 'failed'] as const satisfies AttemptResult[])(
    'counts the attempts that ended as %s',
    (result) => {
      const metric = metrics.find(({ Id }) => Id === result);

      expect(metric?.MetricStat).toEqual({
        Metric: {
          Namespace: 'TransactionalEmail',
          MetricName: attempted,
          Dimensions: [{ Name: 'result', Value: result }, service],
        },
        Period: 15 * 60,
        Stat: 'Sum',
      });
    },
  );

  it.each([
    { counts: { delivered: 100 }, percentage: 0 },
    { counts: { delivered: 25, rescheduled: 70, failed: 5 }, percentage: 75 },
    { counts: { rescheduled: 20 }, percentage: 100 },
    { counts: { failed: 40, delivered: 10 }, percentage: 80 },
  ])('sees $percentage % in $counts', ({ counts, percentage }) => {
    const value = percentageOf(counts);

    expect(value).toBe(percentage);
  });

  it.each([{ rescheduled: 19 }, { failed: 10, rescheduled: 9 }, {}])(
    'sees nothing in as few as %o',
    (counts) => {
      const value = percentageOf(counts);

      expect(value).toBe(0);
    },
  );

  it('rings when three of four fail', () => {
    expect(Properties).toMatchObject({
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 75,
    });
  });
});

describe('the alarm on deliveries that wait', () => {
  it('rings when every run of five minutes finds one five minutes late', () => {
    const { Properties } = resourceAt(stack, 'WebhookDelivery/Alarms/deliveries-late');

    expect(Properties).toMatchObject({
      Namespace: 'TransactionalEmail',
      MetricName: lateness,
      Dimensions: [service],
      Statistic: 'Minimum',
      Period: 300,
      Threshold: 300_000,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
  });
});

describe('the alarm on a queue that is not run', () => {
  it('rings when no run has published for five minutes', () => {
    const { Properties } = resourceAt(stack, 'WebhookDelivery/Alarms/queue-not-run');

    expect(Properties).toMatchObject({
      Namespace: 'TransactionalEmail',
      MetricName: lateness,
      Dimensions: [service],
      Statistic: 'SampleCount',
      Period: 300,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });
});
