import * as z from 'zod';
import { asText } from './resolve-intrinsics.ts';
import { resourceAt, type SynthesisedStack } from './synthesised-stack.ts';

const metricShape = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
});

const bound = {
  Threshold: z.number(),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  ComparisonOperator: z.enum(['GreaterThanOrEqualToThreshold', 'LessThanThreshold']),
  TreatMissingData: z.enum(['breaching', 'notBreaching']),
};

const alarmShape = z.union([
  z.object({
    ...bound,
    Metrics: z.array(
      z.union([
        z.object({ Expression: z.string() }),
        z.object({
          Id: z.string(),
          MetricStat: z.object({ Metric: metricShape, Period: z.number(), Stat: z.string() }),
        }),
      ]),
    ),
  }),
  z.object({ ...bound, ...metricShape.shape, Period: z.number(), Statistic: z.string() }),
]);

/**
 * What CloudWatch has of a metric in each period, the latest last, with `undefined` where it has nothing. A metric is
 * named by statistic, name and dimensions: "Sum SendSettled endpoint=send status=sent". One that isn't given has no
 * data.
 */
export type Datapoints = Readonly<Record<string, readonly (number | undefined)[]>>;

type Watched = { readonly id: string; readonly name: string; readonly seconds: number };

/** An alarm that judges datapoints as CloudWatch does, in all of its functions that our alarms use. */
export function openAlarm(stack: SynthesisedStack, path: string) {
  const alarm = alarmShape.parse(resourceAt(stack, path).Properties);
  const nameOf = (
    statistic: string,
    { Namespace, MetricName, Dimensions }: z.output<typeof metricShape>,
  ) => {
    const dimensions = Dimensions.map(({ Name, Value }) => `${Name}=${asText(stack, Value)}`);
    const distinct = dimensions.filter((one) => one !== 'service=EmailService');
    if (Namespace === 'TransactionalEmail' && distinct.length === dimensions.length) {
      throw new Error(`${MetricName} has no datapoints without its dimension service`);
    }
    return [statistic, MetricName, ...distinct].join(' ');
  };
  const watched: readonly Watched[] =
    'Metrics' in alarm
      ? alarm.Metrics.flatMap((one) => {
          if ('Expression' in one) return [];
          const { Metric, Stat, Period } = one.MetricStat;
          return [{ id: one.Id, name: nameOf(Stat, Metric), seconds: Period }];
        })
      : [{ id: 'only', name: nameOf(alarm.Statistic, alarm), seconds: alarm.Period }];
  const [expression = 'only'] =
    'Metrics' in alarm
      ? alarm.Metrics.flatMap((one) => ('Expression' in one ? [one.Expression] : []))
      : [];

  const isBreaching = (value: number | undefined): boolean => {
    if (value === undefined) return alarm.TreatMissingData === 'breaching';
    return alarm.ComparisonOperator === 'LessThanThreshold'
      ? value < alarm.Threshold
      : value >= alarm.Threshold;
  };
  return {
    metrics: watched.map(({ name }) => name),
    /** Of time that it looks at. */
    minutes: (alarm.EvaluationPeriods * (watched[0]?.seconds ?? 0)) / 60,
    /** Whether it rings after the last of these periods. */
    rings: (datapoints: Datapoints): boolean => {
      const unknown = Object.keys(datapoints).filter(
        (name) => !watched.some((one) => one.name === name),
      );
      if (unknown.length > 0) throw new Error(`The alarm doesn't watch ${unknown}`);
      const values = Array.from({ length: alarm.EvaluationPeriods }, (_, index) =>
        evaluate(
          expression,
          watched.map(({ id, name }) => [
            id,
            datapoints[name]?.at(index - alarm.EvaluationPeriods),
          ]),
        ),
      );
      const breaching = values.filter(isBreaching).length;
      return breaching >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods);
    },
  };
}

/** As CloudWatch computes it: without one of its operands, an operation has no data either. */
function evaluate(
  expression: string,
  metrics: readonly (readonly [id: string, value: number | undefined])[],
): number | undefined {
  const functions = {
    FILL: (value: number, instead: number) => (Number.isNaN(value) ? instead : value),
    IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
    MIN: (values: readonly number[]) => Math.min(...values),
  };
  const names = [...Object.keys(functions), ...metrics.map(([id]) => id)];
  const run = new Function(...names, `return ${expression};`);
  const value = z
    .number()
    .or(z.nan())
    .parse(run(...Object.values(functions), ...metrics.map(([, one = Number.NaN]) => one)));
  return Number.isNaN(value) ? undefined : value;
}
